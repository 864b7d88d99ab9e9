package words

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// outcomeWords are about how an application stands.
func (t Terms) outcomeWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.Completed:
		return completedWords(d), true
	case mechanism.StepFailed:
		return stepFailed(&d.Complaint), true
	case mechanism.MarkedFailed:
		return Phrase{fmt.Sprintf("marked %s although the driver exited with 0 (completed): the operator recorded %q", d.State,
			withoutLog(d.Says)),
			[]command.Command{command.Do("take the result as good, and ask whether a retry wrote it twice")}}, true
	case mechanism.Unrecorded:
		return unrecordedWords(c, d), true
	case mechanism.Running:
		return t.runningWords(d, ""), true
	case mechanism.ExecutorsFailing:
		return Phrase{fmt.Sprintf("%s failed one after another (%d requested), and why was not seen",
			phrase.Counted(d.Failed, "executor"), d.Asked), []command.Command{command.Do("%s, and read the log of an executor that failed",
			KeepExecutors(d.Keeps))}}, true
	case mechanism.ServiceGone:
		return Phrase{fmt.Sprintf("%s failed one after another, and the headless Service of the driver, by which executors find it, does not "+
			"exist", phrase.Counted(d.Failed, "executor")), []command.Command{command.Do("run the application again, which creates the Service, " +
			"and find out who deleted it")}}, true
	case mechanism.OwnerElsewhere:
		deleted := "the garbage collector deleted the application"
		if d.Stays {
			deleted = "the garbage collector deletes the application, whose driver was ended,"
		}
		return Phrase{deleted + " because its owner is not in its namespace: " + sentence(d.Says),
			[]command.Command{command.Do("create the application in the namespace of its owner, or without the owner reference (Argo: " +
				"setOwnerReference: false)")}}, true
	case mechanism.Finding:
		if d.Manifest {
			return Phrase{d.Says, []command.Command{command.Do("correct the manifest").With("kubectl sparkdoctor explain %s", d.Check)}}, true
		}
		return findingWords(&d), true
	default:
		return Phrase{}, false
	}
}

// findingWords says what a check found, and what it says is to be done first.
func findingWords(d *mechanism.Finding) Phrase {
	says := d.Says
	if d.Denied != "" {
		says += ", and the API server denied the last one"
	}
	do := command.Do("read what %s found and how to repair it", d.Check).With("kubectl sparkdoctor scan -n %s", d.Namespace)
	if d.Step.Do != "" {
		do = command.Command{Text: d.Step.Do, Line: d.Step.Line}
	}
	return Phrase{says, []command.Command{do}}
}

func stepFailed(c *logs.Complaint) Phrase {
	says, at := c.Line, "in that step"
	if c.Root != (logs.Throwable{}) {
		says = throwable(c.Root)
	}
	if c.Frame != (logs.Place{}) {
		at = "at " + c.Frame.String()
		says += " " + at
	}
	return Phrase{"the driver exited with 0, but a step that it ran failed: " + says,
		[]command.Command{command.Do("correct what failed %s, and let the driver exit with the step's exit code", at)}}
}

func completedWords(d mechanism.Completed) Phrase {
	p := Phrase{Says: "the application completed"}
	if d.Exited {
		p.Says = "the driver completed and exited with 0"
	}
	for _, name := range d.Sidecars {
		p.Says += fmt.Sprintf("; its pod still counts as running because sidecar %s does not exit", name)
	}
	if len(d.Sidecars) > 0 {
		if d.Waited {
			p.Says += ", and what started it waits for its pod to end"
		}
		p.Do = sidecarNext(d)
	}
	if d.Attempt > 1 {
		p.Says += fmt.Sprintf("; it was attempt %d, after %s that failed", d.Attempt, phrase.Counted(d.Attempt-1, "attempt"))
	}
	if d.Lost > 0 {
		p.Says += fmt.Sprintf("; %s lost on the way (%s), and Spark recomputed their part", phrase.Counted(d.Lost, "executor"), OfEnd(d.Why))
	}
	return p
}

func unrecordedWords(c *cause.Cause, d mechanism.Unrecorded) Phrase {
	says := fmt.Sprintf("still %s, but its driver completed (exit code 0)%s: the operator has not recorded the end",
		cmp.Or(d.State, "without a state"), ago(d.For))
	if d.Log != "" {
		says += "; its log says " + sentence(d.Log)
	}
	if d.Forbids {
		says += "; until then the schedule starts no further run (concurrencyPolicy Forbid)"
	}
	return Phrase{says, []command.Command{
		command.Do("see whether the operator runs and watches the namespace").With("kubectl sparkdoctor scan -n %s", c.Subject.Namespace),
		command.Do("take the result as good")}}
}

// unsaid is said of executors that failed where their pods are gone; the driver's log may know more.
const unsaid = ", and their pods are gone"

// runningWords say, if they can, why executors failed of which nothing is left.
func (t Terms) runningWords(d mechanism.Running, told string) Phrase {
	run := phrase.Counted(d.Executors, "executor")
	if d.Asked > 0 {
		run = fmt.Sprintf("%d of %d executors", d.Executors, d.Asked)
	}
	p := Phrase{Says: fmt.Sprintf("the driver and %s have been running%s", run, lasting(d.For))}
	switch {
	case d.Plain:
		p.Says = "the pod has been running" + lasting(d.For)
	case d.Executors == 0 && d.Asked == 0:
		p.Says = t.driver(d.Server) + " has been running" + lasting(d.For) + ", and no executor runs now"
	case d.Younger, d.Server != "":
		p.Says = t.driver(d.Server) + " has been running" + lasting(d.For) + ", with " + run + " now"
	}
	for _, s := range d.Sidecars {
		p.Says += fmt.Sprintf("; sidecar %s of the driver exited with %d", s.Name, s.Code)
	}
	if d.Failed > 0 && !d.Replaced {
		p.Says += fmt.Sprintf("; %s failed", phrase.Counted(d.Failed, "other executor"))
	}
	if d.Replaced {
		p.Says += fmt.Sprintf("; %s %s replaced", phrase.Counted(d.Failed, "lost executor"), phrase.Verb(d.Failed, "was", "were"))
	}
	switch {
	case d.Unsaid && told != "":
		p.Says += "; " + told
	case d.Unsaid:
		p.Says += unsaid
	case d.OOMKilled > 0:
		p.Says += fmt.Sprintf(", %d of them OOMKilled (137)", d.OOMKilled)
		p.Do = []command.Command{t.do("raise {executor.memoryOverhead}, or use more partitions or fewer {executor.cores}, so that each " +
			"task holds less")}
	}
	switch d.Work {
	case mechanism.WorkUnread:
		p.Says += "; its log was not read, so whether the job gets on was not seen"
	case mechanism.WorkUnshown:
		p.Says += "; its log shows no work in the last 10 min"
	}
	return p
}

// driver is what runs, where it is a server of Spark.
func (t Terms) driver(server string) string {
	if server != "" {
		return "the driver, a " + server + ","
	}
	return "the driver"
}

// scheduleWords are about schedules and what is between two runs.
func scheduleWords(c *cause.Cause) (Phrase, bool) {
	scan := command.Do("check the operator").With("kubectl sparkdoctor scan -n %s", c.Subject.Namespace)
	switch d := c.Detail.(type) {
	case mechanism.ScheduleRejected:
		if d.Valid != "" {
			return Phrase{fmt.Sprintf("the operator refused an earlier schedule (%s); spec.schedule %q is valid now, but operator 2.x does not "+
				"check it again", sentence(d.Says), d.Valid),
				[]command.Command{command.Do("delete the schedule, and create it again as it is").On("get", c.Subject, "-o yaml")}}, true
		}
		return Phrase{"the operator does not accept the schedule: " + sentence(d.Says),
			[]command.Command{command.Do("correct spec.schedule or spec.timeZone in a new object: operator 2.x does not check this one " +
				"again")}}, true
	case mechanism.NoRun:
		if d.Overdue {
			return Phrase{fmt.Sprintf("the operator has not started the run that was due%s", ago(-d.In)),
				[]command.Command{scan}}, true
		}
		return Phrase{Says: "no run of the schedule is left; the next one starts in " + age(d.In)}, true
	case mechanism.SuspendIgnored:
		if d.Resume {
			return Phrase{"spec.suspend is no longer true, and the operator has not resumed the application", []command.Command{scan}}, true
		}
		return Phrase{"spec.suspend is true, and the operator has not suspended the application", []command.Command{scan}}, true
	case mechanism.Suspended:
		if d.Schedule {
			return Phrase{"the schedule is suspended (spec.suspend is true), so it starts no run",
				[]command.Command{command.Do("set spec.suspend to false to start runs again")}}, true
		}
		return Phrase{"the application is suspended (spec.suspend is true), so the operator starts nothing", []command.Command{
			command.Do("set spec.suspend to false to start it").With(
				`kubectl -n %s patch sparkapplication %s --type=merge -p '{"spec":{"suspend":false}}'`, c.Subject.Namespace, c.Subject.Name)}}, true
	default:
		return Phrase{}, false
	}
}
