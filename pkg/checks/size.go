package checks

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// oversized says how bad it is that an object takes so many of the bytes that one write may have: from a quarter
// on it is worth knowing, from a half on a warning, from four fifths on an error.
func oversized(bytes, limit int) (Severity, bool) {
	switch {
	case bytes*5 >= limit*4:
		return Error, true
	case bytes*2 >= limit:
		return Warning, true
	case bytes*4 >= limit:
		return Info, true
	default:
		return Info, false
	}
}

// part is a part of a stored SparkApplication.
type part struct {
	field string // path, empty for the remainder
	bytes int
}

const (
	executorStateField = "status.executorState"
	lastAppliedKey     = fix.LastAppliedAnnotation
	lastAppliedField   = `metadata.annotations["` + lastAppliedKey + `"]`
)

// partsOf splits the stored object: no byte counts twice. What remains is metadata and the rest of the status.
func partsOf(sizes snapshot.Sizes) [5]part {
	parts := [5]part{
		{executorStateField, sizes.ExecutorState},
		{"spec", sizes.Spec},
		{"status.applicationState.errorMessage", sizes.ErrorMessage},
		{lastAppliedField, sizes.LastApplied},
	}
	rest := sizes.Object
	for _, p := range parts {
		rest -= p.bytes
	}
	parts[len(parts)-1].bytes = rest
	return parts
}

// largestPart names the part that takes most, the first of equals; sparkConf where it is most of the spec.
func largestPart(sizes snapshot.Sizes) part {
	var largest part
	for _, p := range partsOf(sizes) {
		if p.bytes > largest.bytes {
			largest = p
		}
	}
	if largest.field == "spec" && sizes.SparkConf*2 > sizes.Spec {
		return part{"spec.sparkConf", sizes.SparkConf}
	}
	return largest
}

// sizeEvidence is what an object takes, in bytes.
func sizeEvidence(a *snapshot.SparkApplication, limit int) Evidence {
	return Evidence{Object: a.Ref, Field: "object", Value: fmt.Sprintf("%d bytes without managedFields, %s of %d", a.Sizes.Object, share(a.Sizes.Object, limit), limit)}
}

// refusedForSize takes in what the operator logged of writes of an application that were refused for its size, during its
// present submission. The limit may be another than the one that is assumed.
func refusedForSize(f *Finding, app *snapshot.SparkApplication, logs []snapshot.OperatorLog) {
	list := signs(every(logs), func(l logged) bool {
		return l.About == app.Namespace+"/"+app.Name && l.Last.After(app.LastSubmissionAttempt)
	}, snapshot.RequestTooLarge)
	if len(list) > 0 {
		f.Severity = Error
		f.Message += "; a write of it was refused for its size at " + second(list[0].Last)
		f.Evidence = append(f.Evidence, quote(list)...)
	}
}

func share(bytes, limit int) string { return fmt.Sprintf("%d%%", bytes*100/limit) }

// bytesText is a size for people: "900 B", "2.6 KiB", "412 KiB", "1.3 MiB".
func bytesText(n int) string {
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
