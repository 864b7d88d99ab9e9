package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// patience is for how long a pod may be pending without a word from anybody.
const patience = 10 * time.Minute

// PendingUnexplained is a pod of which nothing that was seen says why it has not started.
type PendingUnexplained struct {
	Waiting
}

// Mechanism returns its ID.
func (PendingUnexplained) Mechanism() cause.ID { return "pending-unexplained" }

func (d PendingUnexplained) alike(string) waitingDetail {
	return PendingUnexplained{Waiting: d.since()}
}

func pendingUnexplained(w *waiter) cause.Cause {
	class := cause.SlowButProgressing
	if w.For >= patience {
		class = cause.Unknown
	}
	c := w.cause(class, w.byContainers(), PendingUnexplained{Waiting: w.Waiting})
	c.Certainty = check.Likely
	return c
}
