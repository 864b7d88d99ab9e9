package casefile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/evidence"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/objects"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// driverLog is what the log of the driver says of its progress: what only together with the state of the pod has a meaning.
type driverLog struct {
	seen      bool
	stopped   string // the line that tells of an orderly end of the SparkContext
	stoppedAt time.Time
	after     []string // what came after it, at most three lines
	committed string   // the last line that tells of a finished job or a committed write
	exitCode  string   // that SparkContext gave for its end; empty: it did not
	tasks     string   // "153/480" of the last task that finished
	tasksAt   time.Time
	exception bool // an uncaught exception, a traceback, or a line of level ERROR
}

// Lines that Spark prints (core/src/main/scala/org/apache/spark/{SparkContext,scheduler/TaskSetManager,
// scheduler/DAGScheduler}.scala@v3.5.5, sql/core .../datasources/FileFormatWriter.scala@v3.5.5).
const (
	stoppedLine  = "Successfully stopped SparkContext"
	stoppingLine = "SparkContext is stopping with exitCode "
)

func finishedTask() *regexp.Regexp {
	return regexp.MustCompile(`Finished task \S+ in stage .*\((\d+)/(\d+)\)`)
}

func read(v *objects.View) driverLog {
	var out driverLog
	for i := range v.Logs {
		l := &v.Logs[i]
		if v.Driver != nil && l.Pod == v.Driver.Name && l.Container == objects.MainName(v.Driver) && !l.Previous {
			out = readDriver(l)
		}
	}
	return out
}

func readDriver(l *evidence.Log) driverLog {
	out := driverLog{seen: true}
	task := finishedTask()
	for line := range strings.Lines(l.Head + l.Tail) {
		line = strings.TrimRight(line, "\r\n")
		if out.stopped != "" && len(out.after) < 3 && !strings.Contains(line, "ShutdownHookManager") && line != "" {
			out.after = append(out.after, line)
		}
		switch {
		case strings.Contains(line, stoppedLine):
			out.stopped, out.stoppedAt, out.after = line, lineTime(line), nil
		case strings.Contains(line, stoppingLine):
			_, out.exitCode, _ = strings.Cut(line, stoppingLine)
			out.exitCode = strings.TrimRight(out.exitCode, ".")
		case strings.Contains(line, " committed. Elapsed time"), strings.Contains(line, "Job ") && strings.Contains(line, " finished: "):
			out.committed = line
		case strings.HasPrefix(line, "Traceback (most recent call last)"), strings.HasPrefix(line, "Exception in thread"),
			strings.Contains(line, " ERROR "):
			out.exception = true
		case strings.Contains(line, "Finished task"):
			if m := task.FindStringSubmatch(line); m != nil {
				out.tasks, out.tasksAt = m[1]+"/"+m[2], lineTime(line)
			}
		}
	}
	return out
}

// lineTime reads the time of a line in the layouts that Spark's own log4j configurations write (conf/log4j2.properties.template@v3.5.5),
// and in ISO 8601; drivers log in UTC unless told otherwise.
func lineTime(line string) time.Time {
	for _, layout := range []string{"06/01/02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if len(line) < len(layout) {
			continue
		}
		if at, err := time.Parse(layout, line[:len(layout)]); err == nil {
			return at
		}
	}
	return time.Time{}
}

// progresses reports whether tasks finished lately.
func (l driverLog) progresses(v *objects.View) bool {
	return !l.tasksAt.IsZero() && v.Now.Sub(l.tasksAt) < 10*time.Minute
}

// causes are those that need both the log and the state of the pod.
func (l driverLog) causes(v *objects.View) []cause.Cause {
	if !l.seen || l.stopped == "" || l.exitCode != "" && l.exitCode != "0" || l.exception {
		return nil
	}
	pod := objects.Ref(v.Driver)
	field := "log " + objects.MainName(v.Driver)
	proofs := []cause.Proof{{Object: pod, Field: field, Value: l.stopped, At: l.stoppedAt}}
	if l.committed != "" {
		proofs = append(proofs, cause.Proof{Object: pod, Field: field, Value: l.committed, At: lineTime(l.committed)})
	}
	for _, line := range l.after {
		proofs = append(proofs, cause.Proof{Object: pod, Field: field, Value: line})
	}
	c := objects.Container(v.Driver)
	t := objects.Termination(v.Driver)
	switch {
	case c != nil && c.State.Running != nil && !l.stoppedAt.IsZero() && v.Now.Sub(l.stoppedAt) > 10*time.Minute:
		ago := duration.HumanDuration(v.Now.Sub(l.stoppedAt))
		return []cause.Cause{{Class: cause.CodeFailed, Certainty: check.Likely, Subject: pod, At: l.stoppedAt, Trust: cause.ByContainer,
			Evidence: proofs,
			Message: fmt.Sprintf("the job finished and stopped its SparkContext %s ago, but the driver's process does not exit: a thread that "+
				"is no daemon still runs (hang)", ago),
			Next: []command.Command{command.Do("take a thread dump to find the thread").With("kubectl -n %s exec %s -- jstack 1", pod.Namespace,
				pod.Name),
				command.Do("end the main method with System.exit, or stop the thread pool that it started")}}}
	case t != nil && (t.ExitCode == 143 || t.ExitCode == 137 && t.Reason != "OOMKilled"):
		late := ""
		if d := t.FinishedAt.Sub(l.stoppedAt); !l.stoppedAt.IsZero() && d > 0 {
			late = " " + duration.HumanDuration(d)
		}
		return []cause.Cause{{Class: cause.ObserverMissed, Subject: pod, At: t.FinishedAt.UTC(), Trust: cause.ByContainer,
			Evidence: append(proofs, cause.Proof{Object: pod, Field: "status.containerStatuses",
				Value: t.Reason + " (exit code " + strconv.Itoa(int(t.ExitCode)) + ")"}),
			Message: fmt.Sprintf("the job had finished and stopped its SparkContext%s before the driver was terminated; exit code %d is only "+
				"the signal (SIGTERM) of that, and the operator recorded it as a failure",
				late, t.ExitCode),
			Next: []command.Command{command.Do("take the result as good, and end the driver with System.exit so that it does not outlive its " +
				"work")}}}
	default:
		return nil
	}
}
