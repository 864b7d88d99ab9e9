package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ContainerUnmade is a container that the kubelet cannot make or start as the spec asks: an object that it reads does not exist, or the
// runtime refuses. A container that started and ended waits with another reason, CrashLoopBackOff.
type ContainerUnmade struct {
	Waiting

	Reason string // of the kubelet
	Said   string
	Absent Absent // the object that it names as absent; zero: it names none
}

// Mechanism returns its ID.
func (ContainerUnmade) Mechanism() cause.ID { return "container-unmade" }

func (d ContainerUnmade) alike(pod string) waitingDetail {
	return ContainerUnmade{Reason: d.Reason, Said: without(pod, d.Said), Absent: d.Absent}
}

func containerUnmade(w *waiter, s waitingContainer) cause.Cause {
	said := s.State.Waiting.Message
	class := cause.Configuration
	if strings.Contains(said, wrongArchitecture) {
		class = cause.Image
	}
	return w.cause(class, cause.ByContainer, ContainerUnmade{Waiting: w.Waiting, Reason: s.State.Waiting.Reason, Said: said,
		Absent: absentIn(said)}, s.evidence...)
}
