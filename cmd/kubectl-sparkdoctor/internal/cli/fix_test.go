package cli

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestNobodyToAsk: a pipe is not a person.
func TestNobodyToAsk(t *testing.T) {
	streams, _, _, errOut := genericiooptions.NewTestIOStreams()
	w := writer{streams: streams}
	_, err := w.ask(t.Context(), plan.Plan{})
	code, message := exitOf(err)
	require.Equal(t, exitRefused, code)
	require.Contains(t, message, "stdin is not a terminal")
	require.Empty(t, errOut.String())
	w.yes = true
	_, err = w.ask(t.Context(), plan.Plan{})
	require.NoError(t, err)
}

// TestEndings: what the exit code makes of what the checks say afterwards.
func TestEndings(t *testing.T) {
	finding := plan.Finding{Check: "SD4001", Object: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "p"}}
	for state, want := range map[scan.State]int{
		scan.Resolved: exitClean, scan.Unchanged: exitFindings, scan.Worse: exitFindings, scan.NotVerified: exitFindings,
	} {
		streams, _, out, _ := genericiooptions.NewTestIOStreams()
		w := writer{streams: streams}
		code, _ := exitOf(w.end(plan.Plan{}, []apply.Outcome{{Status: apply.Applied, Writes: 1}}, []scan.Ending{{Finding: finding, State: state}},
			"record"))
		require.Equal(t, want, code)
		require.Contains(t, out.String(), "SD4001 Pod a/p: "+string(state))
	}
}

func TestExitCodeOfOutcomes(t *testing.T) {
	left := plan.Plan{Skipped: []plan.Skipped{{Reason: "no automatic fix"}}}
	for _, tc := range []struct {
		plan     plan.Plan
		statuses []apply.Status
		code     int
	}{
		{plan.Plan{}, []apply.Status{apply.Applied, apply.AlreadySo}, exitClean},
		{left, []apply.Status{apply.Applied}, exitFindings},
		{plan.Plan{}, []apply.Status{apply.Applied, apply.NotTried}, exitFindings},
		{plan.Plan{}, []apply.Status{apply.Applied, apply.StaleObject}, exitRefused},
		{left, []apply.Status{apply.Refused}, exitRefused},
		{plan.Plan{}, []apply.Status{apply.StaleObject, apply.FailedFix}, exitFindings},
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
	streams, _, out, _ := genericiooptions.NewTestIOStreams()
	plan := plan.Plan{Skipped: []plan.Skipped{{Finding: plan.Finding{Check: "SD4001", Message: "a Spark pod outlived its application"},
		Reason: "the check could not read everything; list pods b: forbidden"}}}
	w := writer{streams: streams, writeFlags: writeFlags{dryRun: "none"}}
	code, _ := exitOf(w.carryOut(t.Context(), plan))
	require.Equal(t, exitFindings, code)
	require.Contains(t, out.String(), "SD4001: a Spark pod outlived its application\n    the check could not read everything; list pods "+
		"b: forbidden")
	require.NotContains(t, out.String(), "nothing to do")
}

// TestDiffIsHarmless: what a cluster supplied cannot write to the terminal.
func TestDiffIsHarmless(t *testing.T) {
	var out bytes.Buffer
	w := writer{streams: genericiooptions.IOStreams{Out: &out, ErrOut: &out}}
	plan := plan.Plan{Fixes: []plan.Fix{{ID: 1, Title: "remove \x1b[31m", Steps: []fix.Step{{
		Target:  snapshot.Ref{APIVersion: "v1", Kind: "Pod", Name: "a\x1b]0;x\a"},
		Changes: []fix.Change{{Path: fix.Path{"metadata", "finalizers", "[=x\x1b[2J]"}, Old: "x\x1b[2J"}},
	}}}}, Skipped: []plan.Skipped{{Reason: "\u202eno"}}}
	require.NoError(t, w.show(t.Context(), plan))
	require.NotContains(t, out.String(), "\x1b")
	require.NotContains(t, out.String(), "\u202e")
}
