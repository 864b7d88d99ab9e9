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
		other check.Finding
		want  check.Severity
	}{
		"the Secret is empty":       {secret, check.Finding{Check: "SD1004", Object: secret, Severity: check.Error}, check.Error},
		"its certificate ends soon": {secret, check.Finding{Check: "SD1004", Object: secret, Severity: check.Warning}, check.Warning},
		"another Secret is empty": {secret, check.Finding{Check: "SD1004", Object: ref("Secret", "other"), Severity: check.Error},
			check.Warning},
		"the caBundle is wrong": {configuration, check.Finding{Check: "SD1003", Object: configuration, Severity: check.Error},
			check.Error},
		"the caBundle is wrong, not its own": {secret, check.Finding{Check: "SD1003", Object: configuration, Related: []snapshot.Ref{secret},
			Severity: check.Error}, check.Warning},
	} {
		t.Run(name, func(t *testing.T) {
			drift := check.Finding{Check: "SD1006", Object: c.drift, Severity: check.Warning}
			results := check.Correlate([]check.Result{
				{Check: checkOf(t, c.other.Check), Status: check.Failed, Findings: []check.Finding{c.other}},
				{Check: checkOf(t, "SD1006"), Status: check.Failed, Findings: []check.Finding{drift}},
			})
			require.Equal(t, c.want, results[1].Findings[0].Severity)
			if c.want == check.Error {
				require.Equal(t, []string{drift.Fingerprint()}, results[0].Findings[0].CausedBy)
			}
		})
	}
}
