package facts

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// When returns a time as a reader feels it, and when that is: "48 min ago (15:21 UTC)" or "in 33 min (15:21 UTC)".
func When(t, now time.Time) string {
	if t.IsZero() {
		return "at an unknown time"
	}
	if t.After(now) {
		return "in " + phrase.Span(t.Sub(now)) + " (" + clock(t, now) + ")"
	}
	return phrase.Span(now.Sub(t)) + " ago (" + clock(t, now) + ")"
}

// ForSince returns how long something lasts: "for 48 min (since 15:21 UTC)".
func ForSince(t, now time.Time) string {
	if t.IsZero() {
		return "since an unknown time"
	}
	return "for " + phrase.Span(now.Sub(t)) + " (since " + clock(t, now) + ")"
}

// Age returns how long ago a time was: "48 min".
func Age(t, now time.Time) string {
	if t.IsZero() {
		return "an unknown time"
	}
	return phrase.Span(now.Sub(t))
}

// clock leaves out the date if it is now's.
func clock(t, now time.Time) string {
	if day(t) == day(now) {
		return t.UTC().Format("15:04 UTC")
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// Elapsed is a time for people, in its largest unit but seconds: "48 min", "3 h", "12 d".
func Elapsed(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than 1 min"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	default:
		return fmt.Sprintf("%d d", int(d.Hours()/24))
	}
}
