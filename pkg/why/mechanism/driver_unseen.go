package mechanism

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// DriverUnseen is a run that counts as running, of which no driver was seen. It looks the same where the pod is only missing from the
// input. The operator takes the state from the pod that it watches (internal/controller/sparkapplication/controller.go@v2.5.2).
type DriverUnseen struct {
	State string
}

// Mechanism names what was found.
func (DriverUnseen) Mechanism() cause.ID { return "driver-unseen" }
