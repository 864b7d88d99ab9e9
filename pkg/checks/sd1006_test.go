package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestCorrelateRaisesDrift lets another check find that what a GitOps tool owns is wrong now.
func TestCorrelateRaisesDrift(t *testing.T) {
	secret, configuration := ref("Secret", "certs"), ref("MutatingWebhookConfiguration", "webhook")
	for name, c := range map[string]struct {
		drift snapshot.Ref
		other checks.Finding
		want  checks.Severity
	}{
		"the Secret is empty":                {secret, checks.Finding{Check: "SD1004", Object: secret, Severity: checks.Error}, checks.Error},
		"its certificate ends soon":          {secret, checks.Finding{Check: "SD1004", Object: secret, Severity: checks.Warning}, checks.Warning},
		"another Secret is empty":            {secret, checks.Finding{Check: "SD1004", Object: ref("Secret", "other"), Severity: checks.Error}, checks.Warning},
		"the caBundle is wrong":              {configuration, checks.Finding{Check: "SD1003", Object: configuration, Severity: checks.Error}, checks.Error},
		"the caBundle is wrong, not its own": {secret, checks.Finding{Check: "SD1003", Object: configuration, Related: []snapshot.Ref{secret}, Severity: checks.Error}, checks.Warning},
	} {
		t.Run(name, func(t *testing.T) {
			drift := checks.Finding{Check: "SD1006", Object: c.drift, Severity: checks.Warning}
			results := checks.Correlate([]checks.Result{
				{Check: check(t, c.other.Check), Status: checks.Failed, Findings: []checks.Finding{c.other}},
				{Check: check(t, "SD1006"), Status: checks.Failed, Findings: []checks.Finding{drift}},
			})
			require.Equal(t, c.want, results[1].Findings[0].Severity)
			if c.want == checks.Error {
				require.Equal(t, []string{drift.Fingerprint()}, results[0].Findings[0].CausedBy)
			}
		})
	}
}
