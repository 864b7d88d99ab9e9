package report_test

import (
	"bytes"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

func target(to, verdict string, errors, warnings int, checks ...string) report.PlanTarget {
	t := report.PlanTarget{To: to, Verdict: verdict, Because: "because of " + to, Checks: append([]string{}, checks...)}
	t.Findings.Error, t.Findings.Warning = errors, warnings
	return t
}

// TestPlanChooses the newest release that is a go, and says why no newer one, or why none.
func TestPlanChooses(t *testing.T) {
	for name, c := range map[string]struct {
		targets                []report.PlanTarget
		take, nearest, because string
		verdict                string
	}{
		"the newest": {[]report.PlanTarget{target("2.5.1", "GO", 0, 0), target("2.5.2", "GO", 0, 2)}, "2.5.2", "2.5.2",
			"the newest release, and a go; it has 2 warnings", "GO"},
		"one before it": {[]report.PlanTarget{target("2.5.1", "GO", 0, 0), target("2.5.2", "NO-GO", 1, 0, "SD7007")}, "2.5.1", "2.5.1",
			"the newest release that is a go: 2.5.2 is not (1 error of SD7007)", "GO"},
		"none": {[]report.PlanTarget{target("2.4.0", "NO-GO", 1, 0, "SD7006"), target("2.5.1", "NO-GO", 1, 0, "SD7006"),
			target("2.5.2", "NO-GO", 2, 0, "SD7006", "SD7007")}, "", "2.5.1",
			"no release is safe to upgrade to yet; nearest is 2.5.1: 1 error of SD7006", "NO-GO"},
		"an open question is no go": {[]report.PlanTarget{target("2.5.1", "NO-GO", 1, 0, "SD7006"), target("2.5.2", "INCOMPLETE", 0, 0)}, "",
			"2.5.2", "no release is safe to upgrade to yet; nearest is 2.5.2: because of 2.5.2", "INCOMPLETE"},
		"nothing newer": {nil, "", "", "no newer release is known (facts as of ", "GO"},
	} {
		row := report.PlanRow{Targets: c.targets}
		row.Choose()
		require.Equal(t, c.take, row.Take, name)
		require.Equal(t, c.nearest, row.Nearest(), name)
		require.Contains(t, row.Because, c.because, name)
		require.Equal(t, c.verdict, report.NewPlan(report.Tool{}, time.Time{}, []report.PlanRow{row}).Verdict, name)
	}
}

// somePlan is of a fleet: one cluster with two operators, one that could not be read, one without an operator.
func somePlan(text string) *report.Plan {
	first := report.PlanRow{Cluster: "prod" + text, Controller: "a/b" + text, Installed: "2.3.0",
		Targets: []report.PlanTarget{target("2.4.0", "GO", 0, 1), target("2.5.2", "NO-GO", 2, 1, "SD7006", "SD7007")}, Command: "gate" + text}
	second := report.PlanRow{Cluster: "prod" + text, Controller: "c/d", Installed: "2.5.1",
		Targets: []report.PlanTarget{target("2.5.2", "GO", 0, 0)}}
	first.Choose()
	second.Choose()
	unread := report.PlanRow{Cluster: "dev", Targets: []report.PlanTarget{}}
	unread.Unknown("connection refused" + text)
	p := report.NewPlan(report.Tool{Version: "dev"}, time.Unix(1789000000, 0).UTC(), []report.PlanRow{first, second, unread,
		{Cluster: "web", Targets: []report.PlanTarget{}, Because: "no Spark Operator", NoOperator: true}})
	p.Only = []string{"checks SD7*" + text}
	return p
}

func TestPlanIsValid(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, formats.WritePlan(&b, somePlan(""), "json", "", terminal.Style{}))
	require.NoError(t, strict(t).Validate(decodeJSON(t, bytes.NewReader(b.Bytes()))))
	require.Equal(t, "INCOMPLETE", somePlan("").Verdict, "a cluster could not be read")
	require.False(t, somePlan("").Failed())
	require.Error(t, formats.WritePlan(&b, somePlan(""), "sarif", "", terminal.Style{}))
	_, err := report.Read(b.Bytes())
	require.ErrorContains(t, err, "it is a UpgradePlan", "a plan is no baseline")
}

// TestPlanIsAMatrix of clusters and releases; what a cluster says never acts on a terminal.
func TestPlanIsAMatrix(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, formats.WritePlan(&b, somePlan(""), "table", "", terminal.Style{}))
	require.Regexp(t, `(?m)^CLUSTER +OPERATOR +INSTALLED +2\.4\.0 +2\.5\.2 +TAKE$`, b.String())
	require.Regexp(t, `(?m)^prod +a/b +2\.3\.0 +GO +NO-GO 2 +2\.4\.0$`, b.String())
	require.Regexp(t, `(?m)^prod +c/d +2\.5\.1 +- +GO +2\.5\.2$`, b.String())
	require.Contains(t, b.String(), "facts as of ")
	for _, format := range formats.PlanNames() {
		var b bytes.Buffer
		require.NoError(t, formats.WritePlan(&b, somePlan(reporttest.Escapes), format, "", terminal.Style{}))
		for _, c := range b.String() {
			require.True(t, c == '\n' || unicode.IsGraphic(c), "%s: %U", format, c)
		}
	}
}
