package why

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// driverLog is what the log of the driver says of its progress: what only together with the state of the pod has a meaning.
type driverLog struct{ mechanism.Work }

// zone says that the times of the log were put right.
func (l driverLog) zone() []string {
	if l.Clock.Ahead == 0 {
		return nil
	}
	sign, ahead := "+", l.Clock.Ahead
	if ahead < 0 {
		sign, ahead = "-", -ahead
	}
	return []string{fmt.Sprintf("the driver's log is in UTC%s%02d:%02d by the start of its container; its times are shown in UTC", sign,
		int(ahead.Hours()), int(ahead.Minutes())%60)}
}

// works adds to a verdict that all is well what the driver is at.
func (l driverLog) works(v *mechanism.View, verdict *cause.Cause) {
	if verdict.Class != cause.RunningNormally && verdict.Class != cause.SlowButProgressing || v.Serves() {
		return
	}
	l.explains(v, verdict)
	if l.Seen && l.Commits != "" && v.DriverRuns() {
		verdict.Message += fmt.Sprintf("; all tasks of its last job finished, and the driver has been committing the output for %s, on an "+
			"object store one file after the other", v.Age(l.CommitsAt))
		verdict.Evidence = append(verdict.Evidence, cause.Proof{Object: mechanism.Ref(v.Driver), Field: "log " + mechanism.MainName(v.Driver),
			Value: l.Commits, At: l.CommitsAt})
		verdict.Next = append(verdict.Next, command.Do("if this takes too long: use a committer that does not rename (the S3A committers, or a "+
			"table format), and write fewer files"))
	}
	if v.Idle() {
		verdict.Message += fmt.Sprintf("; its last job finished %s ago, and none has begun since", v.Age(l.WroteAt))
		verdict.Evidence = append(verdict.Evidence, cause.Proof{Object: mechanism.Ref(v.Driver), Field: "log " + mechanism.MainName(v.Driver),
			Value: l.Wrote, At: l.WroteAt})
		verdict.Next = append(verdict.Next, command.Do("if that was all its work, the program does not end: call SparkContext.stop at the end "+
			"of main, and see what it waits for").With("kubectl -n %s exec %s -- jstack 1", v.Driver.Namespace, v.Driver.Name))
	}
	if l.Stage == "" {
		return
	}
	verdict.Message += fmt.Sprintf("; %s in %s", l.Stage, duration.HumanDuration(v.Now.Sub(l.StageAt)))
	if since := v.Now.Sub(l.Last); l.TasksAt.After(l.StageAt) && since > quietFor && v.Now.Sub(l.TasksAt) > quietFor {
		verdict.Certainty = check.Likely
		verdict.Message += fmt.Sprintf(", none of them in the last %s, in which the driver wrote nothing", duration.HumanDuration(
			min(since, v.Now.Sub(l.TasksAt))))
	}
}

// quietFor is from when on it is said that a stage gets no further by what its driver writes.
const quietFor = 10 * time.Minute

// explains says why executors failed whose pods are gone, where the driver was told.
func (l driverLog) explains(v *mechanism.View, verdict *cause.Cause) {
	if l.Lost.Says == "" || !strings.Contains(verdict.Message, mechanism.Unsaid) {
		return
	}
	why := "; by the driver's log " + l.Lost.Says
	if limit := v.LimitText("executor"); l.Lost.OfMemory && limit != "" {
		why += ": " + limit
		verdict.Next = append(verdict.Next, command.Do("raise executor.memoryOverhead, or hold less beside the heap"))
	}
	verdict.Message = strings.Replace(verdict.Message, mechanism.Unsaid, why, 1)
	verdict.Evidence = append(verdict.Evidence, cause.Proof{Object: mechanism.Ref(v.Driver), Field: "log " + mechanism.MainName(v.Driver),
		Value: l.Lost.Line, At: l.Lost.At})
}
