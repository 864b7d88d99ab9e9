package snapshot

import (
	"slices"
	"time"
)

// OperatorPod is a pod of the operator itself.
type OperatorPod struct {
	Object
	Ready   bool
	Phase   string
	Started time.Time // start of the first container's current run
	IPs     []string
	Runs    []ContainerRun // of the containers that run now
	Ills    []ContainerIll // of the containers that ended before, or wait
	Pending string         // why it has no node, first 512 bytes
}

// ContainerRun is the current run of a container.
type ContainerRun struct {
	Name    string
	Started time.Time
}

// ContainerIll is what is wrong with a container.
type ContainerIll struct {
	Name     string
	Restarts int
	Waiting  string // why it does not run: CrashLoopBackOff, ImagePullBackOff; empty if it runs
	Ended    string // why its last run ended: OOMKilled, Error; empty if there was none before
	ExitCode int
	EndedAt  time.Time
}

// Service is a Service that a webhook calls.
type Service struct {
	Object
	Ports    []int32
	Names    []string // of the ports, in their order; nil in archives that do not tell
	External bool     // type ExternalName: no endpoints belong to it
}

// Reaches reports whether endpoints of a slice have what a port of the Service leads to. They have not where a pod has no
// container port of the name that targetPort gives (kubernetes staging/src/k8s.io/endpointslice/utils.go, getEndpointPorts).
func (s *Service) Reaches(e *EndpointSlice, port int32) bool {
	i := slices.Index(s.Ports, port)
	return e.Ports == nil || i < 0 || i >= len(s.Names) || slices.Contains(e.Ports, s.Names[i])
}

func (p *OperatorPod) dates(see func(time.Time)) {
	see(p.Created)
	see(p.Started)
	for _, ill := range p.Ills {
		see(ill.EndedAt)
	}
}
