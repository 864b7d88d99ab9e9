package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestCorrelateRaisesDrift lets another check find that what a GitOps tool owns is wrong now.
func TestCorrelateRaisesDrift(t *testing.T) {
	secret, configuration := ref("Secret", "certs"), ref("MutatingWebhookConfiguration", "webhook")
	for name, c := range map[string]struct {
		drift snapshot.Ref
		other check.Reported
		want  check.Severity
	}{
		"the Secret is empty": {secret,
			check.Reported{Check: "SD1004", Finding: check.Finding{About: check.Named(secret), Severity: check.Error}}, check.Error},
		"its certificate ends soon": {secret,
			check.Reported{Check: "SD1004", Finding: check.Finding{About: check.Named(secret), Severity: check.Warning}}, check.Warning},
		"another Secret is empty": {secret,
			check.Reported{Check: "SD1004", Finding: check.Finding{About: check.Named(ref("Secret", "other")), Severity: check.Error}},
			check.Warning},
		"the caBundle is wrong": {configuration,
			check.Reported{Check: "SD1003", Finding: check.Finding{About: check.Named(configuration), Severity: check.Error}},
			check.Error},
		"the caBundle is wrong, not its own": {secret,
			check.Reported{Check: "SD1003",
				Finding: check.Finding{About: check.Named(configuration), Related: []snapshot.Ref{secret}, Severity: check.Error}},
			check.Warning},
	} {
		t.Run(name, func(t *testing.T) {
			drift := check.Reported{Check: "SD1006", Finding: check.Finding{About: check.Named(c.drift), Severity: check.Warning}}
			results := check.Correlate([]check.Result{
				{Check: checkOf(t, c.other.Check), Status: check.Failed, Findings: []check.Reported{c.other}},
				{Check: checkOf(t, "SD1006"), Status: check.Failed, Findings: []check.Reported{drift}},
			})
			require.Equal(t, c.want, results[1].Findings[0].Severity)
			if c.want == check.Error {
				require.Equal(t, []string{drift.Fingerprint()}, results[0].Findings[0].CausedBy)
			}
		})
	}
}
