package mechanism

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ContainerCrashes is a container of a pod that has not started which the kubelet restarts: of Spark's pods, a native sidecar. The driver
// starts after it. A container of Spark that crashes is in a pod that has started, and is restarted only in the server of Spark Connect.
// What a native sidecar is, restartPolicy of an init container says (staging/src/k8s.io/api/core/v1/types.go@v1.36.3).
type ContainerCrashes struct {
	Waiting

	Container string
	Reason    string // of the kubelet, where it waits before it restarts it
	Said      string // by the kubelet of that
	Restarts  int
	Ended     bool // how it ended last is known: the fields below
	Exit      int
	OOMKilled bool
}

// Mechanism returns its ID.
func (ContainerCrashes) Mechanism() cause.ID { return "container-crashes" }

func (d ContainerCrashes) alike(string) waitingDetail {
	d.Waiting = Waiting{}
	d.Reason, d.Said = "", ""
	return d
}

func containerCrashes(w *waiter, s *corev1.ContainerStatus, evidence []cause.Proof) cause.Cause {
	d := ContainerCrashes{Waiting: w.Waiting, Container: s.Name, Restarts: int(s.RestartCount)}
	class := cause.Configuration
	var topics cause.Topics
	if s.State.Waiting != nil {
		d.Reason, d.Said = s.State.Waiting.Reason, s.State.Waiting.Message
	}
	if t := s.LastTerminationState.Terminated; t != nil {
		d.Ended, d.Exit = true, int(t.ExitCode)
		d.OOMKilled = t.Reason == snapshot.OOMKilled
		switch {
		case d.OOMKilled:
			class, topics = cause.ClusterKilled, cause.Memory|cause.OOMKilled|cause.OwnLimit
		case d.Exit == 137:
			topics = cause.OwnLimit
		case d.Exit == 52:
			topics = cause.Exit52
		}
		evidence = append(evidence, cause.Proof{Object: Ref(w.pod), Field: "status of container " + s.Name + ", last end",
			Value: fmt.Sprintf("%s (exit code %d)", t.Reason, t.ExitCode), At: t.FinishedAt.UTC()})
	}
	c := w.cause(class, cause.ByContainer, d, evidence...)
	c.Certainty, c.Topics = check.Likely, topics
	return c
}

// sidecar reports whether an init container is one that the kubelet restarts and leaves running.
func sidecar(p *corev1.Pod, name string) bool {
	return slices.ContainsFunc(p.Spec.InitContainers, func(i corev1.Container) bool { return i.Name == name && i.RestartPolicy != nil })
}
