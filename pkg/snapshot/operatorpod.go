package snapshot

import (
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
}

// ContainerRun is the current run of a container.
type ContainerRun struct {
	Name    string
	Started time.Time
}

func operatorPodFrom(p *corev1.Pod, loc Location) OperatorPod {
	out := OperatorPod{Object: objectFrom("v1", "Pod", &p.ObjectMeta, loc), Phase: string(p.Status.Phase)}
	for _, c := range p.Status.Conditions {
		out.Ready = out.Ready || c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
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

// Service is a Service that a webhook calls.
type Service struct {
	Object
	Ports    []int32
	External bool // type ExternalName: no endpoints belong to it
}

func serviceFrom(s *corev1.Service, loc Location) Service {
	out := Service{Object: objectFrom("v1", "Service", &s.ObjectMeta, loc), External: s.Spec.Type == corev1.ServiceTypeExternalName}
	for _, p := range s.Spec.Ports {
		out.Ports = append(out.Ports, p.Port)
	}
	return out
}
