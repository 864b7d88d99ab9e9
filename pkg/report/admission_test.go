package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// TestAdmissionThatWasNotAsked: a scan that leaves out all checks of admission says nothing of it, and one that runs a part of them says
// what it could not tell.
func TestAdmissionThatWasNotAsked(t *testing.T) {
	part := "SD1008 could not tell: it was not asked"
	for reason, want := range map[string][]string{check.AdmissionNotAsked: nil, part: {"unknown in 1 namespace: " + part}} {
		r := report.Report{
			Sources:    []report.Source{{Type: "cluster"}},
			Namespaces: []report.Namespace{{Name: "team-a", Admission: report.Admission{State: "unknown", Reason: reason}}},
		}
		var said []string
		for _, f := range r.Facts() {
			if f.Label == "admission" {
				said = append(said, f.Text)
			}
		}
		require.Equal(t, want, said, reason)
	}
}
