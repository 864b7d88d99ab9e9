package check

import (
	"time"
)

// Params are the thresholds and grace periods of a run.
type Params struct {
	StuckAfter    time.Duration // how long an object may be terminating
	MaxObjectSize int           // etcd's limit for one request in bytes
	NewAfter      time.Duration // how long an application counts as new, so that its parts may be missing
	SettleAfter   time.Duration // how long a controller may take: the garbage collector, or a rollout
	CertWarn      time.Duration // how long before its end a certificate is worth a warning
	KeepExecutors int           // entries of executors that ended which a repair of status.executorState leaves
	FinishedAfter time.Duration // how long ago an application must have ended to count as left over
	PileUp        int           // how many of those in a namespace are too many

	SubmittedAfter  time.Duration // how long a submitted application may wait for its driver, or a driver for executors
	TransitionAfter time.Duration // how long the operator may take from one state of an application to the next

	Restarts      int // how often a container of the operator may start again: a node that went or a lost lease makes one
	Backlog       int // how many applications may wait for an operator that works: fewer may each have a reason of their own
	LostExecutors int // how many executors an application may lose: nodes go
	OOMExecutors  int // how many of them for want of memory: fewer are a bad partition of the data

	FailedWithin time.Duration // how long ago an application may have failed to be told

	Upgrade *Upgrade // what a gate asks about; nil in a scan
}

// DefaultParams returns the defaults of the flags. etcd's limit is --max-request-bytes, 1.5 MiB
// (etcd.io/docs/latest/dev-guide/limit).
func DefaultParams() Params {
	return Params{
		StuckAfter: 10 * time.Minute, MaxObjectSize: 3 << 19, NewAfter: 5 * time.Minute, SettleAfter: time.Minute, CertWarn: 30 * 24 * time.Hour,
		KeepExecutors: 100,
		FinishedAfter: 7 * 24 * time.Hour, PileUp: 100,
		SubmittedAfter: 10 * time.Minute, TransitionAfter: 5 * time.Minute,
		Restarts: 3, Backlog: 10, LostExecutors: 10, OOMExecutors: 3,
		FailedWithin: 24 * time.Hour,
	}
}
