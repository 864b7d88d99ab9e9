package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// Straggler is a stage whose tasks have stopped to finish, where an executor keeps writing to disk what the last of them holds: it works,
// at far more data than the others had. A task that is blocked looks alike to the driver, and spills no more. Spark splits a partition that
// is much larger than the others where adaptive execution joins (docs/sql-performance-tuning.md@v3.5.5, Optimizing Skew Join).
type Straggler struct {
	Stage    logs.Stage
	Pod      snapshot.Ref
	Executor string // its number
	Spilling logs.Spilling
	For      time.Duration // it has been at the task
	Ago      time.Duration // it spilled last
	Adaptive string        // what the spec sets for adaptive execution; empty: nothing
}

// Mechanism names it.
func (Straggler) Mechanism() cause.ID { return "straggler" }

// AdaptiveExecution is ADAPTIVE_EXECUTION_ENABLED, by default true since 3.2 (sql/catalyst/src/main/scala/org/apache/spark/sql/internal/
// SQLConf.scala@v3.5.5).
const AdaptiveExecution = "spark.sql.adaptive.enabled"

const (
	spilledLately = 15 * time.Minute
	fewLeft       = 20 // of so many tasks, one
)

func straggler(v *View) []cause.Cause {
	w := &v.Work
	if !stalled(v) || (w.Stage.Of-w.Stage.Done)*fewLeft > max(w.Stage.Of, 2*fewLeft) {
		return nil
	}
	for i := range v.Logs {
		l := &v.Logs[i]
		p := v.Pod(l.Pod)
		if l.Role != "executor" || l.Previous || p == nil || l.Container != app.MainName(p) {
			continue
		}
		s, is := logs.SpillingOf(l, logs.ClockOf(v.Evidence, l), w.Stage.ID)
		if !is || s.Last.IsZero() || v.Now.Sub(s.Last) > spilledLately {
			continue
		}
		return []cause.Cause{{Class: cause.SlowButProgressing, Certainty: check.Likely, Role: cause.ExecutorRole, Subject: Ref(p), At: s.Last,
			Trust: cause.ByContainer, Detail: Straggler{Stage: w.Stage, Pod: Ref(p), Executor: executorID(v, l.Pod), Spilling: s,
				For: v.Now.Sub(s.Since), Ago: v.Now.Sub(s.Last), Adaptive: v.Spec.Conf[AdaptiveExecution]},
			Evidence: []cause.Proof{{Object: Ref(p), Field: "log " + l.Container, Value: s.Line, At: s.Last},
				{Object: Ref(v.Driver), Field: v.logField(), Value: w.Stage.String(), At: w.TasksAt}}}}
	}
	return nil
}
