package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// StillRuns is a driver that runs although the operator recorded that the application failed: it looked before the driver was there
// (#2302), or could not see it. A node that is lost shows its pods as running, too; what tells of that comes first.
type StillRuns struct {
	State     string
	Says      string // what the operator recorded
	For       time.Duration
	Executors int           // that run
	Created   time.Duration // after the operator gave up; 0: before
}

// Mechanism names what was found.
func (StillRuns) Mechanism() cause.ID { return "still-runs" }

func stillRuns(v *View) []cause.Cause {
	if !v.saysFailed() || !v.DriverRuns() || v.Driver.DeletionTimestamp != nil || v.Unsubmitted() {
		return nil
	}
	if v.Recorded.Driver != nil {
		return nil // it saw a driver end: of an earlier run
	}
	created := v.Driver.CreationTimestamp.Time
	d := StillRuns{State: v.State, Says: v.Message, For: v.Now.Sub(created), Executors: v.Running()}
	if !v.Ended.IsZero() && created.After(v.Ended) {
		d.Created = max(created.Sub(v.Ended), time.Second)
	}
	seen := append(v.stateProof(), cause.Proof{Object: Ref(v.Driver), Field: "status.phase", Value: string(v.Driver.Status.Phase)})
	return []cause.Cause{{Class: cause.ObserverMissed, Role: cause.ExecutorRole, Detail: d, Subject: Ref(v.Driver), Trust: cause.ByOperator,
		At: v.Ended.UTC(), Evidence: v.alsoRecorded(seen...)}}
}
