package terminal

import (
	"fmt"
	"io"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Transition writes one change as a line.
func Transition(w io.Writer, item report.Item, at time.Time) error {
	word := map[string]string{report.ClassNew: "NEW", report.ClassResolved: "RESOLVED",
		report.ClassNotComparable: "UNSEEN"}[item.Baseline.Class]
	text := item.Likely() + item.Message
	switch {
	case item.Baseline.Class == report.ClassNew && item.Baseline.Reason != "":
		word, text = "WORSE", text+" ("+item.Baseline.Reason+")"
	case item.Baseline.Class == report.ClassNotComparable:
		text = item.Baseline.Reason
	}
	_, err := fmt.Fprintf(w, "%s %-8s %-7s %s %s: %s\n", at.UTC().Format(time.RFC3339), word, item.Word(), item.Check,
		report.Escape(item.Subject()), report.Escape(text))
	return err
}
