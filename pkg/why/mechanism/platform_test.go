package mechanism_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestFindingsThatExplainNothingYet: what the driver's account may not do stops no driver that the operator has not tried to create, and
// an account that does not exist stops the attempt.
func TestFindingsThatExplainNothingYet(t *testing.T) {
	account := snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: "jobs", Name: "default"}
	for name, c := range map[string]struct {
		state, check, kind string
		class              cause.Class // empty: no cause
	}{
		"nothing was tried":             {"", "SD5007", "permissions", ""},
		"nothing was tried, no account": {"", "SD5007", "missing", ""},
		"the attempt failed":            {"SUBMISSION_FAILED", "SD5007", "permissions", ""},
		"the attempt had no account":    {"SUBMISSION_FAILED", "SD5007", "missing", cause.Submission},
		"a driver ran before":           {"PENDING_RERUN", "SD5007", "permissions", cause.Credentials},
		"nothing watches the namespace": {"", "SD5001", "", cause.Submission},
	} {
		e := given(t, application("restartPolicy: {type: Never}", "applicationState: {state: "+c.state+"}"))
		e.Findings = []check.Reported{{Check: c.check, Finding: check.Finding{About: check.Named(account), Severity: check.Error,
			Message: "as found", Identity: check.Identity{Kind: check.Kind(c.kind)}}}}
		var got cause.Class
		for _, one := range standing(e) {
			if one.Message == "as found" {
				got = one.Class
			}
		}
		require.Equal(t, c.class, got, name)
	}
}
