package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func resolvedFor(name string, i fix.Intent) Resolved {
	s := fix.Step{Target: fix.TraitsOf(i).Target, Undo: fix.UndoOf(i), Why: "because"}
	if _, isDelete := i.(fix.DeleteObject); isDelete {
		s.Delete = true
	} else {
		s.Changes = []fix.Change{{Path: fix.Path{"metadata", "annotations", "a"}, New: "1"}}
	}
	return Resolved{Candidate: Candidate{Finding: Finding{Name: name, Check: "SD1004", Object: fix.TraitsOf(i).Target, Message: "m"},
		Intent: i}, Steps: []fix.Step{s}}
}

func titles(list []Fix) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, f.Title)
	}
	return out
}

// TestOrder: the Secret before the restart that reads it, one restart for all who want it, and what must pass the webhook
// after both.
func TestOrder(t *testing.T) {
	restart := fix.Restart{Deployment: deployment()}
	strip := resolvedFor("sd2001-1", fix.StripOwner{Dependent: app(), Owner: snapshot.Ref{Kind: "Workflow", Name: "w"}})
	strip.Obstacles = []Obstacle{{Finding: Finding{Name: "sd1005-1", Check: "SD1005", Object: deployment(), Message: "replicas diverge"}}}
	p := NewPlan(Cluster{}, time.Time{}, []Resolved{
		strip,
		resolvedFor("sd1005-1", restart),
		resolvedFor("sd1004-1", fix.DeleteObject{Object: secret(), Turn: fix.Certificate}),
		resolvedFor("sd1004-1", restart),
	}, nil)
	require.Equal(t, []string{"delete the Secret", "restart all replicas of the webhook",
		"remove the ownerReference to Workflow w; the object then outlives it"}, titles(p.Fixes))
	require.Equal(t, []int{1}, p.Fixes[1].After)
	require.Len(t, p.Fixes[1].Findings, 2)
	require.Equal(t, []int{2}, p.Fixes[2].After)
	require.Equal(t, 3, p.Objects())
	require.Len(t, p.Applicable(), 3)
}

// TestBlocked: nothing is sent that a broken webhook would refuse, nor what waits for it.
func TestBlocked(t *testing.T) {
	release := resolvedFor("sd2005-1", fix.RemoveFinalizer{Object: app(), Name: "x"})
	release.Obstacles = []Obstacle{{Finding: Finding{Name: "sd1002-1", Check: "SD1002", Object: deployment(), Message: "no endpoint"},
		Choose: "SD1002 --max-risk disruptive"}}
	p := NewPlan(Cluster{}, time.Time{}, []Resolved{release, resolvedFor("sd2005-1", fix.RemoveFinalizer{Object: app(), Name: "other"})}, nil)
	require.Contains(t, p.Fixes[0].Blocked, "SD1002 Deployment op/webhook: no endpoint")
	require.Empty(t, p.Applicable(), "the second waits for the first")
	require.Empty(t, p.Permissions())
	text, err := p.Fixes[0].Text()
	require.NoError(t, err)
	require.Contains(t, text, "blocked: the webhook that must admit it does not work: SD1002 Deployment op/webhook: no endpoint; choose "+
		"its repair, too: SD1002 --max-risk disruptive")
}

func TestLimits(t *testing.T) {
	running := Candidate{Finding: Finding{Check: "SD4001", Object: pod("p")}, Intent: fix.DeleteObject{Object: pod("p"), Running: true}}
	dangling := Candidate{Intent: fix.RemoveFinalizer{Object: app(), Name: "x"}}
	proven := Candidate{Intent: fix.RemoveFinalizer{Object: app(), Name: "x", Proof: "nobody"}}
	for name, tc := range map[string]struct {
		limits Limits
		c      Candidate
		reason string
	}{
		"safe":              {Limits{}, Candidate{Intent: fix.StripOwner{}}, ""},
		"risk":              {Limits{}, Candidate{Intent: fix.Restart{}}, "it is disruptive"},
		"risk allowed":      {Limits{MaxRisk: fix.Disruptive}, Candidate{Intent: fix.Restart{}}, ""},
		"running":           {Limits{MaxRisk: fix.Destructive}, running, "it still runs"},
		"running and named": {Limits{MaxRisk: fix.Destructive}, Candidate{Finding: running.Finding, Intent: running.Intent, Named: true}, ""},
		"finalizer":         {Limits{MaxRisk: fix.Destructive}, dangling, "its controller is not proven to be absent"},
		"finalizer, another": {Limits{MaxRisk: fix.Destructive, Finalizers: []string{"y"}}, dangling,
			"its controller is not proven to be absent"},
		"finalizer named":    {Limits{MaxRisk: fix.Destructive, Finalizers: []string{"x"}}, dangling, ""},
		"finalizer, proven":  {Limits{MaxRisk: fix.Destructive}, proven, ""},
		"in the namespace":   {Limits{Namespace: pod("p").Namespace}, Candidate{Intent: running.Intent}, "it still runs, and it is destructive"},
		"nothing is allowed": {Limits{}, dangling, "it is destructive, and its controller is not proven to be absent"},
		"beyond the namespace": {Limits{Namespace: "another"}, Candidate{Intent: running.Intent},
			"it writes beyond namespace another, by whose UID its record is bound to the cluster"},
		"finalizer, named only": {Limits{Finalizers: []string{"x"}}, dangling, "it is destructive"},
	} {
		reason, advice := tc.limits.Refuse(tc.c)
		require.Equal(t, tc.reason, reason, name)
		require.Equal(t, tc.reason != "", advice != "", name)
	}
}

// TestPlanSurvivesAFile: what is written by -o yaml is what --plan reads.
func TestPlanSurvivesAFile(t *testing.T) {
	intents := []fix.Intent{
		fix.PruneExecutorState{Application: app(), Submission: "s1"},
		fix.StripOwner{Dependent: app(), Owner: snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "a", Name: "o", UID: "o1"}},
		fix.DropAnnotation{Object: app(), Key: fix.LastAppliedAnnotation},
	}
	world := anApplication("app", anOwner+", annotations: {kubectl.kubernetes.io/last-applied-configuration: hunter2}", "", "s1", "RUNNING",
		"e-exec-1: COMPLETED, e-exec-2: FAILED")
	var list []Resolved
	for i, intent := range intents {
		r := ResolvedFrom(Candidate{Finding: Finding{Name: string(rune('a' + i))}, Intent: intent}, cluster(t, world))
		require.NoError(t, r.Err)
		for _, s := range r.Steps {
			require.Nil(t, s.Patch(), "what holds only now is no part of a plan")
		}
		list = append(list, r)
	}
	p := NewPlan(Cluster{UID: "c"}, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), list, nil)
	text, err := yaml.Marshal(p)
	require.NoError(t, err)
	require.NotContains(t, string(text), "hunter2")
	var back Plan
	require.NoError(t, yaml.UnmarshalStrict(text, &back))
	for i, f := range back.Fixes {
		require.Equal(t, p.Fixes[i].Spec.Intent(), f.Spec.Intent())
		now, err := fix.Resolve(f.Intent(false), cluster(t, world))
		require.NoError(t, err)
		require.True(t, fix.Within(f.Steps, now), "%s\n%v\n%v", f.Title, f.Steps, now)
	}
	moved := anApplication("app", anOwner+", annotations: {kubectl.kubernetes.io/last-applied-configuration: hunter2, "+
		"sparkdoctor.io/former-owner: x}", "", "s1", "RUNNING", "e-exec-1: COMPLETED, e-exec-2: FAILED, e-exec-3: FAILED")
	for i, f := range back.Fixes {
		now, err := fix.Resolve(f.Intent(false), cluster(t, moved))
		require.NoError(t, err)
		require.Equal(t, i != 0, fix.Within(f.Steps, now), "what was not shown is not written: %s", f.Title)
	}
}

func TestWithinAllowsLess(t *testing.T) {
	two := []fix.Step{{Target: app(), Subresource: "status", Changes: []fix.Change{{Path: fix.Path{"status", "executorState", "a"}, Old: "x"},
		{Path: fix.Path{"status", "executorState", "b"}, Old: "x"}}}}
	one := []fix.Step{{Target: app(), Subresource: "status", Changes: two[0].Changes[1:]}}
	require.True(t, fix.Within(two, one))
	require.False(t, fix.Within(one, two))
	other := []fix.Step{{Target: pod("p"), Subresource: "status", Changes: one[0].Changes}}
	require.False(t, fix.Within(two, other))
	require.False(t, fix.Within(two, []fix.Step{{Target: app(), Delete: true}}))
}

func journal(t *testing.T, h Header, entries ...Entry) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	require.NoError(t, e.Encode(h))
	for _, one := range entries {
		require.NoError(t, e.Encode(one))
	}
	return b.Bytes()
}

// TestRecord: it says which requests may have been carried out, and a line that was cut off is of one that was not sent.
func TestRecord(t *testing.T) {
	prune := Fix{ID: 1, Title: "prune", Findings: []Finding{{Name: "sd3001-000000000001", Check: "SD3001", Object: app()}}}
	restart := Fix{ID: 2, Title: "restart"}
	held := []fix.Precondition{{Path: fix.Path{"status", "submissionID"}, Value: "s1"}}
	entry := func(name string) fix.Step {
		return fix.Step{Target: app(), Subresource: "status", Preconditions: held,
			Changes: []fix.Change{{Path: fix.Path{"status", "executorState", name}, Old: "FAILED"}}}
	}
	restarted := fix.Step{Target: deployment(), Changes: []fix.Change{{Path: fix.Path{"spec", "template", "metadata", "annotations",
		fix.RestartedAtAnnotation}, New: "2026-11-21T03:00:00Z"}}}
	dropped := fix.Step{Target: app(), Changes: []fix.Change{{Path: fix.Path{"metadata", "annotations", fix.LastAppliedAnnotation},
		Old: "hunter2", Hidden: true}}}
	text := journal(t, header(Planned{ID: 1, Title: "prune", Findings: prune.Findings}),
		Begin(1, prune, entry("e-1"), time.Time{}), Entry{Number: 1, Fix: 1, End: Written},
		Begin(2, prune, entry("e-2"), time.Time{}), Entry{Number: 2, Fix: 1, End: Failed, Error: "409"},
		Begin(3, prune, entry("e-2"), time.Time{}), // killed
		Begin(4, restart, restarted, time.Time{}),
		Begin(5, Fix{ID: 3, Title: "drop"}, dropped, time.Time{}),
	)
	require.NotContains(t, string(text), "hunter2")
	r, err := ReadRecord(bytes.NewReader(append(text, []byte(`{"number":6,"fix":1,"st`)...)))
	require.NoError(t, err)
	back, left := r.Undo("kubectl-sparkdoctor")
	require.Len(t, back, 1)
	restore, ok := back[0].Intent.(fix.Restore)
	require.True(t, ok)
	require.Equal(t, []fix.Change{{Path: fix.Path{"status", "executorState", "e-1"}, Old: "FAILED"},
		{Path: fix.Path{"status", "executorState", "e-2"}, Old: "FAILED"}}, restore.Changes)
	require.Equal(t, "take back: status.executorState (2 entries)", fix.TraitsOf(restore).Title)
	require.Len(t, left, 2)
	require.Equal(t, fix.UndoOf(fix.DropAnnotation{}).Reason, left[0].Reason)
	require.Equal(t, "a restart has nothing to restore", left[1].Reason)

	steps, err := fix.Resolve(restore, cluster(t, anApplication("app", "", "", "s1", "RUNNING", "e-2: FAILED")))
	require.NoError(t, err, "what is back already is left")
	require.Equal(t, "status.executorState.e-1: set to FAILED", "status.executorState.e-1: set to "+fmt.Sprint(steps[0].Changes[0].New))
	require.Len(t, steps[0].Changes, 1)
	_, err = fix.Resolve(restore, cluster(t, anApplication("app", "", "", "s1", "RUNNING", "e-1: FAILED, e-2: FAILED")))
	require.ErrorContains(t, err, "as it was")
	_, err = fix.Resolve(restore, cluster(t, anApplication("app", "", "", "s1", "RUNNING", "e-1: RUNNING, e-2: RUNNING")))
	require.ErrorContains(t, err, "has been changed since (2 fields)")
}

func header(fixes ...Planned) Header {
	return Header{APIVersion: APIVersion, Kind: "FixRecord", Cluster: Cluster{UID: "c"}, Fixes: fixes}
}

// TestSummary: a plan says in a line how much of it can be applied, and why the rest cannot.
func TestSummary(t *testing.T) {
	left := func(reasons ...string) (out []Skipped) {
		for _, reason := range reasons {
			out = append(out, Skipped{Reason: reason})
		}
		return out
	}
	for want, p := range map[string]Plan{
		"Plan: 2 to apply":                                                {Fixes: []Fix{{ID: 1}, {ID: 2}}},
		"Plan: 1 to apply, 3 not: b (2), a (1)":                           {Fixes: []Fix{{ID: 1}}, Skipped: left("a", "b", "b")},
		"Plan: 0 to apply, 1 not: blocked (1)":                            {Fixes: []Fix{{ID: 1, Blocked: "blocked"}}},
		"Plan: 0 to apply, 5 not: a (2), b (1), c (1) and 1 other reason": {Skipped: left("a", "b", "c", "d", "a")},
	} {
		require.Equal(t, want, p.Summary())
	}
	same := Plan{Skipped: []Skipped{{Finding: Finding{Check: "SD1001"}, Reason: "x"}, {Finding: Finding{Check: "SD2001"}, Reason: "x"}}}
	require.Equal(t, "  SD1001, SD2001:\n    x\n", same.SkippedText(), "checks that could not look for one reason are told together")
}
