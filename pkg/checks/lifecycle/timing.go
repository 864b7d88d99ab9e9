package lifecycle

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// timing is a schedule and what decides whether its runs start.
type timing struct {
	schedule *snapshot.Schedule
	runs     []*snapshot.SparkApplication
	all      bool                   // and there are no others
	in       *operator.Installation // nil if none was seen that watches the namespace
	adviser  *operator.Installation // or the only one
	excerpt  bool                   // and one may watch it that was not seen
	logs     []snapshot.OperatorLog
	now      time.Time
	p        check.Params
}

type pace int

const (
	onTime pace = iota
	stopped
	nobodyLooks
	controllerNotReady
)

// Why no run starts; the words tell findings about one schedule apart.
const (
	failedValidation    check.Kind = "failed-validation"
	nameTooLong         check.Kind = "name-too-long"
	noConcurrencyPolicy check.Kind = "no-concurrency-policy"
	blockedByRun        check.Kind = "blocked"
	overdue             check.Kind = "overdue"
	notTakenUp          check.Kind = "not-taken-up"
	changedSchedule     check.Kind = "changed-schedule"
	unknownPolicy       check.Kind = "unknown-policy"
)

// maxLabel is how long the value of a label may be, and a DNS label (k8s.io/apimachinery/pkg/util/validation): Spark's
// pods have the application's name in one.
const maxLabel = 63

// fewestDigits are those of a run's name with --scheduled-spark-application-timestamp-precision=minutes (2.5.0), mostDigits those
// that every release writes if it is not told otherwise.
const (
	fewestDigits = 8
	mostDigits   = 19
)

// judge says whether runs start, or why it cannot be told. A schedule that is suspended starts none on purpose.
func (t timing) judge() (check.Finding, pace) {
	s := t.schedule
	switch {
	case s.Terminating() || s.Suspended:
		return check.Finding{}, onTime
	case s.State == "FailedValidation":
		return t.invalid(), stopped
	case len(s.Name)+1+t.rules().Digits > maxLabel:
		return t.tooLong(), stopped
	case naming{&s.Object, t.in, t.excerpt}.refusesRuns():
		return check.Finding{}, onTime // SD6012's
	case t.in == nil && t.settled():
		return check.Finding{}, onTime
	case t.in == nil:
		return check.Finding{}, nobodyLooks
	case t.rules().NeedsPolicy && s.Policy == "":
		return t.withoutPolicy()
	case s.State == "" && t.now.Sub(s.Created) > t.p.NewAfter:
		return t.whenReady(t.notTakenUp)
	case s.State != "Scheduled" || s.NextRun.IsZero():
		return check.Finding{}, onTime
	case t.overdue(s.NextRun):
		return t.late()
	default:
		return t.keepsDue()
	}
}

// settled reports whether all that a manifest tells holds for every release: that no operator was seen leaves nothing open.
func (t timing) settled() bool {
	return t.schedule.UID == "" && len(t.schedule.Name)+1+mostDigits <= maxLabel && len(validation.IsDNS1035Label(t.schedule.Name)) == 0
}

// rules are those of the release; of the newest one where there is none, and what holds for every one where it was not seen.
func (t timing) rules() operator.Schedules {
	switch {
	case t.in != nil:
		return t.in.Schedules()
	case t.excerpt:
		return operator.Schedules{Digits: fewestDigits}
	default:
		return operator.Schedules{Digits: mostDigits}
	}
}

// overdue reports whether a due time is long over. A schedule that was suspended until a moment ago is due since then.
func (t timing) overdue(due time.Time) bool {
	return t.now.Sub(laterOf(due, t.schedule.SpecChanged)) > t.p.NewAfter
}

// whenReady states a finding only if somebody could have started the run: that the controller is down is another fault.
func (t timing) whenReady(state func() check.Finding) (check.Finding, pace) {
	if t.in.Controller.Ready == 0 {
		return check.Finding{}, controllerNotReady
	}
	return state(), stopped
}

// last is the newest run, as the operator sorts them; nil if there is none.
func (t timing) last() *snapshot.SparkApplication {
	var last *snapshot.SparkApplication
	for _, app := range t.runs {
		if last == nil || app.Created.After(last.Created) {
			last = app
		}
	}
	return last
}

// late decides about a due time that is over. With Forbid the operator looks again at each due time of the schedule, so
// that after the end of a long run it waits for the next one.
func (t timing) late() (check.Finding, pace) {
	s, last := t.schedule, t.last()
	if s.Policy != "Forbid" {
		return t.whenReady(t.notStarted)
	}
	if last != nil && !last.Ended() {
		if t.stands(last) {
			return t.blocked(last), stopped
		}
		return check.Finding{}, onTime
	}
	if !t.all {
		return check.Finding{}, onTime // it may wait for one that was not seen
	}
	from := s.NextRun
	if last != nil && facts.EndOf(last).After(from) {
		from = facts.EndOf(last)
	}
	table, err := t.table()
	if err != nil {
		return check.Finding{}, onTime // a time zone that this machine does not know
	}
	if due := table.LatestNext(from); due.IsZero() || !t.overdue(due) {
		return check.Finding{}, onTime
	}
	f, p := t.whenReady(t.notStarted)
	if last == nil && !s.LastRun.IsZero() {
		f.Certainty = check.Likely // somebody may have deleted a long run just now
	}
	return f, p
}

// stands reports whether a run is in a state that lasts, and has been for long: not one that runs, however long.
func (t timing) stands(app *snapshot.SparkApplication) bool {
	since := app.LastSubmissionAttempt
	if since.IsZero() {
		since = app.Created
	}
	return app.Malformed == "" && app.State != "RUNNING" && t.now.Sub(since) > t.p.StuckAfter
}

// keepsDue decides whether a due time that lies ahead is one of the schedule as it is now.
func (t timing) keepsDue() (check.Finding, pace) {
	s := t.schedule
	table, err := t.table()
	if err != nil || !t.rules().KeepsDue || !s.NextRun.After(t.now) || table.Explains(s.NextRun, t.now) {
		return check.Finding{}, onTime
	}
	next := table.LatestNext(t.now)
	message := fmt.Sprintf(
		"the next run is due %s, although spec.schedule %q is due %s: operator %s applies a changed schedule only after that run",
		facts.When(s.NextRun, t.now), s.Cron, facts.When(next, t.now), t.in.Stated)
	if s.NextRun.Before(next) {
		message = fmt.Sprintf(
			"the next run is due %s, which spec.schedule %q never yields: operator %s applies a changed schedule only after that run",
			facts.When(s.NextRun, t.now), s.Cron, t.in.Stated)
	}
	f := t.finding(changedSchedule, "status.nextRun", message)
	f.Then(t.again("wait for that run, or re-create the object to apply the new schedule now"))
	f.Severity = check.Warning
	return f, stopped
}

// table is when the schedule is due. Controllers before 2.2.0 pass over spec.timeZone, which a newer CRD may have let in
// (internal/controller/scheduledsparkapplication/controller.go@v2.1.1 and @v2.2.0).
func (t timing) table() (operator.Timetable, error) {
	s := t.schedule
	if t.in != nil && !t.in.Facts().Schedules.TimeZones {
		zoneless := *s
		zoneless.TimeZone, s = "", &zoneless
	}
	return operator.TimetableOf(s)
}
