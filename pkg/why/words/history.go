package words

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// OfMoment says one thing that happened.
func OfMoment(m mechanism.Moment) string {
	switch m.What {
	case mechanism.TakenUp:
		return "taken up by the operator"
	case mechanism.MainScheduled:
		if m.Name == "" {
			return m.Main + " scheduled"
		}
		return m.Main + " scheduled to " + m.Name
	case mechanism.MainMarked:
		return m.Main + " marked for disruption (" + m.Name + ")"
	case mechanism.MainRunning:
		return m.Main + " running"
	case mechanism.MainEnded:
		return fmt.Sprintf("%s ended: %s (%d)", m.Main, m.Name, m.Code)
	case mechanism.ImagePulled:
		return m.Main + "'s image pulled"
	case mechanism.MainStopping:
		return m.Main + " stopping"
	case mechanism.MainPreempted:
		return m.Main + " preempted"
	case mechanism.MainEvicted:
		return m.Main + " evicted"
	case mechanism.FirstExecutor:
		return "first executor running"
	case mechanism.ExecutorLost:
		return "executor lost: " + OfEnd(m.Why)
	case mechanism.StateSet:
		return m.Name
	default:
		return "submitted"
	}
}

// OfAttempt says how an attempt stands or ended, in a few words.
func OfAttempt(a *mechanism.Attempt) string {
	switch {
	case a.PodReason != "":
		return a.PodReason
	case a.Ending != nil:
		return fmt.Sprintf("%s (%d)", a.Ending.Reason, a.Ending.Code)
	default:
		return a.State
	}
}

// OfSchedule says how the runs of a schedule went, and when the next one is due.
func OfSchedule(s *mechanism.ScheduleRuns) string {
	text := fmt.Sprintf("of the schedule's recorded runs, %d failed and %d succeeded", s.Failed, s.Succeeded)
	if !s.Next.IsZero() {
		text += fmt.Sprintf("; the next run is in %s (%s UTC)", age(s.NextIn), s.Next.UTC().Format("15:04"))
	}
	return text
}

// OfRun says which run of a schedule a case file is about, and how the newest one stands.
func OfRun(r *mechanism.WhichRun) string {
	switch {
	case r.Newest != "":
		state := r.NewestState
		if state == "" {
			state = "new"
		}
		return fmt.Sprintf("about run %s, the last one that failed; the newest run %s is %s%s", r.Name, r.Newest, state,
			said(r.NewestAge, ", created ", " ago"))
	case r.Failed:
		return fmt.Sprintf("about run %s, the newest one, which failed", r.Name)
	case r.Recovered != "":
		return fmt.Sprintf("about run %s, the newest one; run %s failed before, and others completed since", r.Name, r.Recovered)
	default:
		return fmt.Sprintf("about run %s, the newest one; no run that is left failed", r.Name)
	}
}

// OfZone says that the times of a log were put right; empty: they were not.
func OfZone(ahead time.Duration) string {
	if ahead == 0 {
		return ""
	}
	sign := "+"
	if ahead < 0 {
		sign, ahead = "-", -ahead
	}
	return fmt.Sprintf("the driver's log is in UTC%s%02d:%02d by the start of its container; its times are shown in UTC", sign,
		int(ahead.Hours()), int(ahead.Minutes())%60)
}
