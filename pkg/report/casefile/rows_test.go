package casefile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestCausesAreToldOnce: what stands in a row of its own is not repeated among the facts beside the verdict, nor counted as left out.
func TestCausesAreToldOnce(t *testing.T) {
	cause := func(class, message string, effect bool) casefile.Cause {
		return casefile.Cause{Verdict: casefile.Verdict{Class: class, Message: message, Certainty: "likely"}, Effect: effect}
	}
	d := casefile.Document{
		Also: []string{"a connection failed", "the driver cannot start", "restartPolicy is Never"},
		Causes: []casefile.Cause{cause("submission", "the submission failed: timeout", false), cause("network", "a connection failed", false),
			cause("submission", "the driver cannot start", true), cause("unknown", "nothing says more", true)},
	}
	d.Verdict = d.Causes[0].Verdict
	all := text(d.Rows())
	require.Equal(t, "Submission failed: timeout", d.Verdict.Sentence())
	require.Contains(t, all, "also: restartPolicy is Never\n")
	require.Equal(t, 1, strings.Count(all, "a connection failed"), all)
	require.Equal(t, 1, strings.Count(all, "the driver cannot start"), all)
	answer := d.Answer()
	require.Equal(t, "A connection failed (likely)", answer[1].Text)
	require.Len(t, answer, 2)
}

// TestEvidenceOfOnePlaceIsFolded: a page names a log once; what lies between, or elsewhere, keeps its name, and nothing is lost.
func TestEvidenceOfOnePlaceIsFolded(t *testing.T) {
	driver, app := snapshot.Ref{Kind: "Pod", Name: "a-driver"}, snapshot.Ref{Kind: "SparkApplication", Name: "a"}
	at := time.Date(2026, 5, 1, 3, 12, 44, 0, time.UTC)
	d := casefile.Document{Subject: app, Verdict: casefile.Verdict{Evidence: []casefile.Evidence{
		{Object: driver, Field: "log x", Value: "one"}, {Object: driver, Field: "log x", Value: "two\nlines", Time: at},
		{Object: driver, Field: "status", Value: "Failed"}, {Object: driver, Field: "log x", Value: "three"},
		{Object: app, Field: "status", Value: "FAILED"}, {Object: app, Field: "spec.image", Value: "spark", Beside: true},
	}}, Causes: []casefile.Cause{{}}}
	require.Equal(t, casefile.EvidenceHeading, d.Groups()[0].Heading)
	require.Equal(t, "context: sparkapplication a: spec.image spark\n", text(d.Rows()[5:]))
	for _, s := range d.Answer() {
		require.NotContains(t, s.Text, "spec.image")
	}
	rows := casefile.Fold(d.Groups()[0].Rows)
	require.Len(t, rows, 4)
	require.Equal(t, "pod a-driver: log x", rows[0].Text)
	require.Equal(t, []string{"one", "two lines at 2026-05-01 03:12:44"}, rows[0].Lines)
	require.Equal(t, "pod a-driver: status Failed", rows[1].Text)
	require.Equal(t, "pod a-driver: log x three", rows[2].Text)
	require.Empty(t, rows[2].Lines)
	require.Equal(t, "sparkapplication a: status FAILED", rows[3].Text)
}

func text(rows []casefile.Row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r.Label + ": " + r.Text + "\n")
	}
	return b.String()
}
