package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Descheduling is an eviction by the descheduler, which moves pods and keeps their nodes: by the source of its events, as the API server
// records the same for it as for a drain. Its source is that of pkg/descheduler/evictions/evictions.go@v0.31.0.
type Descheduling struct{ Removal }

// Mechanism names what was found.
func (Descheduling) Mechanism() cause.ID { return "descheduled" }

func goneDescheduled(v *View, e app.Event, pod string) cause.Cause {
	return v.goneBy(e, pod, Descheduling{v.goneRemoval(e, pod)}, 0, v.nodeEvents(v.nodeOf(pod), "DisruptionTerminating")...)
}
