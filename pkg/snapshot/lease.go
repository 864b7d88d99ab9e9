package snapshot

import (
	"time"
)

// Lease is what replicas compete for to lead.
type Lease struct {
	Object
	Holder   string // the identity of the replica that leads, such as its pod's name and a UUID; empty if nobody does
	Renewed  time.Time
	Duration time.Duration // how long after Renewed others leave it to the holder
}

func (l *Lease) dates(see func(time.Time)) { see(l.Renewed) }
