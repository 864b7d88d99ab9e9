package report_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// classes are "class name" of all findings, those that are gone included.
func classes(r *report.Report) []string {
	out := []string{}
	for _, i := range r.Items {
		if i.Baseline != nil {
			out = append(out, i.Baseline.Class+" "+i.Object.Name)
		}
	}
	for _, i := range r.Baseline.Gone {
		out = append(out, "gone "+i.Baseline.Class+" "+i.Object.Name)
	}
	return out
}

func TestCompare(t *testing.T) {
	scoped := func(change func(*report.Report), names ...string) *report.Report {
		r := reporttest.Scanned(check.Error, names...)
		change(r)
		return r
	}
	withStatus := func(r check.Result, names ...string) *report.Report {
		r.Check = reporttest.Owner()
		for _, name := range names {
			r.Findings = append(r.Findings, reporttest.Finding(reporttest.Owner(), reporttest.Spark("team-a", name), check.Error,
				"owner lives elsewhere"))
		}
		return reporttest.Build(reporttest.Cluster(), r)
	}
	skipped := check.Result{Status: check.Skipped, Reason: "forbidden"}
	partial := func(namespace string) check.Result {
		return check.Result{Partial: true, Unseen: []snapshot.Unseen{reporttest.Forbidden(namespace)}}
	}
	for name, c := range map[string]struct {
		before, after *report.Report
		want          []string
		judged        int
	}{
		"the same": {reporttest.Scanned(check.Error, "a", "b"), reporttest.Scanned(check.Error, "a", "b"), []string{"unchanged a",
			"unchanged b"}, 0},
		"one more": {reporttest.Scanned(check.Error, "a"), reporttest.Scanned(check.Error, "a", "b"), []string{"new b", "unchanged a"},
			1},
		"one less": {reporttest.Scanned(check.Error, "a", "b"), reporttest.Scanned(check.Error, "b"), []string{"unchanged b",
			"gone resolved a"}, 0},
		"worse":  {reporttest.Scanned(check.Warning, "a"), reporttest.Scanned(check.Error, "a"), []string{"new a"}, 1},
		"better": {reporttest.Scanned(check.Error, "a"), reporttest.Scanned(check.Warning, "a"), []string{"unchanged a"}, 0},
		"made anew": {reporttest.Scanned(check.Error, "sales-8kd2v"), reporttest.Scanned(check.Error, "sales-x7q4n"),
			[]string{"unchanged sales-x7q4n"}, 0},
		"made anew, twice": {reporttest.Scanned(check.Error, "sales-8kd2v"), reporttest.Scanned(check.Error, "sales-x7q4n", "sales-5tz9r"),
			[]string{"new sales-x7q4n", "unchanged sales-5tz9r"}, 1},
		"a schedule's run": {reporttest.Scanned(check.Error, "nightly-1795272000000960003"), reporttest.Scanned(check.Error,
			"nightly-1795358400000123456"), []string{"unchanged nightly-1795358400000123456"}, 0},
		"the exact one is preferred": {
			reporttest.Scanned(check.Error, "sales-5tz9r", "sales-x7q4n"), reporttest.Scanned(check.Error, "sales-2bcdf", "sales-x7q4n"),
			[]string{"unchanged sales-2bcdf", "unchanged sales-x7q4n"}, 0,
		},
		"names that only look alike": {reporttest.Scanned(check.Error, "sales-north"), reporttest.Scanned(check.Error, "sales-south"),
			[]string{"new sales-south", "gone resolved sales-north"}, 1},
		"skipped now":  {reporttest.Scanned(check.Error, "a"), withStatus(skipped), []string{"gone notComparable a"}, 0},
		"skipped then": {withStatus(skipped), reporttest.Scanned(check.Error, "a"), []string{"notComparable a"}, 1},
		"not asked now": {reporttest.Scanned(check.Error, "a"), reporttest.Build(reporttest.Cluster(),
			check.Result{Check: reporttest.Growing()}), []string{"gone notComparable a"}, 0},
		"not asked then": {reporttest.Build(reporttest.Cluster(), check.Result{Check: reporttest.Growing()}),
			reporttest.Scanned(check.Error, "a"), []string{"notComparable a"}, 1},
		"this part not seen now":    {reporttest.Scanned(check.Error, "a"), withStatus(partial("team-a")), []string{"gone notComparable a"}, 0},
		"all not seen now":          {reporttest.Scanned(check.Error, "a"), withStatus(partial("")), []string{"gone notComparable a"}, 0},
		"another part not seen now": {reporttest.Scanned(check.Error, "a"), withStatus(partial("team-b")), []string{"gone resolved a"}, 0},
		"some left unjudged": {reporttest.Scanned(check.Error, "a"), withStatus(check.Result{Partial: true,
			Reason: "2 applications could not be decoded"}), []string{"gone notComparable a"}, 0},
		"another namespace": {
			reporttest.Scanned(check.Error, "a"), scoped(func(r *report.Report) { r.Scope.Namespaces = []string{"team-b"} }),
			[]string{"gone notComparable a"}, 0,
		},
		"this namespace": {
			reporttest.Scanned(check.Error, "a"), scoped(func(r *report.Report) { r.Scope.Namespaces = []string{"team-a"} }),
			[]string{"gone resolved a"}, 0,
		},
		"narrowed by labels": {reporttest.Scanned(check.Error, "a"), scoped(func(r *report.Report) { r.Scope.Selector = "x=y" }),
			[]string{"gone notComparable a"}, 0},
		"narrowed alike": {
			scoped(func(r *report.Report) { r.Scope.Selector = "x=y" }, "a"), scoped(func(r *report.Report) { r.Scope.Selector = "x=y" }),
			[]string{"gone resolved a"}, 0,
		},
		"narrowed by names": {
			reporttest.Scanned(check.Error, "a"), scoped(func(r *report.Report) { r.Scope.Objects = []string{"sparkapplication/b"} }),
			[]string{"gone notComparable a"}, 0,
		},
		"files and a cluster": {
			reporttest.Scanned(check.Error, "a"), reporttest.Build(report.Source{Name: "files", Type: "files"},
				check.Result{Check: reporttest.Owner()}), []string{"gone notComparable a"}, 0,
		},
		"accepted now":  {reporttest.Scanned(check.Error, "a"), reporttest.Accepted("a"), []string{}, 0},
		"accepted then": {reporttest.Accepted("a"), reporttest.Scanned(check.Error, "a"), []string{"new a"}, 1},
	} {
		for how, after := range map[string]*report.Report{"live": c.after, "from a file": reporttest.Reread(t, c.after)} {
			after.Compare(reporttest.Reread(t, c.before))
			require.Equal(t, c.want, classes(after), "%s, %s", name, how)
			require.Equal(t, c.judged, after.AtLeast("info"), "%s, %s: what counts", name, how)
			f := after.Baseline.Findings
			require.Equal(t, len(c.want), f.New+f.Resolved+f.Unchanged+f.NotComparable, name)
			require.NoError(t, strict(t).Validate(decode(t, after)), name)
			reporttest.Reread(t, after)
		}
	}
}

// TestCompareJoined: the pods of one application are a finding, those of two with one cause are one finding together.
func TestCompareJoined(t *testing.T) {
	one := func(app string, pods ...int) check.Reported {
		f := reporttest.Finding(reporttest.Dangling(), reporttest.Spark("team-a", app), check.Warning, "pods lack something")
		f.App = app
		for _, i := range pods {
			f.Objects = append(f.Objects, reporttest.Pod(i))
		}
		return f
	}
	joined := func(pods ...int) check.Reported {
		f := one("a", pods...)
		f.Cause = "sd1002-0123456789ab"
		return f
	}
	of := func(list ...check.Reported) *report.Report {
		return reporttest.Build(reporttest.Cluster(), check.Result{Check: reporttest.Dangling(), Status: check.Failed, Findings: list})
	}
	for name, c := range map[string]struct {
		before, after *report.Report
		want          []string
	}{
		"one more application":   {of(one("a", 1, 2)), of(joined(1, 2, 3)), []string{"new a"}},
		"one application less":   {of(joined(1, 2, 3)), of(one("a", 1, 2)), []string{"unchanged a"}},
		"apart, all there":       {of(joined(1, 2, 3)), of(one("a", 1, 2), one("b", 3)), []string{"unchanged a", "unchanged b"}},
		"apart, and a new one":   {of(joined(1, 2)), of(one("a", 1), one("b", 2), one("c", 3)), []string{"new c", "unchanged a", "unchanged b"}},
		"others altogether":      {of(joined(1, 2)), of(one("c", 3)), []string{"new c", "gone resolved a"}},
		"one object, two faults": {of(one("a", 1)), of(one("b", 1)), []string{"new b", "gone resolved a"}},
	} {
		c.after.Compare(reporttest.Reread(t, c.before))
		require.Equal(t, c.want, classes(c.after), name)
	}
}

// TestCompareLargeFindings: one cause can hit a whole fleet, and become another one.
func TestCompareLargeFindings(t *testing.T) {
	fleet := func(cause string) *report.Report {
		f := reporttest.Finding(reporttest.Dangling(), reporttest.Spark("team-a", "a"), check.Warning, "pods lack something")
		f.Cause = cause
		for i := range 50_000 {
			f.Objects = append(f.Objects, reporttest.Pod(i))
		}
		return reporttest.Build(reporttest.Cluster(), check.Result{Check: reporttest.Dangling(), Status: check.Failed,
			Findings: []check.Reported{f}})
	}
	after := fleet("sd1002-0123456789ab")
	after.Compare(fleet("sd1003-0123456789ab"))
	require.Equal(t, []string{"unchanged a"}, classes(after), "another cause of the same")
}

func TestReadRefusesWhatIsNoReport(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "it is empty",
		"{":                                "expected JSON or YAML",
		"[]":                               "got array, want object",
		`{"kind": "ScanReport"}`:           "missing properties",
		"apiVersion: v1\nkind: Pod":        "it is a Pod",
		"kind: CaseFile":                   "it is a CaseFile",
		`{"version": "2.1.0", "runs": []}`: "it is SARIF",
		"a: b":                             "it has no kind",
	} {
		_, err := report.Read([]byte(text))
		require.ErrorContains(t, err, want, fmt.Sprintf("%q", text))
	}
	var b bytes.Buffer
	require.NoError(t, report.YAML(&b, reporttest.Night()))
	r, err := report.Read(b.Bytes())
	require.NoError(t, err, "YAML, too")
	want, lines := reporttest.Night().Items, 0
	for _, item := range want {
		for j := range item.Next {
			if item.Next[j].Command != "" {
				lines++
			}
			item.Next[j].Command = ""
		}
	}
	require.Positive(t, lines)
	require.Equal(t, want, r.Items, "all but commands, which nobody copies out of a file")
}
