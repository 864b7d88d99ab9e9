package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// chain are three findings, each the cause of the next: the last one is of the check that comes first by its id.
func chain(severities ...check.Severity) []check.Result {
	down := reporttest.Finding(reporttest.Growing(), reporttest.Spark("team-a", "one"), severities[0], "is down")
	broken := reporttest.Finding(reporttest.Dangling(), reporttest.Spark("team-a", "two"), severities[1], "is broken")
	broken.CausedBy = []string{down.Fingerprint()}
	waits := reporttest.Finding(reporttest.Owner(), reporttest.Spark("team-b", "three"), severities[2], "waits")
	waits.CausedBy, waits.Since, waits.Brief = []string{broken.Fingerprint()}, reporttest.Now().Add(-48*time.Minute), "waits"
	return []check.Result{
		{Check: reporttest.Owner(), Status: check.Failed, Findings: []check.Reported{waits}},
		{Check: reporttest.Dangling(), Status: check.Failed, Findings: []check.Reported{broken}},
		{Check: reporttest.Growing(), Status: check.Failed, Findings: []check.Reported{down}},
	}
}

func ids(r *report.Report) []string {
	var out []string
	for _, item := range r.Items {
		out = append(out, item.Check)
	}
	return out
}

func TestCausesPrecedeEffects(t *testing.T) {
	for _, severities := range [][]check.Severity{
		{check.Error, check.Error, check.Error}, {check.Warning, check.Error, check.Error}, {check.Info, check.Info, check.Error},
		{check.Error, check.Warning, check.Info},
	} {
		r := reporttest.Build(reporttest.Cluster(), chain(severities...)...)
		require.Equal(t, []string{"SD3001", "SD2002", "SD2001"}, ids(r), severities)
		require.Len(t, r.Verdict.Roots, 1)
		root := r.Verdict.Roots[0]
		require.Equal(t, "SD3001", root.Check)
		require.Equal(t, []string{r.Items[1].Metadata.Name, r.Items[2].Metadata.Name}, root.Effects)
		require.Empty(t, r.Verdict.Also(1))
	}
}

// TestRootsByConsequence: what loses work comes before what will stop something, and an error before a warning of anything.
func TestRootsByConsequence(t *testing.T) {
	result := func(c check.Check, severity check.Severity) check.Result {
		return check.Result{Check: c, Status: check.Failed,
			Findings: []check.Reported{reporttest.Finding(c, reporttest.Spark("team-a", "etl"), severity, "is wrong")}}
	}
	r := reporttest.Build(reporttest.Cluster(), result(reporttest.Owner(), check.Error), result(reporttest.Growing(), check.Error),
		result(reporttest.Unused(), check.Warning), result(reporttest.Dangling(), check.Info))
	var got []string
	for _, root := range r.Verdict.Roots {
		got = append(got, root.Check)
	}
	require.Equal(t, []string{"SD2001", "SD3001", "SD1003"}, got)
	require.Equal(t, report.StateBroken, r.Verdict.State)
	require.Equal(t, "also, with other causes: 1 info (team-a 1)", r.Verdict.Also(3))
	require.Equal(t, "also, with other causes: 1 warning, 1 info (team-a 2)", r.Verdict.Also(2))
}

// TestFindingsThatCauseEachOther have one root all the same, and an end.
func TestFindingsThatCauseEachOther(t *testing.T) {
	a := reporttest.Finding(reporttest.Owner(), reporttest.Spark("team-a", "one"), check.Error, "waits for two")
	b := reporttest.Finding(reporttest.Dangling(), reporttest.Spark("team-a", "two"), check.Error, "waits for one")
	a.CausedBy, b.CausedBy = []string{b.Fingerprint()}, []string{a.Fingerprint()}
	r := reporttest.Build(reporttest.Cluster(), check.Result{Check: reporttest.Owner(), Status: check.Failed, Findings: []check.Reported{a}},
		check.Result{Check: reporttest.Dangling(), Status: check.Failed, Findings: []check.Reported{b}})
	require.Len(t, r.Verdict.Roots, 1)
	require.Len(t, r.Verdict.Roots[0].Effects, 1)
}

// TestHealthySaysOnlyWhatWasSeen: a skipped check, or one that was not selected, says nothing good.
func TestHealthySaysOnlyWhatWasSeen(t *testing.T) {
	partial := reporttest.Partial().Verdict
	require.Equal(t, report.StateUnknown, partial.State)
	require.Empty(t, partial.Wellness())
	clean := reporttest.Clean().Verdict
	require.Equal(t, report.StateHealthy, clean.State)
	require.NotContains(t, clean.Wellness(), "operator", "nobody asked the checks about it")
}

// TestWhatIsAcceptedIsNoRoot: nor does it hide what it causes.
func TestWhatIsAcceptedIsNoRoot(t *testing.T) {
	results := chain(check.Error, check.Error, check.Error)
	results[2].Findings[0].Suppressed = &check.Suppression{By: check.ByFlag}
	r := reporttest.Build(reporttest.Cluster(), results...)
	require.Len(t, r.Verdict.Roots, 1)
	require.Equal(t, "SD2002", r.Verdict.Roots[0].Check)
}

func TestAgeOfARoot(t *testing.T) {
	r := reporttest.Build(reporttest.Cluster(), chain(check.Error, check.Error, check.Error)...)
	require.Equal(t, "team-b sparkapplication/three: waits (for 48 min)", r.Blocks()[0].Rows[1].Text)

	itself := chain(check.Error, check.Error, check.Error)
	itself[0].Findings[0].Brief = ""
	itself[0].Findings[0].Message = "has waited for 48m"
	r = reporttest.Build(reporttest.Cluster(), itself...)
	require.Equal(t, "team-b sparkapplication/three: has waited for 48m", r.Blocks()[0].Rows[1].Text, "a message tells its age itself")
}

// TestFailedApplications: an application that failed for reasons of its own is no root, and the verdict names it and the command all the
// same. What is well beside it is not said then.
func TestFailedApplications(t *testing.T) {
	lately := check.Check{ID: "SD8001", Slug: "failed-lately", Title: "an application failed lately", Consequence: check.StopsJobs}
	found := func(names ...string) check.Result {
		out := check.Result{Check: lately, Status: check.Failed}
		for _, name := range names {
			out.Findings = append(out.Findings, reporttest.Finding(lately, reporttest.Spark("team-a", name), check.Info, "FAILED: out of memory"))
		}
		return out
	}
	r := reporttest.Build(reporttest.Cluster(), found("etl"))
	require.Empty(t, r.Verdict.Roots)
	require.Empty(t, r.Verdict.Wellness())
	require.Empty(t, r.Verdict.Also(0))
	blocks, _ := r.Shown()
	require.Len(t, blocks, 1)
	require.Equal(t, "team-a/etl FAILED: out of memory", blocks[0].Text)
	require.Equal(t, []report.Row{{Label: report.LabelCommand, Command: true, Text: "kubectl sparkdoctor why etl -n team-a --context prod"}},
		blocks[0].Rows)

	blocks, _ = reporttest.Build(reporttest.Cluster(), found("etl", "sums")).Shown()
	require.Equal(t, "2 applications failed lately: team-a/etl FAILED: out of memory", blocks[0].Text)
	require.Equal(t, "kubectl sparkdoctor why -A --context prod", blocks[0].Rows[0].Text)
}
