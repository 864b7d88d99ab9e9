package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// TestAdmissionThatWasNotAsked: a scan that leaves out the checks of admission says nothing of it, and one that runs a part of them says
// what it could not tell.
func TestAdmissionThatWasNotAsked(t *testing.T) {
	unknown := report.Namespace{Name: "team-a", Admission: report.Admission{State: "unknown", Reason: "SD1008 could not tell: it was not asked"}}
	for check, want := range map[string][]string{"SD2006": nil, "SD1005": {"unknown in 1 namespace: SD1008 could not tell: it was not asked"}} {
		r := report.Report{
			Sources:    []report.Source{{Type: "cluster"}},
			Namespaces: []report.Namespace{unknown},
			Checks:     []report.Check{{ID: check, Status: "passed"}},
		}
		var said []string
		for _, f := range r.Facts() {
			if f.Label == "admission" {
				said = append(said, f.Text)
			}
		}
		require.Equal(t, want, said, check)
	}
}
