package facts

import (
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

// When returns a time as a reader feels it, and when that is: "48m ago (15:21 UTC)" or "in 33m (15:21 UTC)".
func When(t, now time.Time) string {
	if t.After(now) {
		return "in " + duration.HumanDuration(t.Sub(now)) + " (" + clock(t, now) + ")"
	}
	return duration.HumanDuration(now.Sub(t)) + " ago (" + clock(t, now) + ")"
}

// ForSince returns how long something lasts: "for 48m (since 15:21 UTC)".
func ForSince(t, now time.Time) string {
	return "for " + duration.HumanDuration(now.Sub(t)) + " (since " + clock(t, now) + ")"
}

// clock leaves out the date if it is now's.
func clock(t, now time.Time) string {
	if day(t) == day(now) {
		return t.UTC().Format("15:04 UTC")
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}
