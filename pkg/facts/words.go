package facts

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// MaxNamed bounds how many of a kind a message names.
const MaxNamed = 3

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Timestamp returns a time to the second, in UTC.
func Timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// CompareBool orders false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// SomeOf joins a few texts with commas and counts the rest.
func SomeOf(texts []string, most int, noun string) string {
	if len(texts) <= most {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %s", strings.Join(texts[:most], ", "), phrase.Counted(len(texts)-most, "more "+noun))
}

// BytesText is a size for people: "900 B", "2.6 KiB", "412 KiB", "1.3 MiB".
func BytesText(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	default:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
}

// soon is the time left within which what only warns becomes an error: it would break during one night.
const soon = 8 * time.Hour

// InTime returns the severity of what will break when some time has passed: at least as it is, an error if that is soon.
func InTime(severity check.Severity, left time.Duration) check.Severity {
	if left <= soon {
		return check.Error
	}
	return severity
}
