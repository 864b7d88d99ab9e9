package snapshot

import (
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
)

// Lease is what replicas compete for to lead.
type Lease struct {
	Object
	Holder   string // the identity of the replica that leads, such as its pod's name and a UUID; empty if nobody does
	Renewed  time.Time
	Duration time.Duration // how long after Renewed others leave it to the holder
}

func leaseFrom(l *coordinationv1.Lease, loc Location) Lease {
	out := Lease{Object: objectFrom("coordination.k8s.io/v1", "Lease", &l.ObjectMeta, loc)}
	if l.Spec.HolderIdentity != nil {
		out.Holder = *l.Spec.HolderIdentity
	}
	if l.Spec.RenewTime != nil {
		out.Renewed = l.Spec.RenewTime.UTC()
	}
	if l.Spec.LeaseDurationSeconds != nil {
		out.Duration = time.Duration(*l.Spec.LeaseDurationSeconds) * time.Second
	}
	return out
}
