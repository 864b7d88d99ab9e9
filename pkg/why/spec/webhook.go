package spec

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Unmutated are variables of spec.driver.env that the driver's pod lacks.
type Unmutated struct {
	Application snapshot.Ref
	Variables   []string
}

// Mechanism names it.
func (Unmutated) Mechanism() cause.ID { return "unmutated" }

// unmutated is about variables of the spec that the driver's pod does not have, whatever became of the application: only the operator's
// webhook brings them there (internal/webhook/sparkpod_defaulter.go@v2.5.2, addEnvVars).
func unmutated(v *mechanism.View, c *cause.Cause, _ cause.Role) (Note, bool) {
	driver := mainOf(v.Driver)
	if driver == nil || len(driver.EnvFrom) > 0 || c.Topics.Has(cause.Unmutated) {
		return Note{}, false
	}
	var lacks []string
	for _, name := range v.Spec.Driver.Env {
		has := func(e corev1.EnvVar) bool { return e.Name == name }
		if name != "" && !slices.ContainsFunc(driver.Env, has) {
			lacks = append(lacks, name)
		}
	}
	if len(lacks) == 0 {
		return Note{}, false
	}
	return Note{Detail: Unmutated{Application: v.AppRef(), Variables: lacks},
		Proofs: []cause.Proof{proof(v, "driver.env", strings.Join(lacks, ", "))}}, true
}
