package why_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// greedy are signatures that fit whatever failed, in words by which causes of built-in ones are told.
func greedy(t *testing.T) *catalog.Set {
	t.Helper()
	var text strings.Builder
	text.WriteString("apiVersion: sparkdoctor.io/v1alpha1\nkind: Signatures\nsignatures:\n")
	for i, class := range []string{"clusterKilled", "codeFailed", "network", "configuration"} {
		message := []string{"Exception", "Error", "ailed", "ERROR"}[i]
		fmt.Fprintf(&text, "- id: a-%d\n  class: %s\n  message: %s\n  says: greedy OutOfMemoryError OOMKilled at x-driver-svc\n"+
			"  next: [x]\n  examples: [it %s]\n", i, class, message, message)
	}
	set, err := catalog.Own(catalog.File{Name: "greedy.yaml", Text: []byte(text.String())})
	require.NoError(t, err)
	return set
}

// TestOwnSignaturesComeLast: whatever a team's signatures say, none of their causes is proven, none stands before one that a built-in
// signature or an object tells, and their words are in no other cause. A verdict changes only where it had no signature.
func TestOwnSignaturesComeLast(t *testing.T) {
	own, verdicts, beside := greedy(t), 0, 0
	for _, c := range logged(t) {
		if number, err := strconv.Atoi(c.Number()); err != nil || number%3 != 1 {
			continue // a part of them shows it
		}
		one := decoded(t, c)
		e := one.Evidence(one.objects)
		before := why.Open(e)
		e.Signatures = own
		after := why.Open(e)
		told := false
		for i := range after.Causes {
			one := &after.Causes[i]
			if one.SignatureFile == "" {
				require.NotContains(t, one.Message, "greedy", c.ID)
				ofLog := one.Trust == cause.ByDriverLog || one.Trust == cause.ByExecutorLog
				require.False(t, told && ofLog && !one.Effect && one.Signature != "", "%s: %s comes after the team's", c.ID, one.Message)
				continue
			}
			told = true
			require.Equal(t, check.Likely, one.Certainty, c.ID)
		}
		switch v, was := after.Verdict(), before.Verdict(); {
		case v.SignatureFile != "":
			verdicts++
			require.Empty(t, was.Signature, "%s: %s", c.ID, was.Message)
		case told:
			beside++
		default:
			require.Equal(t, was.Message, v.Message, c.ID)
		}
	}
	require.Greater(t, verdicts, 20)
	require.Positive(t, beside)
}
