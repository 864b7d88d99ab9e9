package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

func TestDecide(t *testing.T) {
	found := func(severity check.Severity) check.Result {
		return check.Result{Check: reporttest.Refused(), Status: check.Failed, Findings: []check.Reported{reporttest.Finding(reporttest.Refused(),
			reporttest.Spark("team-a", severity.String()), severity, "refused")}}
	}
	waived := found(check.Error)
	waived.Findings[0].Suppressed = &check.Suppression{By: check.ByFlag}
	blind := check.Result{Check: reporttest.Unused(), Status: check.Skipped, Reason: "forbidden"}
	partial := check.Result{Check: reporttest.Conf(), Partial: true}
	for name, c := range map[string]struct {
		results         []check.Result
		failOn          string
		allowIncomplete bool
		verdict, why    string
	}{
		"clean":                {[]check.Result{{Check: reporttest.Conf()}}, "error", false, "GO", "nothing found that speaks against it"},
		"an error":             {[]check.Result{found(check.Error)}, "error", false, "NO-GO", "1 error"},
		"a warning":            {[]check.Result{found(check.Warning)}, "error", false, "GO", "1 warning (below --fail-on error)"},
		"a warning that fails": {[]check.Result{found(check.Warning), found(check.Info)}, "warning", false, "NO-GO", "1 warning"},
		"nothing fails":        {[]check.Result{found(check.Error)}, "none", false, "GO", "1 error (--fail-on none lets every finding pass)"},
		"suppressed":           {[]check.Result{waived, {Check: reporttest.Conf()}}, "error", false, "GO", "1 error suppressed"},
		"suppressed, and a warning": {[]check.Result{waived, found(check.Warning)}, "error", false, "GO",
			"1 warning (below --fail-on error); 1 error suppressed"},
		"blind": {[]check.Result{blind, {Check: reporttest.Conf()}}, "error", false, "INCOMPLETE",
			"1 check could not look"},
		"blind in part": {[]check.Result{blind, partial}, "error", false, "INCOMPLETE",
			"1 check could not look; 1 check could only look in part"},
		"blind with a warning": {[]check.Result{found(check.Warning), partial}, "error", false, "INCOMPLETE",
			"1 warning (below --fail-on error); 1 check could only look in part"},
		"an error outweighs it":       {[]check.Result{found(check.Error), blind}, "error", false, "NO-GO", "1 error; 1 check could not look"},
		"blind, and somebody says so": {[]check.Result{blind, {Check: reporttest.Conf()}}, "error", true, "GO", "1 check could not look"},
		"nothing could be judged": {[]check.Result{{Check: reporttest.Conf(), Status: check.NotApplicable}}, "error", false, "INCOMPLETE",
			"no check could judge anything"},
		"nothing could be judged, and that is allowed": {[]check.Result{{Check: reporttest.Conf(), Status: check.NotApplicable}}, "error", true,
			"INCOMPLETE", "no check could judge anything"},
	} {
		t.Run(name, func(t *testing.T) {
			r := reporttest.Build(reporttest.Cluster(), c.results...)
			r.Gate = report.GateOf(reporttest.Upgrade(), c.results)
			r.Decide(c.failOn, c.allowIncomplete)
			require.Equal(t, c.verdict, r.Gate.Verdict)
			require.Equal(t, c.why, r.Gate.Because)
		})
	}
}
