package mechanism

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// OwnerElsewhere is an application that the garbage collector deleted, or will, for an owner in another namespace. It looks for an owner
// in the namespace of what is owned (pkg/controller/garbagecollector/graph_builder.go@v1.36.3).
type OwnerElsewhere struct {
	Says string // by the garbage collector
}

// Mechanism names what was found.
func (OwnerElsewhere) Mechanism() cause.ID { return "owner-elsewhere" }

func collected(v *View) []cause.Cause {
	var out []cause.Cause
	for _, e := range v.Events {
		if e.Reason != "OwnerRefInvalidNamespace" || e.Involved.Kind == "Pod" || v.applicationStays() {
			continue
		}
		out = append(out, cause.Cause{Class: cause.Configuration, Role: cause.SubmissionRole, Detail: OwnerElsewhere{Says: e.Message},
			Subject: e.Involved, Trust: cause.ByEvent, At: e.First,
			Evidence: []cause.Proof{{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last}}})
	}
	return out
}
