package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// OwnerElsewhere is an application that the garbage collector deleted, or will, for an owner in another namespace. It looks for an owner
// in the namespace of what is owned (pkg/controller/garbagecollector/graph_builder.go@v1.36.3).
type OwnerElsewhere struct {
	Says string // by the garbage collector
	// Stays says that the application was still there when it was read.
	Stays bool
}

// Mechanism names what was found.
func (OwnerElsewhere) Mechanism() cause.ID { return "owner-elsewhere" }

func collected(v *View) []cause.Cause {
	var out []cause.Cause
	for _, e := range v.Events {
		stays := v.applicationStays()
		if e.Reason != "OwnerRefInvalidNamespace" || e.Involved.Kind == "Pod" || stays && !collectedSoon(v, e.Last) {
			continue
		}
		c := cause.Cause{Class: cause.Configuration, Role: cause.SubmissionRole, Detail: OwnerElsewhere{e.Message, stays},
			Subject: e.Involved, Trust: cause.ByEvent, At: e.First,
			Evidence: []cause.Proof{{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last}}}
		if stays {
			c.Certainty = check.Likely
		}
		out = append(out, c)
	}
	return out
}

// soon is how long an application is seen that the garbage collector has found without an owner: it deletes such within seconds.
const soon = 2 * time.Minute

// collectedSoon reports whether an application that was seen after such an event has no other owner that would keep it, and its driver was
// stopped.
func collectedSoon(v *View, at time.Time) bool {
	ended := v.eventsOn("Pod", v.DriverName, "Killing")
	return len(v.Application.OwnerReferences) == 1 && v.Driver == nil && len(ended) > 0 && ended[len(ended)-1].Last.Sub(at).Abs() < soon
}
