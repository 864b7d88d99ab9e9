package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestPicks(t *testing.T) {
	object := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "etl-driver"}
	other := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "etl-exec-1"}
	f := &checks.Finding{Check: "SD4001", Object: object, Objects: []snapshot.Ref{object, other}}
	for arg, want := range map[string][2]bool{
		"":                            {true, false}, // no argument at all
		"SD4001":                      {true, false},
		"orphan-pod":                  {true, false},
		"sd4001":                      {true, false},
		"SD4002":                      {false, false},
		"SD4001=a/etl-driver":         {true, true},
		"SD4001=etl-driver":           {true, true},
		"SD4001=a/etl-exec-1":         {true, true}, // folded under the finding
		"SD4001=b/etl-driver":         {false, false},
		"SD4001=other":                {false, false},
		"SD4002=a/etl-driver":         {false, false},
		f.Fingerprint():               {true, true},
		"sd4001-000000000000":         {false, false},
		"SD4002 SD4001=a/etl-driver":  {true, true},
		"SD4001 SD4001=a/etl-driver":  {true, true},
		"SD4001=a/nothing orphan-pod": {true, false},
	} {
		picks, err := parsePicks(strings.Fields(arg))
		require.NoError(t, err, arg)
		selected, named := picked(picks, f)
		require.Equal(t, want, [2]bool{selected, named}, arg)
	}
}

// TestChosen: who names one of many objects gets no other.
func TestChosen(t *testing.T) {
	namespace := snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: "a"}
	app := func(name string) snapshot.Ref {
		return snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "a", Name: name}
	}
	f := &checks.Finding{Check: "SD6008", Object: namespace, Objects: []snapshot.Ref{app("one"), app("two"), app("three")}}
	all := []fix.Candidate{{Intent: fix.DeleteObject{Object: app("one")}}, {Intent: fix.DeleteObject{Object: app("two")}}}
	for arg, want := range map[string]string{
		"":                                 "one two", // and refused, for none is named
		"SD6008":                           "one two",
		"SD6008=a":                         "one! two!",
		f.Fingerprint():                    "one! two!",
		"SD6008=a/one":                     "one!",
		"SD6008=two":                       "two!",
		"SD6008=a/one SD6008=a/two":        "one! two!",
		"SD6008 SD6008=a/one":              "one! two",
		"SD6008=a/three":                   "one! two!", // repaired by what is done to others
		"SD4001=a/one SD6008=a/two SD2001": "two!",
	} {
		picks, err := parsePicks(strings.Fields(arg))
		require.NoError(t, err, arg)
		var got []string
		for _, c := range chosen(picks, f, all) {
			name := fix.TraitsOf(c.Intent).Target.Name
			if c.Named {
				name += "!"
			}
			got = append(got, name)
		}
		require.Equal(t, want, strings.Join(got, " "), arg)
	}
}

// TestNobodyToAsk: a pipe is not a person.
func TestNobodyToAsk(t *testing.T) {
	streams, _, _, errOut := genericiooptions.NewTestIOStreams()
	w := writer{streams: streams}
	err := w.ask(t.Context(), 1, 2)
	code, message := exitOf(err)
	require.Equal(t, exitRefused, code)
	require.Contains(t, message, "stdin is no terminal")
	require.Empty(t, errOut.String())
	w.yes = true
	require.NoError(t, w.ask(t.Context(), 1, 2))
}

func TestAnswers(t *testing.T) {
	for text, yes := range map[string]bool{"y\n": true, "Y\n": true, "yes\n": true, " yes \n": true, "\n": false, "": false, "n\n": false, "yeah\n": false} {
		err := answered(strings.NewReader(text))
		code, _ := exitOf(err)
		require.Equal(t, yes, code == exitClean, "%q", text)
		require.Equal(t, !yes, code == exitRefused, "%q", text)
	}
}

// TestVerdicts: what the checks say afterwards, and what the exit code makes of it.
func TestVerdicts(t *testing.T) {
	object := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "p"}
	finding := checks.Finding{Check: "SD4001", Object: object, Severity: checks.Warning, Message: "still there"}
	planned := checks.Planned(&finding)
	worsened := finding
	worsened.Severity = checks.Error
	result := func(status checks.Status, findings ...checks.Finding) []checks.Result {
		return []checks.Result{{Check: checks.Check{ID: "SD4001"}, Status: status, Findings: findings, Reason: "because"}}
	}
	for name, tc := range map[string]struct {
		results []checks.Result
		want    string
		code    int
	}{
		"gone":      {result(checks.Passed), "resolved", exitClean},
		"there":     {result(checks.Failed, finding), "unchanged", exitFindings},
		"worse":     {result(checks.Failed, worsened), "worse", exitFindings},
		"not asked": {nil, "not verified", exitFindings},
		"blind":     {result(checks.Skipped), "not verified", exitFindings},
		"in part":   {[]checks.Result{{Check: checks.Check{ID: "SD4001"}, Status: checks.Passed, Partial: true}}, "not verified", exitFindings},
	} {
		t.Run(name, func(t *testing.T) {
			endings := outcomesOf([]fix.Finding{planned}, diagnosis{input{snapshot: snapshot.NewBuilder(time.Time{}).Seal()}, tc.results})
			require.Equal(t, tc.want, endings[0].state)
			streams, _, out, _ := genericiooptions.NewTestIOStreams()
			w := writer{streams: streams}
			code, _ := exitOf(w.end(fix.Plan{}, []apply.Outcome{{Status: apply.Applied, Writes: 1}}, endings, "record"))
			require.Equal(t, tc.code, code)
			require.Contains(t, out.String(), "SD4001 Pod a/p: "+tc.want)
		})
	}
}

func TestExitCodeOfOutcomes(t *testing.T) {
	left := fix.Plan{Left: []fix.Left{{Reason: "no automatic fix"}}}
	for _, tc := range []struct {
		plan     fix.Plan
		statuses []apply.Status
		code     int
	}{
		{fix.Plan{}, []apply.Status{apply.Applied, apply.AlreadyDone}, exitClean},
		{left, []apply.Status{apply.Applied}, exitFindings},
		{fix.Plan{}, []apply.Status{apply.Applied, apply.NotTried}, exitFindings},
		{fix.Plan{}, []apply.Status{apply.Applied, apply.StaleObject}, exitRefused},
		{left, []apply.Status{apply.Refused}, exitRefused},
		{fix.Plan{}, []apply.Status{apply.StaleObject, apply.FailedFix}, exitFindings},
	} {
		var outcomes []apply.Outcome
		for _, s := range tc.statuses {
			outcomes = append(outcomes, apply.Outcome{Status: s})
		}
		streams := genericiooptions.NewTestIOStreamsDiscard()
		w := writer{streams: streams}
		code, _ := exitOf(w.end(tc.plan, outcomes, nil, "record"))
		require.Equal(t, tc.code, code, "%v", tc.statuses)
	}
}

// TestBlindIsLeft: what a check could not look at is not called done.
func TestBlindIsLeft(t *testing.T) {
	require.Empty(t, blind(checks.Result{Status: checks.Passed}))
	require.Contains(t, blind(checks.Result{Status: checks.Skipped, Reason: "no permission"}), "no permission")
	r := checks.Result{Status: checks.Failed, Partial: true, Unseen: []snapshot.Unseen{{Verb: "list", Resource: "pods", Namespace: "b", Reason: "forbidden"}}}
	require.Equal(t, "the check could not look at everything; list pods b: forbidden", blind(r))

	streams, _, out, _ := genericiooptions.NewTestIOStreams()
	plan := fix.Plan{Left: []fix.Left{{Finding: fix.Finding{Check: "SD4001", Message: "a Spark pod outlived its application"}, Reason: blind(r)}}}
	w := writer{streams: streams, writeFlags: writeFlags{dryRun: "none"}}
	code, _ := exitOf(w.carryOut(t.Context(), plan))
	require.Equal(t, exitFindings, code)
	require.Contains(t, out.String(), "SD4001: a Spark pod outlived its application\n    the check could not look at everything; list pods b: forbidden")
	require.NotContains(t, out.String(), "nothing to do")
}

// TestDiffIsHarmless: what a cluster supplied cannot write to the terminal.
func TestDiffIsHarmless(t *testing.T) {
	var out bytes.Buffer
	w := writer{streams: genericiooptions.IOStreams{Out: &out, ErrOut: &out}}
	plan := fix.Plan{Fixes: []fix.Fix{{ID: 1, Title: "remove \x1b[31m", Steps: []fix.Step{{
		Target:  snapshot.Ref{APIVersion: "v1", Kind: "Pod", Name: "a\x1b]0;x\a"},
		Changes: []fix.Change{{Path: fix.Path{"metadata", "finalizers", "[=x\x1b[2J]"}, Old: "x\x1b[2J"}},
	}}}}, Left: []fix.Left{{Reason: "\u202eno"}}}
	require.NoError(t, w.show(t.Context(), plan))
	require.NotContains(t, out.String(), "\x1b")
	require.NotContains(t, out.String(), "\u202e")
}
