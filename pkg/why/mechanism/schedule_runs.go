package mechanism

import "time"

// ScheduleRuns is how the runs of a schedule went, as it recorded them.
type ScheduleRuns struct {
	Failed, Succeeded int
	Next              time.Time // zero: none is due
	NextIn            time.Duration
}

// RunsOf returns how the runs of the application's schedule went; nil: it has none.
func RunsOf(v *View) *ScheduleRuns {
	s := v.Schedule
	if s == nil {
		return nil
	}
	out := &ScheduleRuns{Failed: len(s.Failed), Succeeded: len(s.Succeeded)}
	if s.Next.After(v.Now) {
		out.Next, out.NextIn = s.Next, s.Next.Sub(v.Now)
	}
	return out
}

// WhichRun is the run of a schedule that a case file is about.
type WhichRun struct {
	Name        string
	Failed      bool
	Newest      string // a newer run; empty: it is the newest
	NewestState string
	NewestAge   time.Duration
	Recovered   string // the last run that failed, since which others completed; empty: none
}

// RunOf returns which run of its schedule an application is; nil: no schedule was asked about.
func RunOf(v *View) *WhichRun {
	if v.Schedule == nil || v.Subject.Kind != v.Schedule.Kind || v.Application == nil {
		return nil
	}
	out := &WhichRun{Name: v.Application.Name, Failed: v.Application.Failed(), Recovered: v.Recovered}
	if v.Newest != nil {
		out.Newest, out.NewestState = v.Newest.Name, v.Newest.Status.State
		out.NewestAge = v.Now.Sub(v.Newest.CreationTimestamp.Time)
	}
	return out
}
