package failures

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// end is how a run ended, as far as what a scan lists tells.
type end struct {
	class     cause.Class
	fault     check.Kind
	key       string // the same for runs that ended for one cause: it holds no times and no amounts
	text      string
	certainty check.Certainty
	alike     bool // it names a cause: several runs that end so have it in common
	platform  bool // the operator's own part in it may be at fault
	evidence  []check.Evidence
	related   []snapshot.Ref
	next      []check.Command // what it asks for, as far as it is known
}

// Why a run failed.
const (
	outOfMemory check.Kind = "out of memory"
	evicted     check.Kind = "evicted"
	preempted   check.Kind = "preempted"
	drained     check.Kind = "drained"
	nodeLost    check.Kind = "node lost"
	deadline    check.Kind = "deadline"
	rejected    check.Kind = "rejected"
	initFailed  check.Kind = "init container"
	notStarted  check.Kind = "not started"
	deleted     check.Kind = "deleted"
	signalled   check.Kind = "signal"
	exited      check.Kind = "exited"
	untold      check.Kind = "untold"
)

// witness tells how applications ended.
type witness struct {
	s        *snapshot.Snapshot
	messages *mechanism.Messages
}

// end returns how a failed application ended. A driver that was not found is SD3005's, a driver that contradicts SD8004's.
func (w *witness) end(app *snapshot.SparkApplication) (end, bool) {
	driver := driverOf(w.s, app)
	said := w.messages.Read(app.ErrorMessage, app.State == "SUBMISSION_FAILED" || app.NeverSubmitted())
	switch {
	case said.Submission:
		if app.Refusal != "" { // of a long message, what the API server answered
			killed := said.Killed
			said = w.messages.Read(app.Refusal, true)
			said.Killed = killed
		}
		return submission(app, &said), true
	case contradicts(app, driver), driver == nil && notFound(app):
		return end{}, false
	case driver != nil:
		if e, told := podEnd(driver); told {
			return e, true
		}
	}
	return recordedEnd(app, said.Driver), true
}

// notFound reports whether the operator gave the application up because it did not find the driver (size.recordedLost).
func notFound(app *snapshot.SparkApplication) bool {
	return strings.EqualFold(app.ErrorMessage, "driver pod not found")
}

// driverOf returns the driver of the last submission, or nil: pods of earlier ones have its name, too.
func driverOf(s *snapshot.Snapshot, app *snapshot.SparkApplication) *snapshot.Pod {
	driver := facts.DriverOf(s, app)
	if driver == nil || facts.DriverElsewhere(app) {
		return nil
	}
	if id := driver.SubmissionID(); app.SubmissionID != "" && id != "" && id != app.SubmissionID {
		return nil
	}
	return driver
}

// driverContainer is the container of Spark in a driver, by which the operator judges it (pkg/common/spark.go@v2.5.2).
func driverContainer(driver *snapshot.Pod) *snapshot.ContainerProblem {
	return driver.Trouble.Container(snapshot.SparkContainers(facts.DriverRole)...)
}

// podEnd is what the driver's pod tells: its container, and what ended the pod from outside.
func podEnd(driver *snapshot.Pod) (end, bool) {
	if driver.Trouble == nil {
		return end{}, false
	}
	main := driverContainer(driver)
	seen, ended := mechanism.PodEnd(app.NarrowPod(driver))
	var e end
	switch {
	case ended && seen.Why.Kind == mechanism.OOMKilled:
		e = oomKilled()
	case ended && seen.Trust == cause.ByPod:
		e = fromOutside(seen.Why, seen.Reason, cmp.Or(seen.Message, driver.Trouble.Message))
	case driver.Phase == "Failed" && !ended && failedInit(driver.Trouble) != nil:
		c := failedInit(driver.Trouble)
		e = end{class: cause.Configuration, fault: initFailed, certainty: check.Likely, alike: true, key: string(initFailed) + " " + c.Name,
			text: fmt.Sprintf("init container %q of the driver failed, %s, so Spark never started", c.Name, facts.ContainerEnd(c))}
		main, e.next = c, []check.Command{check.Logs("read what the init container logged", driver.Ref, c.Name, false)}
	case ended && deletedBefore(driver, main):
		e = end{class: cause.StoppedByUser, fault: deleted, certainty: check.Likely, key: string(deleted),
			text: fmt.Sprintf("the driver pod was deleted while it ran (exit code %d)", seen.Code)}
	case ended:
		e = exitedWith(seen.Code, main.Reason)
	default:
		return end{}, false
	}
	e.evidence, e.related = facts.PodEndEvidence(driver, main), []snapshot.Ref{driver.Ref}
	return e, true
}

// failedInit returns the init container that kept Spark from starting; nil: none.
func failedInit(t *snapshot.PodProblem) *snapshot.ContainerProblem {
	for i := range t.Containers {
		if c := &t.Containers[i]; c.Init && c.Ended {
			return c
		}
	}
	return nil
}

// deletedBefore reports whether a driver got its signal because its pod was deleted. The time of a deletion is when its grace period is
// over, which is 30 seconds as a rule; whoever evicts a pod leaves a condition (kubernetes@v1.36.3 pkg/registry/core/pod/storage/
// eviction.go).
func deletedBefore(driver *snapshot.Pod, main *snapshot.ContainerProblem) bool {
	return driver.Terminating() && mechanism.MeaningOf(main.ExitCode, main.Reason) == mechanism.BySignal &&
		main.Finished.After(driver.Deleted().Add(-time.Minute))
}

// recordedEnd is what the operator wrote of a driver that is gone.
func recordedEnd(app *snapshot.SparkApplication, driver *mechanism.ContainerEnd) end {
	switch {
	case driver != nil && driver.Reason == snapshot.OOMKilled:
		return oomKilled()
	case driver != nil:
		return exitedWith(driver.Code, driver.Reason)
	case app.ErrorMessage == "":
		return end{class: cause.Unknown, fault: untold, key: string(untold), certainty: check.Likely, text: "the operator recorded no reason"}
	default:
		return end{class: cause.Unknown, fault: untold, key: string(untold) + " " + app.ErrorMessage, certainty: check.Likely,
			text: "the operator recorded only: " + phrase.OneLine(app.ErrorMessage, keptText)}
	}
}

// keptText bounds what a message quotes.
const keptText = 200

func oomKilled() end {
	return end{class: cause.ClusterKilled, fault: outOfMemory, alike: true, key: string(outOfMemory),
		next: []check.Command{command.Do("raise spec.driver.memoryOverhead, or spec.driver.memory if its heap is full")},
		text: "the driver exceeded its memory limit (OOMKilled, exit code 137)"}
}

// fromOutside is a driver that something else ended: why is one of the reasons of pkg/why/mechanism.
func fromOutside(why mechanism.EndReason, reason, message string) end {
	says := ""
	if message != "" {
		says = ": " + phrase.OneLine(message, keptText)
	}
	e := end{class: cause.ClusterKilled, alike: true}
	stay := []check.Command{command.Do("run drivers on nodes that stay while they run")}
	switch why.Kind {
	case mechanism.Evicted:
		shortage := mechanism.ShortageOf(message)
		e.next = []check.Command{words.Terms{}.EvictionNext(cause.DriverRole, shortage)}
		e.fault = evicted
		e.text = "the kubelet evicted the driver" + says
		e.key = "evicted"
		if shortage == mechanism.OwnDisk {
			e.key = "evicted over a limit of its own"
		}
		return e
	case mechanism.Preempted:
		e.next = []check.Command{words.Terms{}.PriorityNext(cause.DriverRole)}
		e.fault, e.text = preempted, fmt.Sprintf("the driver was preempted for a pod of higher priority (%s)", reason)
	case mechanism.Drained:
		e.next = stay
		e.fault = drained
		e.text = fmt.Sprintf("the driver was evicted from its node, as by a drain (%s)", reason)
	case mechanism.NodeLost:
		e.next = stay
		e.fault = nodeLost
		e.text = fmt.Sprintf("the node of the driver was lost or shut down (%s)", reason)
	case mechanism.Deadline:
		e.next = []check.Command{command.Do("raise activeDeadlineSeconds in the template of the driver")}
		e.fault, e.text = deadline, "the driver ran longer than its activeDeadlineSeconds (DeadlineExceeded)"
	case mechanism.Rejected:
		e.next = []check.Command{command.Do("run it again: the node filled up between scheduling and start")}
		e.class = cause.Scheduling
		e.fault = rejected
		e.text = fmt.Sprintf("the kubelet rejected the driver (%s)%s", reason, says)
	default:
		return end{class: cause.Unknown, fault: untold, key: string(untold) + " " + reason, certainty: check.Likely,
			text: fmt.Sprintf("the driver pod failed (%s)%s", reason, says)}
	}
	e.key = string(e.fault)
	return e
}

// exitedWith is a driver whose process ended. Of the drivers that the recordings of the real node have exit with 1, four failed in their
// own code, the others for a class, a module, a heap, a quota or a permission. An exit code names a cause only where the container never
// ran: a program may use any of them.
func exitedWith(code int, reason string) end {
	e := end{class: cause.Unknown, fault: exited, certainty: check.Likely, key: fmt.Sprintf("%s %d", exited, code)}
	other := []check.Command{command.Do("use an image with the entrypoint of Spark, built for the CPU architecture of the nodes")}
	switch mechanism.MeaningOf(code, reason) {
	case mechanism.NeverRan:
		e = end{class: cause.Image, fault: notStarted, alike: true, key: string(notStarted) + " " + reason, next: other,
			text: fmt.Sprintf("the container of the driver could not be started (%s, exit code %d)", reason, code)}
	case mechanism.BySignal:
		e.fault = signalled
		e.text = fmt.Sprintf("the driver was killed by %s (exit code %d), and its status does not say who sent it",
			map[int]string{137: "SIGKILL", 143: "SIGTERM"}[code], code)
	case mechanism.CommandMissing:
		e.class = cause.Image
		e.fault = notStarted
		e.next = other
		e.text = fmt.Sprintf("the driver exited with code %d: the image most likely lacks the command, or cannot run it", code)
	case mechanism.ClassMissing:
		e.class = cause.Configuration
		e.text = "the driver exited with code 101: spark-submit did not find the main class"
	default:
		e.text = fmt.Sprintf("the driver exited with code %d: an error of the job, a wrong setting or a missing permission; its log says which",
			code)
	}
	return e
}
