package checks_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// suppressedBed is an application whose owner lives in another namespace, and one that is fine, with annotations.
func suppressedBed(t *testing.T, bad, good string, complete bool) *snapshot.Snapshot {
	t.Helper()
	text := `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: bad
  namespace: team-a
  labels: {team: bad}
  uid: 11111111-0000-4000-8000-000000000001
  creationTimestamp: "2026-11-20T03:00:00Z"
  annotations: {sparkdoctor.io/ignore: '` + bad + `', other: x}
  ownerReferences:
  - {apiVersion: argoproj.io/v1alpha1, kind: Workflow, name: nightly, uid: 22222222-0000-4000-8000-000000000001}
---
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: good
  namespace: team-a
  uid: 11111111-0000-4000-8000-000000000002
  creationTimestamp: "2026-11-20T03:00:00Z"
  annotations: {sparkdoctor.io/ignore: '` + good + `'}
---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: nightly, namespace: argo, uid: 22222222-0000-4000-8000-000000000001}
`
	path := filepath.Join(t.TempDir(), "in.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	s, _, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{path}, Complete: complete, Now: time.Now()})
	require.NoError(t, err)
	return s
}

// outcome maps what counts to its severity, and says how many findings do not.
func outcome(results []check.Result) (counting map[string]string, suppressed int) {
	counting = map[string]string{}
	for _, r := range results {
		for _, f := range r.Findings {
			if f.Suppressed != nil {
				suppressed++
				continue
			}
			counting[f.Check+" "+f.Object.Name] = f.Severity.String()
		}
	}
	return counting, suppressed
}

func TestSuppress(t *testing.T) {
	found := map[string]string{"SD2001 bad": "error"}
	bad := []snapshot.Key{{Namespace: "team-a", Name: "bad", GroupKind: snapshot.GroupKind{Group: snapshot.SparkGroup,
		Kind: "SparkApplication"}}}
	for name, c := range map[string]struct {
		bad, good  string
		ignore     []string
		partial    bool // files that are not everything
		sel        check.Selection
		want       map[string]string
		suppressed int
	}{
		"no suppression":        {want: found},
		"annotation":            {bad: "SD2001: moved on Monday", suppressed: 1},
		"by slug, with an end":  {bad: "cross-namespace-owner: moved on Monday (until 2026-12-31)", suppressed: 1},
		"on its last day":       {bad: "SD2001: x (until 2026-11-20)", suppressed: 1},
		"ended":                 {bad: "SD2001: x (until 2026-11-19)", want: map[string]string{"SD2001 bad": "error", "SD0001 bad": "warning"}},
		"ended and left over":   {good: "SD2001: x (until 2026-11-19)", want: map[string]string{"SD2001 bad": "error", "SD0001 good": "info"}},
		"another check":         {bad: "SD2004: x", want: map[string]string{"SD2001 bad": "error", "SD0002 bad": "info"}},
		"another object":        {good: "SD2001: x", want: map[string]string{"SD2001 bad": "error", "SD0002 good": "info"}},
		"several":               {bad: "SD2004: x; SD2001: y", want: map[string]string{"SD0002 bad": "info"}, suppressed: 1},
		"no reason":             {bad: "SD2001", want: map[string]string{"SD2001 bad": "error", "SD0003 bad": "warning"}},
		"no such check":         {bad: "SD2099: x", want: map[string]string{"SD2001 bad": "error", "SD0003 bad": "warning"}},
		"no such day":           {bad: "SD2001: x (until 2026-02-30)", want: map[string]string{"SD2001 bad": "error", "SD0003 bad": "warning"}},
		"free text":             {bad: "please ignore", want: map[string]string{"SD2001 bad": "error", "SD0003 bad": "warning"}},
		"names an object":       {bad: "SD2001=team-b/x: y", want: map[string]string{"SD2001 bad": "error", "SD0003 bad": "warning"}},
		"one of two unreadable": {bad: "SD2001: x; SD9", want: map[string]string{"SD0003 bad": "warning"}, suppressed: 1},
		"flag":                  {ignore: []string{"SD2001"}, suppressed: 1},
		"flag for the object":   {ignore: []string{"SD2001=team-a/bad: moved (until 2026-12-31)"}, suppressed: 1},
		"flag with patterns":    {ignore: []string{"SD2001=team-*/b*"}, suppressed: 1},
		"flag, another name": {ignore: []string{"SD2001=team-a/b"},
			want: map[string]string{"SD2001 bad": "error", "SD0002 --ignore": "info"}},
		"flag, cluster-scoped":   {ignore: []string{"SD2001=bad"}, want: map[string]string{"SD2001 bad": "error", "SD0002 --ignore": "info"}},
		"flag, another check":    {ignore: []string{"SD2004"}, want: map[string]string{"SD2001 bad": "error", "SD0002 --ignore": "info"}},
		"check that was not run": {ignore: []string{"SD2005"}, want: found},
		"check that could not judge": {
			ignore: []string{"SD2002"}, partial: true, want: found, // not applicable to a part
		},
		"flag on a part of the files": {ignore: []string{"SD2001=team-b/x"}, partial: true, want: found},
		"other namespaces":            {ignore: []string{"SD2001=team-b/x"}, sel: check.Selection{Namespaces: []string{"team-a"}}, want: found},
		"this namespace": {ignore: []string{"SD2001=team-a/x"}, sel: check.Selection{Namespaces: []string{"team-a"}},
			want: map[string]string{"SD2001 bad": "error", "SD0002 --ignore": "info"}},
		"named objects, unused":     {good: "SD2001: x", sel: check.Selection{Objects: bad}, want: found},
		"named objects, unreadable": {good: "free text", sel: check.Selection{Objects: bad}, want: found},
		"the named object": {bad: "free text", sel: check.Selection{Objects: bad},
			want: map[string]string{"SD2001 bad": "error", "SD0003 bad": "warning"}},
		"labels that others have": {good: "free text", sel: check.Selection{Selector: labels.SelectorFromSet(labels.Set{"team": "bad"})},
			want: found},
		"labels that it has": {bad: "free text", sel: check.Selection{Selector: labels.SelectorFromSet(labels.Set{"team": "bad"})},
			want: map[string]string{"SD2001 bad": "error", "SD0003 bad": "warning"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := suppressedBed(t, c.bad, c.good, !c.partial)
			list, err := check.Select(checks.All(), []string{"SD2001", "SD2002", "SD2004"}, nil)
			require.NoError(t, err)
			var given []check.SuppressionRule
			for _, text := range c.ignore {
				w, err := checks.ParseIgnore(text)
				require.NoError(t, err)
				given = append(given, w)
			}
			results := check.Correlate(c.sel.Narrow(s, check.Run(s, list, check.DefaultParams())))
			before := len(results)
			results = checks.Suppress(s, results, given, check.SuppressionChecks(), c.sel)
			want := c.want
			if want == nil {
				want = map[string]string{}
			}
			got, suppressed := outcome(results)
			require.Equal(t, want, got)
			require.Equal(t, c.suppressed, suppressed)
			_, fails := want["SD2001 bad"]
			require.Equal(t, fails, results[0].Status == check.Failed, "a check fails by what counts")
			if c.bad+c.good == "" && c.ignore == nil {
				require.Len(t, results, before, "without suppressions nothing is said of them")
			}
		})
	}
}

// TestSuppressionCoversAWhole: a finding that joins objects is hidden only if all of them are accepted.
func TestSuppressionCoversAWhole(t *testing.T) {
	ref := func(kind, group, name string) snapshot.Ref {
		return snapshot.Ref{APIVersion: group, Kind: kind, Namespace: "team-a", Name: name}
	}
	etl, first, second := ref("SparkApplication", "sparkoperator.k8s.io/v1beta2", "etl"), ref("Pod", "v1", "etl-exec-1"),
		ref("Pod", "v1", "etl-exec-2")
	pods := check.Reported{Check: "SD2002",
		Finding: check.Finding{About: check.About{Object: first, App: "etl", Objects: []snapshot.Ref{first, second}}}}
	joined := check.Reported{Check: "SD4002", Folded: check.Folded{Cause: "sd1002-0123456789ab", Apps: true},
		Finding: check.Finding{About: check.About{Object: etl, App: "etl", Objects: []snapshot.Ref{first, ref("Pod", "v1", "other-exec-1")}}}}
	for name, c := range map[string]struct {
		f       check.Reported
		ignore  string
		covered bool
	}{
		"by the application":           {pods, "SD2002=team-a/etl", true},
		"all pods":                     {pods, "SD2002=team-a/etl-exec-*", true},
		"one pod of two":               {pods, "SD2002=team-a/etl-exec-1", false},
		"one application of two":       {joined, "SD4002=team-a/etl*", false},
		"everything in the namespace":  {joined, "SD4002=team-a/*", true},
		"everything of another check":  {joined, "SD4001", false},
		"everything of that check":     {joined, "SD4002", true},
		"the namespace of another one": {joined, "SD4002=team-b/*", false},
	} {
		w, err := checks.ParseIgnore(c.ignore)
		require.NoError(t, err)
		found, err := check.Lookup(checks.All(), c.f.Check)
		require.NoError(t, err)
		results := []check.Result{{Check: found, Status: check.Failed, Findings: []check.Reported{c.f}}}
		out := checks.Suppress(&snapshot.Snapshot{}, results, []check.SuppressionRule{w}, nil, check.Selection{})
		require.Equal(t, c.covered, out[0].Findings[0].Suppressed != nil, name)
		require.Nil(t, results[0].Findings[0].Suppressed, "the input is not changed")
	}
}

// TestSuppressionsChangeNoVerdict: pods are not mutated, whether somebody accepts it or not.
func TestSuppressionsChangeNoVerdict(t *testing.T) {
	s := jobs("team-a", "team-b")
	namespace := snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: "team-b"}
	results := chainOf(found("SD1007", check.Reported{Finding: check.Finding{About: check.Named(namespace), Severity: check.Warning}}))
	before := checks.Admissions(s, results)
	require.Equal(t, check.AdmissionBroken, before[1].State)
	w, err := checks.ParseIgnore("SD1007")
	require.NoError(t, err)
	after := checks.Suppress(s, results, []check.SuppressionRule{w}, check.SuppressionChecks(), check.Selection{})
	_, suppressed := outcome(after)
	require.Equal(t, 1, suppressed)
	require.Equal(t, before, checks.Admissions(s, after))
}

func TestParseIgnore(t *testing.T) {
	w, err := checks.ParseIgnore("cross-namespace-owner=team-a/etl-*: owned by: nobody (until 2026-12-31)")
	require.NoError(t, err)
	require.Equal(t, check.SuppressionRule{
		Check: "SD2001", Namespace: "team-a", Name: "etl-*", Reason: "owned by: nobody", By: check.ByFlag,
		Until: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), Source: snapshot.Ref{Kind: "Flag", Name: "--ignore"},
	}, w)
	for text, wrong := range map[string]string{
		"": "is not of the form", "SD2001 team-a": "is not of the form", "SD2099": `unknown check "SD2099"`, "SD2001=team-a/[": "is no pattern",
		"SD2001: x (until tomorrow)": `"tomorrow" is not a date`, "SD0001": "unknown check",
	} {
		_, err := checks.ParseIgnore(text)
		require.ErrorContains(t, err, wrong, text)
	}
}
