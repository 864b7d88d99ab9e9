package report_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// scanned is the report of one check that found something about these applications of team-a.
func scanned(severity check.Severity, names ...string) *report.Report {
	r := check.Result{Check: owner()}
	for _, name := range names {
		r.Status = check.Failed
		r.Findings = append(r.Findings, finding(owner(), spark("team-a", name), severity, "owner lives elsewhere"))
	}
	return build(cluster(), r)
}

// reread is a report as another process gets it.
func reread(t *testing.T, r *report.Report) *report.Report {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, report.JSON(&b, r))
	back, err := report.Read(b.Bytes())
	require.NoError(t, err)
	return back
}

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
		r := scanned(check.Error, names...)
		change(r)
		return r
	}
	withStatus := func(r check.Result, names ...string) *report.Report {
		r.Check = owner()
		for _, name := range names {
			r.Findings = append(r.Findings, finding(owner(), spark("team-a", name), check.Error, "owner lives elsewhere"))
		}
		return build(cluster(), r)
	}
	skipped := check.Result{Status: check.Skipped, Reason: "forbidden"}
	partial := func(namespace string) check.Result {
		return check.Result{Partial: true, Unseen: []snapshot.Unseen{forbidden(namespace)}}
	}
	for name, c := range map[string]struct {
		before, after *report.Report
		want          []string
		judged        int
	}{
		"the same":         {scanned(check.Error, "a", "b"), scanned(check.Error, "a", "b"), []string{"unchanged a", "unchanged b"}, 0},
		"one more":         {scanned(check.Error, "a"), scanned(check.Error, "a", "b"), []string{"new b", "unchanged a"}, 1},
		"one less":         {scanned(check.Error, "a", "b"), scanned(check.Error, "b"), []string{"unchanged b", "gone resolved a"}, 0},
		"worse":            {scanned(check.Warning, "a"), scanned(check.Error, "a"), []string{"new a"}, 1},
		"better":           {scanned(check.Error, "a"), scanned(check.Warning, "a"), []string{"unchanged a"}, 0},
		"made anew":        {scanned(check.Error, "sales-8kd2v"), scanned(check.Error, "sales-x7q4n"), []string{"unchanged sales-x7q4n"}, 0},
		"made anew, twice": {scanned(check.Error, "sales-8kd2v"), scanned(check.Error, "sales-x7q4n", "sales-5tz9r"), []string{"new sales-x7q4n", "unchanged sales-5tz9r"}, 1},
		"a schedule's run": {scanned(check.Error, "nightly-1795272000000960003"), scanned(check.Error, "nightly-1795358400000123456"), []string{"unchanged nightly-1795358400000123456"}, 0},
		"the exact one is preferred": {
			scanned(check.Error, "sales-5tz9r", "sales-x7q4n"), scanned(check.Error, "sales-2bcdf", "sales-x7q4n"),
			[]string{"unchanged sales-2bcdf", "unchanged sales-x7q4n"}, 0,
		},
		"names that only look alike": {scanned(check.Error, "sales-north"), scanned(check.Error, "sales-south"), []string{"new sales-south", "gone resolved sales-north"}, 1},
		"skipped now":                {scanned(check.Error, "a"), withStatus(skipped), []string{"gone notComparable a"}, 0},
		"skipped then":               {withStatus(skipped), scanned(check.Error, "a"), []string{"notComparable a"}, 1},
		"not asked now":              {scanned(check.Error, "a"), build(cluster(), check.Result{Check: growing()}), []string{"gone notComparable a"}, 0},
		"not asked then":             {build(cluster(), check.Result{Check: growing()}), scanned(check.Error, "a"), []string{"notComparable a"}, 1},
		"this part not seen now":     {scanned(check.Error, "a"), withStatus(partial("team-a")), []string{"gone notComparable a"}, 0},
		"all not seen now":           {scanned(check.Error, "a"), withStatus(partial("")), []string{"gone notComparable a"}, 0},
		"another part not seen now":  {scanned(check.Error, "a"), withStatus(partial("team-b")), []string{"gone resolved a"}, 0},
		"some left unjudged":         {scanned(check.Error, "a"), withStatus(check.Result{Partial: true, Reason: "2 applications could not be decoded"}), []string{"gone notComparable a"}, 0},
		"another namespace": {
			scanned(check.Error, "a"), scoped(func(r *report.Report) { r.Scope.Namespaces = []string{"team-b"} }), []string{"gone notComparable a"}, 0,
		},
		"this namespace": {
			scanned(check.Error, "a"), scoped(func(r *report.Report) { r.Scope.Namespaces = []string{"team-a"} }), []string{"gone resolved a"}, 0,
		},
		"narrowed by labels": {scanned(check.Error, "a"), scoped(func(r *report.Report) { r.Scope.Selector = "x=y" }), []string{"gone notComparable a"}, 0},
		"narrowed alike": {
			scoped(func(r *report.Report) { r.Scope.Selector = "x=y" }, "a"), scoped(func(r *report.Report) { r.Scope.Selector = "x=y" }), []string{"gone resolved a"}, 0,
		},
		"narrowed by names": {
			scanned(check.Error, "a"), scoped(func(r *report.Report) { r.Scope.Objects = []string{"sparkapplication/b"} }), []string{"gone notComparable a"}, 0,
		},
		"files and a cluster": {
			scanned(check.Error, "a"), build(report.Source{Name: "files", Type: "files"}, check.Result{Check: owner()}), []string{"gone notComparable a"}, 0,
		},
		"accepted now":  {scanned(check.Error, "a"), accepted("a"), []string{}, 0},
		"accepted then": {accepted("a"), scanned(check.Error, "a"), []string{"new a"}, 1},
	} {
		for how, after := range map[string]*report.Report{"live": c.after, "from a file": reread(t, c.after)} {
			after.Compare(reread(t, c.before))
			require.Equal(t, c.want, classes(after), "%s, %s", name, how)
			require.Equal(t, c.judged, after.AtLeast("info"), "%s, %s: what counts", name, how)
			f := after.Baseline.Findings
			require.Equal(t, len(c.want), f.New+f.Resolved+f.Unchanged+f.NotComparable, name)
			require.NoError(t, strict(t).Validate(decode(t, after)), name)
			reread(t, after)
		}
	}
}

// TestCompareJoined: the pods of one application are a finding, those of two with one cause are one finding together.
func TestCompareJoined(t *testing.T) {
	one := func(app string, pods ...int) check.Finding {
		f := finding(dangling(), spark("team-a", app), check.Warning, "pods lack something")
		f.App = app
		for _, i := range pods {
			f.Objects = append(f.Objects, pod(i))
		}
		return f
	}
	joined := func(pods ...int) check.Finding {
		f := one("a", pods...)
		f.Cause = "sd1002-0123456789ab"
		return f
	}
	of := func(list ...check.Finding) *report.Report {
		return build(cluster(), check.Result{Check: dangling(), Status: check.Failed, Findings: list})
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
		c.after.Compare(reread(t, c.before))
		require.Equal(t, c.want, classes(c.after), name)
	}
}

// TestCompareLargeFindings: one cause can hit a whole fleet, and become another one.
func TestCompareLargeFindings(t *testing.T) {
	fleet := func(cause string) *report.Report {
		f := finding(dangling(), spark("team-a", "a"), check.Warning, "pods lack something")
		f.Cause = cause
		for i := range 50_000 {
			f.Objects = append(f.Objects, pod(i))
		}
		return build(cluster(), check.Result{Check: dangling(), Status: check.Failed, Findings: []check.Finding{f}})
	}
	after := fleet("sd1002-0123456789ab")
	after.Compare(fleet("sd1003-0123456789ab"))
	require.Equal(t, []string{"unchanged a"}, classes(after), "another cause of the same")
}

// accepted is a report in which somebody accepts what was found.
func accepted(name string) *report.Report {
	f := finding(owner(), spark("team-a", name), check.Error, "owner lives elsewhere")
	f.Suppressed = &check.Suppression{By: check.ByFlag}
	return build(cluster(), check.Result{Check: owner(), Findings: []check.Finding{f}})
}

// sampleCompared has findings of every class.
func sampleCompared() *report.Report {
	before := scanned(check.Warning, "etl", "worse", "fixed")
	before.Items = append(before.Items, build(cluster(), check.Result{Check: dangling(), Findings: []check.Finding{finding(dangling(), pod(1), check.Warning, "owner is gone")}}).Items...)
	before.Metadata.CreationTimestamp = night().Add(-24 * time.Hour)
	found := func(severity check.Severity, name string) check.Finding {
		return finding(owner(), spark("team-a", name), severity, "owner lives elsewhere")
	}
	worse := found(check.Error, "worse")
	worse.Fixes = []fix.Intent{fix.RemoveFinalizer{Name: escapes}}
	after := build(cluster(),
		check.Result{Check: owner(), Status: check.Failed, Findings: []check.Finding{found(check.Warning, "etl"), found(check.Warning, escapes), worse}},
		check.Result{Check: growing(), Status: check.Failed, Findings: []check.Finding{finding(growing(), spark("team-c", "small"), check.Info, "status.executorState holds 900 entries")}},
	)
	after.Compare(before)
	return after
}

func TestReadRefusesWhatIsNoReport(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "it is no report of sparkdoctor.io/v1alpha1",
		"{":                         "it is no JSON or YAML",
		"[]":                        "it is no report of sparkdoctor.io/v1alpha1: : got array, want object",
		`{"kind": "ScanReport"}`:    "missing properties",
		"apiVersion: v1\nkind: Pod": "it is no report",
	} {
		_, err := report.Read([]byte(text))
		require.ErrorContains(t, err, want, fmt.Sprintf("%q", text))
	}
	var b bytes.Buffer
	require.NoError(t, report.YAML(&b, sampleNight()))
	r, err := report.Read(b.Bytes())
	require.NoError(t, err, "YAML, too")
	require.Equal(t, sampleNight().Items, r.Items)
	require.NotEmpty(t, r.Checks[1].Next, "what to do comes from the catalogue")
}
