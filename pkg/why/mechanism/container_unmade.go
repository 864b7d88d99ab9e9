package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ContainerUnmade is a container that the kubelet cannot make or start as the spec asks: an object that it reads does not exist, or the
// runtime refuses. A container that started and ended waits with another reason, CrashLoopBackOff.
type ContainerUnmade struct {
	Waiting

	Container string
	Reason    string // of the kubelet
	Said      string
	Fault     string   // what it says, without the pod and the container
	AsRoot    bool     // it would run as root, which the spec forbids
	Absent    Absent   // the object that it names as absent; zero: it names none
	Has       []string // keys of the object that lacks one; nil: not known
	Fix       KeyFix
}

// Mechanism returns its ID.
func (ContainerUnmade) Mechanism() cause.ID { return "container-unmade" }

func (d ContainerUnmade) alike(pod string) waitingDetail {
	return ContainerUnmade{Reason: d.Reason, Said: without(pod, d.Said), Absent: d.Absent}
}

// asRoot reports whether a container is refused because its user is root, or may be (verifyRunAsNonRoot in
// pkg/kubelet/kuberuntime/security_context_others.go of kubernetes@v1.36.3).
func asRoot(fault string) bool {
	return strings.Contains(fault, "has runAsNonRoot") || strings.Contains(fault, "breaks non-root policy")
}

func containerUnmade(w *waiter, s waitingContainer) cause.Cause {
	said := s.State.Waiting.Message
	class := cause.Configuration
	if strings.Contains(said, wrongArchitecture) {
		class = cause.Image
	}
	// Some messages end with both: "container's runAsUser breaks non-root policy (pod: "etl-driver_jobs(UID)", container:
	// spark-kubernetes-driver)" (kubernetes@v1.36.3 pkg/kubelet/kuberuntime/security_context_others.go, verifyRunAsNonRoot).
	fault, _, _ := strings.Cut(said, " (pod: ")
	gone := absentIn(said)
	return w.cause(class, cause.ByContainer, ContainerUnmade{Waiting: w.Waiting, Container: s.Name, Reason: s.State.Waiting.Reason,
		Said: said, Fault: fault, AsRoot: asRoot(fault), Absent: gone, Has: w.lacking(gone),
		Fix: w.fixes(gone, w.lacking(gone))}, s.evidence...)
}
