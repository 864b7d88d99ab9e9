package size

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// oversized says how bad it is that an object takes so many of the bytes that one write may have: from a quarter
// on it is worth knowing, from a half on a warning, from four fifths on an error.
func oversized(bytes, limit int) (check.Severity, bool) {
	switch {
	case bytes*5 >= limit*4:
		return check.Error, true
	case bytes*2 >= limit:
		return check.Warning, true
	case bytes*4 >= limit:
		return check.Info, true
	default:
		return check.Info, false
	}
}

// part is a part of a stored SparkApplication.
type part struct {
	field string // path, empty for the remainder
	bytes int
}

const lastAppliedKey = fix.LastAppliedAnnotation

const lastAppliedField = `metadata.annotations["` + lastAppliedKey + `"]`

// partsOf splits the stored object: no byte counts twice. What remains is metadata and the rest of the status.
func partsOf(sizes snapshot.Sizes) [5]part {
	parts := [5]part{
		{facts.ExecutorStateField, sizes.ExecutorState},
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
func sizeEvidence(a *snapshot.SparkApplication, limit int) check.Evidence {
	return check.Evidence{Object: a.Ref, Field: "object", Value: fmt.Sprintf("%d bytes without managedFields, %s of %d", a.Sizes.Object,
		share(a.Sizes.Object, limit), limit)}
}

// refusedForSize takes in what the operator logged of writes of an application that were refused for its size, during its
// present submission. The limit may be another than the one that is assumed.
func refusedForSize(f *check.Finding, app *snapshot.SparkApplication, logs []snapshot.OperatorLog, now time.Time) {
	list := facts.Signs(facts.AllLogs(logs), func(l facts.Logged) bool {
		return l.About == app.Namespace+"/"+app.Name && l.Last.After(app.LastSubmissionAttempt)
	}, snapshot.RequestTooLarge)
	if len(list) > 0 {
		f.Severity = check.Error
		f.Message += "; a write was rejected for its size " + facts.When(list[0].Last, now)
		f.Evidence = append(f.Evidence, facts.Quote(list)...)
	}
}

func share(bytes, limit int) string { return fmt.Sprintf("%d%%", bytes*100/limit) }
