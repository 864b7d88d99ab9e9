package report

import (
	"fmt"
	"io"
	"time"
)

// Transition writes one change as a line.
func Transition(w io.Writer, item Item, at time.Time) error {
	word := map[string]string{classNew: "NEW", classResolved: "RESOLVED", classNotComparable: "UNSEEN"}[item.Baseline.Class]
	text := item.likely() + item.Message
	switch {
	case item.Baseline.Class == classNew && item.Baseline.Reason != "":
		word, text = "WORSE", text+" ("+item.Baseline.Reason+")"
	case item.Baseline.Class == classNotComparable:
		text = item.Baseline.Reason
	}
	_, err := fmt.Fprintf(w, "%s %-8s %-7s %s %s: %s\n", at.UTC().Format(time.RFC3339), word, item.word(), item.Check, Escape(item.subject()), Escape(text))
	return err
}
