package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// allPassed is a report of which every check looked at everything and found nothing, but for one that could not look.
func allPassed(but string) *report.Report {
	var results []check.Result
	for _, c := range checks.All() {
		r := check.Result{Check: c}
		if c.ID == but {
			r.Status, r.Reason = check.Skipped, "could not list leases.coordination.k8s.io: forbidden"
		}
		results = append(results, r)
	}
	r := reporttest.Build(reporttest.Cluster(), results...)
	leads := reporttest.Now().Add(-72 * time.Hour)
	r.Scope.Installations[0].Leading = &leads
	for _, ns := range []string{"team-a", "team-b", "team-c"} {
		r.Namespaces = append(r.Namespaces, report.Namespace{Name: ns, Admission: report.Admission{State: "healthy"}})
	}
	r.Metrics = &report.Metrics{MaxObjectBytes: 1 << 20,
		Applications: []report.ApplicationSize{{Namespace: "team-a", Name: "etl", Bytes: 41944}}}
	r.Conclude()
	return r
}

// TestWellness: a clean scan says what is enforced, healthy and how far from its limit, if all checks of it looked.
func TestWellness(t *testing.T) {
	well := allPassed("")
	require.Equal(t, "admission: enforced in 3 of 3 namespaces · operator 2.5.1 healthy (leader for 3 d) · "+
		"largest application: 4% of the size limit", well.Verdict.Wellness())

	well.Namespaces[2].Admission.State = "unknown"
	well.Conclude()
	require.Contains(t, well.Verdict.Wellness(), "admission: enforced in 2 of 3 namespaces · ")

	well.Scope.Installations[0].Leading = nil
	well.Conclude()
	require.Contains(t, well.Verdict.Wellness(), "operator 2.5.1 healthy · ", "nothing tells since when a replica leads")
}

// TestNoWellnessOfWhatWasNotSeen: one check that could not look takes back what it would have to say.
func TestNoWellnessOfWhatWasNotSeen(t *testing.T) {
	for _, c := range checks.All() {
		var parts []string
		for part, says := range map[check.Part]string{
			check.Controller: "operator 2.5.1", check.Mutation: "enforced", check.StatusUpdate: "largest",
		} {
			for _, broken := range c.Breaks {
				if broken == part {
					parts = append(parts, says)
				}
			}
		}
		r := allPassed(c.ID)
		require.Empty(t, r.Verdict.Wellness(), c.ID)
		for _, says := range parts {
			for _, line := range r.Verdict.Healthy {
				require.NotContains(t, line, says, "%s could not look", c.ID)
			}
		}
	}
}
