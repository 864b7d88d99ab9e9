package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ExecutorsUnregistered is about executors whose processes run for minutes while none has reached the driver, whose job complains of that
// (core/src/main/scala/org/apache/spark/scheduler/TaskSchedulerImpl.scala@v3.5.5). Executors that have just started look alike, and so does
// a log that was cut where they registered: both are left out. So is one whose last complaint is old: Spark repeats it every 15 s
// (spark.starvation.timeout) until a task runs, so that the log ends before that.
type ExecutorsUnregistered struct {
	Running int           // executors that run for at least two minutes
	Longest time.Duration // of these
}

// Mechanism names it.
func (ExecutorsUnregistered) Mechanism() cause.ID { return "executors-unregistered" }

func executorsUnregistered(v *View) []cause.Cause {
	if !v.Starves() || !v.Work.Unreached || !v.DriverRuns() || v.Now.Sub(v.Work.StarvedAt) > registers {
		return nil
	}
	n, longest := runningSince(v, registers)
	if n == 0 {
		return nil
	}
	pod := Ref(v.Driver)
	return []cause.Cause{{Class: cause.Network, Certainty: check.Likely, Role: cause.ExecutorRole, Subject: pod, At: v.Work.StarvedAt,
		Trust: cause.ByCondition, Detail: ExecutorsUnregistered{Running: n, Longest: longest},
		Evidence: []cause.Proof{{Object: pod, Field: v.logField(), Value: v.Work.Starved, At: v.Work.StarvedAt}}}}
}
