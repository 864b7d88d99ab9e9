package why_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/why"
)

// TestCausesAreToldOnce: what stands in a row of its own is not repeated among the facts beside the verdict, nor counted as left out.
func TestCausesAreToldOnce(t *testing.T) {
	cause := func(class, message string, effect bool) why.Cause {
		return why.Cause{Verdict: why.Verdict{Class: class, Message: message, Certainty: "likely"}, Effect: effect}
	}
	d := why.Document{
		Also: []string{"a connection failed", "the driver cannot start", "restartPolicy is Never"},
		Causes: []why.Cause{cause("submission", "the submission failed: timeout", false), cause("network", "a connection failed", false),
			cause("submission", "the driver cannot start", true), cause("unknown", "nothing says more", true)},
	}
	d.Verdict = d.Causes[0].Verdict
	short, long := text(d.Rows(true)), text(d.Rows(false))
	require.Equal(t, "Submission failed: timeout", d.Verdict.Sentence())
	require.Contains(t, short, "also: the driver cannot start; restartPolicy is Never; 1 other observation (-o wide)")
	require.Contains(t, long, "also: restartPolicy is Never\n")
	for _, all := range []string{short, long} {
		require.Equal(t, 1, strings.Count(all, "a connection failed"), all)
		require.Equal(t, 1, strings.Count(all, "the driver cannot start"), all)
	}
}

func text(rows []why.Row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r.Label + ": " + r.Text + "\n")
	}
	return b.String()
}
