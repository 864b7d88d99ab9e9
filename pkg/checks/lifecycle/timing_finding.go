package lifecycle

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// finding begins one about the schedule.
func (t timing) finding(kind check.Kind, field, message string) check.Finding {
	s := t.schedule
	f := check.Finding{
		About: check.OfApp(s), Severity: check.Error, Identity: check.Identity{Kind: kind}, Field: field, Message: message,
		Evidence: []check.Evidence{{Object: s.Ref, Field: "spec.schedule", Value: s.Cron}},
	}
	if t.in != nil {
		if !t.in.Recognised || t.in.Narrowed() {
			f.Certainty = check.Likely
		}
		f.Related = append(f.Related, t.in.Controller.Ref)
		if t.in.Webhook != nil && t.in.Webhook.Key() != t.in.Controller.Key() {
			f.Related = append(f.Related, t.in.Webhook.Ref)
		}
	}
	if !s.NextRun.IsZero() {
		f.Saw(s.Ref, "status.nextRun", s.NextRun.Format(time.RFC3339))
	}
	if !s.LastRun.IsZero() {
		f.Saw(s.Ref, "status.lastRun", s.LastRun.Format(time.RFC3339))
	}
	return f
}

// again re-creates the schedule: the operator of 2.x keeps its refusal, or its plan, until then.
func (t timing) again(text string) check.Command {
	return command.Do("%s", text).On("get", t.schedule.Ref, "-o yaml")
}

// invalid states that the operator refused the schedule. 2.x leaves it at that even if it is corrected.
func (t timing) invalid() check.Finding {
	s := t.schedule
	reason := strings.Join(strings.Fields(s.Reason), " ")
	f := t.finding(failedValidation, "status.scheduleState", "FailedValidation: "+reason)
	again := t.again("correct spec.schedule or spec.timeZone, and re-create it")
	release, sticky := "2.x", true // where no operator was seen
	if t.adviser != nil {
		release, sticky = t.adviser.Stated, t.adviser.Schedules().Sticky
	}
	if !sticky {
		again = command.Do("correct spec.schedule or spec.timeZone").On("edit", s.Ref)
	}
	if sticky && operator.Corrected(s) {
		again = t.again("re-create it as it is: the operator does not recheck it")
		f.Message = fmt.Sprintf("FailedValidation (%s), although spec.schedule %q is valid now: operator %s does not check it again",
			reason, s.Cron, release)
	}
	f.Then(again)
	f.Alone = true // the operator wrote it
	f.Saw(s.Ref, "status.scheduleState", s.State)
	f.Saw(s.Ref, "status.reason", reason)
	if s.TimeZone != "" {
		f.Saw(s.Ref, "spec.timeZone", s.TimeZone)
	}
	if t.in != nil && t.in.Narrowed() && t.in.Recognised {
		f.Certainty = check.Proven // some operator has looked
	}
	return f
}

// tooLong states that no run can have its name: it is in a label of the driver pod, and from 2.4.0 on the webhook refuses
// it (internal/webhook/sparkapplication_validator.go@v2.4.0).
func (t timing) tooLong() check.Finding {
	s, rules := t.schedule, t.rules()
	n := len(s.Name) + 1 + rules.Digits
	least := ""
	if t.in == nil && t.excerpt {
		least = "at least "
	}
	f := t.finding(nameTooLong, "metadata.name",
		fmt.Sprintf("run names have %s%d characters (its %d, a dash, %s%d digits), and the limit is %d: no run can start",
			least, n, len(s.Name), least, rules.Digits, maxLabel))
	if t.in == nil && len(s.Name)+1+fewestDigits <= maxLabel {
		f.Certainty = check.Likely // 2.5.0 and later may be told to take fewer digits
	}
	f.Saw(s.Ref, "metadata.name", rules.RunName(s.Name))
	most := operator.LongestName(s.Kind, t.adviser)
	f.ThenInManifest(t.again(fmt.Sprintf("re-create it with a name of at most %d characters", most)),
		fmt.Sprintf("shorten metadata.name at %s to at most %d characters", command.Place, most), check.ApplyAgain)
	return f
}

// withoutPolicy decides about a schedule of 2.x without a policy: it starts a run only while none exists.
func (t timing) withoutPolicy() (check.Finding, pace) {
	s := t.schedule
	set := command.Do("set spec.concurrencyPolicy: Forbid waits for the run before, Allow does not").
		On("patch", s.Ref, `--type merge -p '{"spec":{"concurrencyPolicy":"Forbid"}}'`)
	starts := fmt.Sprintf("without concurrencyPolicy, operator %s starts a run only while no earlier one exists", t.in.Stated)
	if last := t.last(); last != nil && s.State == "Scheduled" && !s.NextRun.IsZero() && t.overdue(s.NextRun) {
		f := t.finding(noConcurrencyPolicy, "spec.concurrencyPolicy", fmt.Sprintf("%s: %s exists, and the run due %s ago did not start", starts,
			last.Name, facts.Age(s.NextRun, t.now)))
		f.Since, f.Brief = s.NextRun, fmt.Sprintf("%s, and %s exists", starts, last.Name)
		f.Then(set)
		f.Related = append(f.Related, last.Ref)
		f.Saw(s.Ref, "spec.concurrencyPolicy", "none")
		f.Saw(last.Ref, "status.applicationState.state", cmp.Or(last.State, "new"))
		return t.whenReady(func() check.Finding { return f })
	}
	if s.Template.Lifetime.Limited {
		return check.Finding{}, onTime // the runs may go in time
	}
	f := t.finding(noConcurrencyPolicy, "spec.concurrencyPolicy", starts+", and its runs have no timeToLiveSeconds")
	f.Severity = check.Warning
	f.Then(set)
	f.Saw(s.Ref, "spec.concurrencyPolicy", "none")
	return f, stopped
}

// blocked states that Forbid waits for a run that does not move.
func (t timing) blocked(run *snapshot.SparkApplication) check.Finding {
	state := cmp.Or(run.State, "new")
	if since := laterOf(run.LastSubmissionAttempt, run.Created); !since.IsZero() {
		state += " " + facts.ForSince(since, t.now)
	}
	f := t.finding(blockedByRun, "spec.concurrencyPolicy", fmt.Sprintf("due %s ago, but Forbid waits for run %s, which has been %s",
		facts.Age(t.schedule.NextRun, t.now), run.Name, state))
	f.Severity, f.Since = check.Warning, t.schedule.NextRun
	f.Brief = fmt.Sprintf("a run is due, but Forbid waits for run %s, which is %s", run.Name, cmp.Or(run.State, "new"))
	if run.State == "SUSPENDED" {
		f.Severity = check.Info // somebody may want it so
	}
	f.Then(command.Do("see why run %s is stuck", run.Name).
		With("kubectl sparkdoctor scan sparkapplication/%s -n %s", run.Name, run.Namespace))
	f.Related = append(f.Related, run.Ref)
	f.Saw(run.Ref, "status.applicationState.state", cmp.Or(run.State, "new"))
	return f
}

// notStarted states that a run was due and is not there.
func (t timing) notStarted() check.Finding {
	s := t.schedule
	before := "none ran before"
	if s.LastRunName != "" {
		before = "the last one was " + s.LastRunName
	}
	f := t.finding(overdue, "status.nextRun", fmt.Sprintf("a run was due %s and did not start; %s", facts.When(s.NextRun, t.now), before))
	f.Since, f.Brief = s.NextRun, "a due run has not started"
	readLog(&f, t.in)
	d := t.in.Controller
	f.Saw(d.Ref, "status.readyReplicas", fmt.Sprintf("%d of %d", d.Ready, d.Replicas))
	refused := facts.Signs(facts.AllLogs(t.logs), func(l facts.Logged) bool {
		return l.About == s.Namespace+"/"+s.Name && l.Last.After(s.NextRun)
	}, snapshot.RunNotStarted)
	if len(refused) > 0 {
		f.Message += "; the operator tried " + facts.When(refused[0].Last, t.now) + " and failed"
		f.Evidence = append(f.Evidence, facts.Quote(refused)...)
	}
	return f
}

// notTakenUp states that a controller that is ready has never looked.
func (t timing) notTakenUp() check.Finding {
	s, d := t.schedule, t.in.Controller
	f := t.finding(notTakenUp, "status.scheduleState", fmt.Sprintf("created %s ago, and the controller has not reconciled it",
		facts.Age(s.Created, t.now)))
	f.Since, f.Brief = s.Created, "the controller has not reconciled it"
	readLog(&f, t.in)
	f.Saw(d.Ref, "status.readyReplicas", fmt.Sprintf("%d of %d", d.Ready, d.Replicas))
	return f
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
