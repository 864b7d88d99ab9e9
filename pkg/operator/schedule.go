package operator

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Timetable is when a schedule is due, as the operator reckons it: with the same parser
// (internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
type Timetable struct {
	cron cron.Schedule
	// local says that the time zone is that of the controller's machine, which is not known: any offset may be it.
	local bool
}

// TimetableOf reads the schedule. An error says what the operator would say; that a time zone is unknown may also be for
// want of the data on this machine.
func TimetableOf(s *snapshot.Schedule) (Timetable, error) {
	text, local := s.Cron, false
	if !strings.HasPrefix(text, "CRON_TZ=") && !strings.HasPrefix(text, "TZ=") {
		zone := s.TimeZone
		if local = zone == "" || zone == "Local"; local {
			zone = "UTC"
		}
		if _, err := time.LoadLocation(zone); err != nil {
			return Timetable{}, err
		}
		text = "CRON_TZ=" + zone + " " + text
	}
	parsed, err := cron.ParseStandard(text)
	if err != nil {
		return Timetable{}, err
	}
	return Timetable{parsed, local}, nil
}

// Corrected reports whether a schedule that the operator refused is one that it would accept. A time zone that it refuses and that is still
// the schedule's is none that its machine knows, whatever this machine does.
func Corrected(s *snapshot.Schedule) bool {
	_, err := TimetableOf(s)
	return err == nil && (s.TimeZone == "" || !strings.Contains(s.Reason, s.TimeZone))
}

// Offsets of local time from UTC are between these (IANA tz database).
const (
	westernmost = -12 * time.Hour
	easternmost = 14 * time.Hour
)

// offsets are those that the controller's clock may have.
func (t Timetable) offsets() []time.Duration {
	if _, delays := t.cron.(cron.ConstantDelaySchedule); delays || !t.local {
		return []time.Duration{0}
	}
	var out []time.Duration
	for o := westernmost; o <= easternmost; o += 15 * time.Minute {
		out = append(out, o)
	}
	return out
}

// next is the first due time after a moment where clocks are ahead of UTC by an offset.
func (t Timetable) next(after time.Time, offset time.Duration) time.Time {
	next := t.cron.Next(after.UTC().Add(offset))
	if next.IsZero() {
		return next
	}
	return next.Add(-offset)
}

// LatestNext is the latest that the first due time after a moment can be; zero if there is none within five years.
func (t Timetable) LatestNext(after time.Time) time.Time {
	var latest time.Time
	for _, offset := range t.offsets() {
		next := t.next(after, offset)
		if next.IsZero() {
			return time.Time{}
		}
		if next.After(latest) {
			latest = next
		}
	}
	return latest
}

// Explains reports whether a due time that was reckoned before now may come of this timetable: it is one of its times, and no later
// than the next one, whatever the offset and whichever way clocks are changed before then.
func (t Timetable) Explains(due, now time.Time) bool {
	for _, offset := range t.offsets() {
		next := t.next(now, offset)
		if next.IsZero() || !due.After(next.Add(changeOfClocks)) && t.yields(due, offset) {
			return true
		}
	}
	return false
}

// yields reports whether a moment is a due time where clocks are ahead of UTC by an offset, or would be if they were changed, as where
// the operator's image has older data of time zones. A delay counts from the last run, so that it yields any time.
func (t Timetable) yields(due time.Time, offset time.Duration) bool {
	if _, delays := t.cron.(cron.ConstantDelaySchedule); delays {
		return true
	}
	for _, change := range []time.Duration{0, time.Hour, -time.Hour, time.Hour / 2, -time.Hour / 2} {
		if at := due.Add(change); t.next(at.Add(-time.Second), offset).Equal(at) {
			return true
		}
	}
	return false
}

// changeOfClocks is how far summer time moves a due time, and more than clocks of machines differ.
const changeOfClocks = 61 * time.Minute

// Schedules says how an installation starts the runs of schedules: see release.Schedules.
type Schedules struct {
	NeedsPolicy, Sticky, KeepsDue bool
	// Digits of the time in the name of a run.
	Digits int
}

// Schedules returns how the installation starts the runs of schedules.
func (in *Installation) Schedules() Schedules {
	facts := in.Facts().Schedules
	return Schedules{NeedsPolicy: facts.NeedsPolicy, Sticky: facts.Sticky, KeepsDue: facts.KeepsDue, Digits: in.runDigits()}
}

// runDigits is the length of the time in the name of a run: nanoseconds, unless
// --scheduled-spark-application-timestamp-precision says otherwise (2.5.0, cmd/operator/controller/start.go@v2.5.0).
func (in *Installation) runDigits() int {
	precision := ""
	if in.Facts().Schedules.Precision {
		precision = unquoted(in.flag("scheduled-spark-application-timestamp-precision"))
	}
	switch precision {
	case "micros":
		return 16
	case "millis":
		return 13
	case "seconds":
		return 10
	case "minutes":
		return 8
	default:
		return mostDigits
	}
}

// mostDigits are those of a time in nanoseconds.
const mostDigits = 19

// RunName is how the runs of a schedule are called, with a dot for each digit.
func (s Schedules) RunName(schedule string) string {
	return fmt.Sprintf("%s-%s", schedule, strings.Repeat(".", s.Digits))
}
