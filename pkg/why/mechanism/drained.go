package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Drain is a pod that was evicted through the API, as those do who drain a node: the condition DisruptionTarget says so, and events say who
// it was (kubernetes pkg/registry/core/pod/storage/eviction.go@v1.36.3). The kubelet's own is an Eviction.
type Drain struct {
	Removal

	Interrupted Interruption // for which it was drained; zero: for something else, or nothing tells
	Spot        Spot         // of a driver whose node was taken back
}

// Mechanism names what was found.
func (Drain) Mechanism() cause.ID { return "drained" }

func driverDrained(v *View, p *corev1.Pod, end End) cause.Cause {
	d := Drain{Removal: v.removed(p, end)}
	var told, seen []cause.Proof
	for _, e := range v.eventsOn("Pod", p.Name, "Evicted") { // of who asked for it: an autoscaler or a descheduler
		d.Asked = true
		d.By, d.Says = e.Source, e.Message
		seen = append(seen, cause.Proof{Object: Ref(p), Field: "event Evicted", Value: e.Message, At: e.Last})
		d.Interrupted, told = v.interruption(p.Name, e)
	}
	if d.Interrupted.Spot {
		d.Spot = onDemand(v.spot(p))
	}
	c := v.endedBy(end, d, 0, seen...)
	c.Evidence = append(told, c.Evidence...)
	return c
}

func goneDrained(v *View, e app.Event, pod string) cause.Cause {
	d := Drain{Removal: v.goneRemoval(e, pod)}
	interrupted, told := v.interruption(pod, e)
	if d.Interrupted = interrupted; interrupted.Spot {
		d.Spot = onDemand(v.chosenSpot())
	}
	c := v.goneBy(e, pod, d, 0, v.nodeEvents(d.Node, "DisruptionTerminating")...)
	c.Evidence = append(told, c.Evidence...)
	return c
}
