package snapshot

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
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

func operatorPodFrom(p *corev1.Pod, loc Location) OperatorPod {
	out := OperatorPod{Object: objectFrom("v1", "Pod", &p.ObjectMeta, loc), Phase: string(p.Status.Phase)}
	for _, c := range p.Status.Conditions {
		out.Ready = out.Ready || c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			out.Pending = excerpt(cmp.Or(c.Message, c.Reason), keptMessage)
		}
	}
	for _, c := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
		if ill, is := illOf(&c); is {
			out.Ills = append(out.Ills, ill)
		}
	}
	for _, c := range p.Status.ContainerStatuses {
		if c.State.Running == nil {
			continue
		}
		if out.Started.IsZero() {
			out.Started = c.State.Running.StartedAt.UTC()
		}
		out.Runs = append(out.Runs, ContainerRun{c.Name, c.State.Running.StartedAt.UTC()})
	}
	for _, ip := range p.Status.PodIPs {
		out.IPs = append(out.IPs, ip.IP)
	}
	return out
}

// illOf reports what is wrong with a container; a container that has just been made waits for its turn.
func illOf(c *corev1.ContainerStatus) (ContainerIll, bool) {
	out := ContainerIll{Name: c.Name, Restarts: int(c.RestartCount)}
	if w := c.State.Waiting; w != nil && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing" {
		out.Waiting = w.Reason
	}
	ended := c.LastTerminationState.Terminated
	if now := c.State.Terminated; now != nil && now.ExitCode != 0 {
		ended = now
	}
	if ended != nil {
		out.Ended, out.ExitCode, out.EndedAt = ended.Reason, int(ended.ExitCode), ended.FinishedAt.UTC()
	}
	return out, out.Waiting != "" || out.Restarts > 0 || ended != nil
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

func serviceFrom(s *corev1.Service, loc Location) Service {
	out := Service{Object: objectFrom("v1", "Service", &s.ObjectMeta, loc), External: s.Spec.Type == corev1.ServiceTypeExternalName}
	for _, p := range s.Spec.Ports {
		out.Ports, out.Names = append(out.Ports, p.Port), append(out.Names, p.Name)
	}
	return out
}
