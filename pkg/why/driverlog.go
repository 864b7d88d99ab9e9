package why

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// driverLog is what the log of the driver says of its progress: what only together with the state of the pod has a meaning.
type driverLog struct {
	logs.Ending
	seen  bool
	clock logs.Clock
}

func read(v *mechanism.View) driverLog {
	l := logOfDriver(v)
	if l == nil {
		return driverLog{}
	}
	clock := logs.ClockOf(v.Evidence, l)
	return driverLog{Ending: logs.Digest(l, clock), seen: true, clock: clock}
}

// logOfDriver is the last that was read of the container of Spark; nil: none was.
func logOfDriver(v *mechanism.View) *app.Log {
	if v.Driver == nil {
		return nil
	}
	at := -1
	for i := range v.Logs {
		if l := &v.Logs[i]; l.Pod == v.Driver.Name && l.Container == mechanism.MainName(v.Driver) && !l.Previous {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	return &v.Logs[at]
}

// zone says that the times of the log were put right.
func (l driverLog) zone() []string {
	if l.clock.Ahead == 0 {
		return nil
	}
	sign, ahead := "+", l.clock.Ahead
	if ahead < 0 {
		sign, ahead = "-", -ahead
	}
	return []string{fmt.Sprintf("the driver's log is in UTC%s%02d:%02d by the start of its container; its times are shown in UTC", sign,
		int(ahead.Hours()), int(ahead.Minutes())%60)}
}

// progresses reports whether tasks finished lately.
func (l driverLog) progresses(v *mechanism.View) bool {
	return !l.TasksAt.IsZero() && v.Now.Sub(l.TasksAt) < 10*time.Minute
}

// works adds to a verdict that all is well what the driver is at.
func (l driverLog) works(v *mechanism.View, verdict *cause.Cause) {
	if verdict.Class != cause.RunningNormally && verdict.Class != cause.SlowButProgressing || v.Serves() {
		return
	}
	l.explains(v, verdict)
	if l.seen && l.Commits != "" && v.DriverRuns() {
		verdict.Message += fmt.Sprintf("; all tasks of its last job finished, and the driver has been committing the output for %s, on an "+
			"object store one file after the other", v.Age(l.CommitsAt))
		verdict.Evidence = append(verdict.Evidence, cause.Proof{Object: mechanism.Ref(v.Driver), Field: "log " + mechanism.MainName(v.Driver),
			Value: l.Commits, At: l.CommitsAt})
		verdict.Next = append(verdict.Next, command.Do("if this takes too long: use a committer that does not rename (the S3A committers, or a "+
			"table format), and write fewer files"))
	}
	if l.idle(v) {
		verdict.Message += fmt.Sprintf("; its last job finished %s ago, and none has begun since", v.Age(l.WroteAt))
		verdict.Evidence = append(verdict.Evidence, cause.Proof{Object: mechanism.Ref(v.Driver), Field: "log " + mechanism.MainName(v.Driver),
			Value: l.Wrote, At: l.WroteAt})
		verdict.Next = append(verdict.Next, command.Do("if that was all its work, the program does not end: call SparkContext.stop at the end "+
			"of main, and see what it waits for").With("kubectl -n %s exec %s -- jstack 1", v.Driver.Namespace, v.Driver.Name))
	}
	if l.Stage == (logs.Stage{}) {
		return
	}
	verdict.Message += fmt.Sprintf("; %s in %s", words.Stage(l.Stage), duration.HumanDuration(v.Now.Sub(l.StageAt)))
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
	if l.Lost == nil || !strings.Contains(verdict.Message, mechanism.Unsaid) {
		return
	}
	why := "; by the driver's log " + words.Lost(l.Lost.Lost)
	if limit := v.LimitText("executor"); l.Lost.Reason.OfMemory() && limit != "" {
		why += ": " + limit
		verdict.Next = append(verdict.Next, command.Do("raise executor.memoryOverhead, or hold less beside the heap"))
	}
	verdict.Message = strings.Replace(verdict.Message, mechanism.Unsaid, why, 1)
	verdict.Evidence = append(verdict.Evidence, cause.Proof{Object: mechanism.Ref(v.Driver), Field: "log " + mechanism.MainName(v.Driver),
		Value: l.Lost.Line, At: l.Lost.At})
}

// idle reports whether a driver that runs has had no job for a while: a program that is done and does not end, or one that works without
// Spark.
func (l driverLog) idle(v *mechanism.View) bool {
	return l.seen && l.Between && v.DriverRuns() && !v.IsConnect() && !l.WroteAt.IsZero() && v.Now.Sub(l.WroteAt) > idleFor &&
		!strings.HasPrefix(v.Spec("mainClass"), "org.apache.") // HiveThriftServer2, Livy
}

// stoppedBy says that the kubelet stopped a pod, where an event tells so: also "Killing" is said of a container that fails its probe
// (pkg/kubelet/kuberuntime/kuberuntime_container.go of kubernetes@v1.36.3, killContainer).
func stoppedBy(v *mechanism.View, pod snapshot.Ref) string {
	for i := range v.Events {
		if e := &v.Events[i]; e.Reason == "Killing" && e.Involved.Kind == "Pod" && e.Involved.Name == pod.Name &&
			strings.HasPrefix(e.Message, "Stopping container ") {
			return " (the kubelet was told to end its pod: " + e.Message + ")"
		}
	}
	return ""
}

// causes are those that need both the log and the state of the pod.
func (l driverLog) causes(v *mechanism.View) []cause.Cause {
	if out := slices.Concat(l.alone(v), l.unregistered(v), l.refused(v), l.unconnected(v), l.unexplained(v)); len(out) > 0 {
		return out
	}
	if l.seen && l.Entrypoint != "" && !l.Info {
		pod := mechanism.Ref(v.Driver)
		return []cause.Cause{{Class: cause.Image, Certainty: check.Likely, Subject: pod, Trust: cause.ByContainer,
			Message: fmt.Sprintf("the driver's image does not start Spark: its entrypoint starts %s, as that of the operator's image does",
				l.Entrypoint),
			Evidence: []cause.Proof{{Object: pod, Field: "log " + mechanism.MainName(v.Driver), Value: "exec " + l.Entrypoint + " driver"}},
			Next:     []command.Command{command.Do("use an image of Spark, or one that keeps Spark's entrypoint")}}}
	}
	if !l.seen || l.Stopped == "" || !l.WorkDone || l.Wrote == "" {
		return nil
	}
	pod := mechanism.Ref(v.Driver)
	field := "log " + mechanism.MainName(v.Driver)
	proofs := []cause.Proof{{Object: pod, Field: field, Value: l.Stopped, At: l.Ended}}
	if l.Wrote != "" {
		proofs = append(proofs, cause.Proof{Object: pod, Field: field, Value: l.Wrote, At: l.WroteAt})
	}
	for _, line := range l.After {
		proofs = append(proofs, cause.Proof{Object: pod, Field: field, Value: line})
	}
	c := mechanism.Container(v.Driver)
	t := mechanism.Termination(v.Driver)
	switch {
	case c != nil && c.State.Running != nil && !l.Ended.IsZero() && v.Now.Sub(l.Ended) > 10*time.Minute:
		ago := v.Age(l.Ended)
		return []cause.Cause{{Class: cause.CodeFailed, Certainty: check.Likely, Subject: pod, At: l.Ended, Trust: cause.ByContainer,
			Evidence: proofs,
			Message: fmt.Sprintf("the job finished and stopped its SparkContext %s ago, but the driver's process does not exit (hang): most "+
				"likely a thread that is no daemon still runs, and the log does not say which", ago),
			Next: []command.Command{command.Do("take a thread dump to find the thread").With("kubectl -n %s exec %s -- jstack 1", pod.Namespace,
				pod.Name),
				command.Do("end the main method with System.exit, or stop the thread pool that it started")}}}
	case t != nil && (t.ExitCode == 143 || t.ExitCode == 137 && t.Reason != "OOMKilled"):
		late := ""
		if d := t.FinishedAt.Sub(l.Ended); !l.Ended.IsZero() && d > 0 {
			late = " " + duration.HumanDuration(d)
		}
		return []cause.Cause{{Class: cause.ObserverMissed, Subject: pod, At: t.FinishedAt.UTC(), Trust: cause.ByContainer,
			Evidence: append(proofs, cause.Proof{Object: pod, Field: "status.containerStatuses",
				Value: t.Reason + " (exit code " + strconv.Itoa(int(t.ExitCode)) + ")"}),
			Message: fmt.Sprintf("the job had finished and stopped its SparkContext%s before the driver was terminated%s; exit code %d is only "+
				"the signal (SIGTERM) of that, and the operator recorded it as a failure",
				late, stoppedBy(v, pod), t.ExitCode),
			Next: []command.Command{command.Do("take the result as good, and end the driver with System.exit so that it does not outlive its " +
				"work")}}}
	default:
		return nil
	}
}
