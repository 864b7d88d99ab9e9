package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TasksRefused is about a job that gets none of the executors that run and registered, by what the driver complains of: its tasks ask for
// more than an executor has, or another job has all of its slots. Which of them it is, the log does not say. The complaint is of
// core/src/main/scala/org/apache/spark/scheduler/TaskSchedulerImpl.scala@v3.5.5.
type TasksRefused struct {
	Running  int
	Complain string // line of the driver
}

// Mechanism names it.
func (TasksRefused) Mechanism() cause.ID { return "tasks-refused" }

func tasksRefused(v *View) []cause.Cause {
	if !v.Starves() || v.Work.Unreached || !v.DriverRuns() || v.Running() == 0 {
		return nil
	}
	pod := Ref(v.Driver)
	return []cause.Cause{{Class: cause.Unknown, Certainty: check.Proven, Effect: true, Role: cause.ExecutorRole, Subject: pod,
		At: v.Work.StarvedAt, Trust: cause.ByContainer, Detail: TasksRefused{Running: v.Running(), Complain: v.Work.Starved},
		Evidence: []cause.Proof{{Object: pod, Field: v.logField(), Value: v.Work.Starved, At: v.Work.StarvedAt}}}}
}
