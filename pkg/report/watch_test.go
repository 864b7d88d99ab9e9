package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// TestWatch goes through scans in a row and looks at what whoever watches is told.
func TestWatch(t *testing.T) {
	one := func(severity check.Severity, names ...string) *report.Report {
		result := check.Result{Check: reporttest.Owner()}
		for _, name := range names {
			result.Status = check.Failed
			result.Findings = append(result.Findings, reporttest.Finding(reporttest.Owner(), reporttest.Spark("team-a", name), severity,
				name+" is owned elsewhere"))
		}
		return reporttest.Build(reporttest.Cluster(), result)
	}
	blind := func() *report.Report {
		return reporttest.Build(reporttest.Cluster(), check.Result{Check: reporttest.Owner(), Status: check.Skipped,
			Reason: "could not list sparkapplications: forbidden"})
	}
	var w report.Watch
	for _, round := range []struct {
		scan *report.Report
		want string
	}{
		{one(check.Warning, "a", "b"),
			"NEW WARNING SD2001 team-a sparkapplication/a: a is owned elsewhere|NEW WARNING SD2001 team-a sparkapplication/b: b is owned elsewhere"},
		{one(check.Warning, "a", "b"), ""},
		{one(check.Error, "a", "b"),
			"WORSE ERROR SD2001 team-a sparkapplication/a: a is owned elsewhere (was warning)|" +
				"WORSE ERROR SD2001 team-a sparkapplication/b: b is owned elsewhere (was warning)"},
		{one(check.Error, "a"), "RESOLVED ERROR SD2001 team-a sparkapplication/b: b is owned elsewhere"},
		{blind(), "UNSEEN ERROR SD2001 team-a sparkapplication/a: SD2001 could not tell: could not list sparkapplications: forbidden"},
		{blind(), ""},
		{one(check.Error, "a", "c"), "NEW ERROR SD2001 team-a sparkapplication/c: c is owned elsewhere"},
		{one(check.Error),
			"RESOLVED ERROR SD2001 team-a sparkapplication/a: a is owned elsewhere|" +
				"RESOLVED ERROR SD2001 team-a sparkapplication/c: c is owned elsewhere"},
		{one(check.Error, "a"), "NEW ERROR SD2001 team-a sparkapplication/a: a is owned elsewhere"},
	} {
		items := len(round.scan.Items)
		var got []string
		for _, item := range w.Next(round.scan) {
			var b bytes.Buffer
			require.NoError(t, terminal.Transition(&b, item, reporttest.Now()))
			line, found := strings.CutPrefix(b.String(), reporttest.Now().Format("2006-01-02T15:04:05Z")+" ")
			require.True(t, found, b.String())
			got = append(got, strings.Join(strings.Fields(line), " "))

			b.Reset()
			require.NoError(t, report.TransitionJSON(&b, item))
			require.Equal(t, 1, strings.Count(b.String(), "\n"))
			var read report.Item
			require.NoError(t, json.Unmarshal(b.Bytes(), &read))
			require.NotEmpty(t, read.Baseline.Class)
		}
		require.Equal(t, round.want, strings.Join(got, "|"))
		require.Len(t, round.scan.Items, items)
		require.Nil(t, round.scan.Baseline, "the report is left as it is")
		for _, item := range round.scan.Items {
			require.Nil(t, item.Baseline)
		}
	}
}
