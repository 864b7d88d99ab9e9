package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const oneName = "sd2001-0123456789ab"

// aPlan is a plan of one or more intents that were resolved in a world, as -o json writes it.
func aPlan(t *testing.T, world string, intents ...fix.Intent) map[string]any {
	t.Helper()
	var list []Resolved
	for _, i := range intents {
		r := ResolvedFrom(Candidate{Finding: Finding{Name: oneName, Check: "SD2001", Object: fix.TraitsOf(i).Target}, Intent: i},
			cluster(t, world))
		require.NoError(t, r.Err)
		list = append(list, r)
	}
	text, err := json.Marshal(NewPlan(Cluster{UID: "c"}, aTime(), list, nil))
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

func twoFixes(t *testing.T) map[string]any {
	t.Helper()
	owner := snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "a", Name: "o", UID: "o1"}
	world := anApplication("app", anOwner+`, annotations: {kubectl.kubernetes.io/last-applied-configuration: hunter2}`, "", "s1", "RUNNING",
		"e-exec-1: COMPLETED")
	return aPlan(t, world, fix.StripOwner{Dependent: app(), Owner: owner},
		fix.Touch{Application: app(), State: "RUNNING", At: aTime(), Consequence: "it looks"},
		fix.DropAnnotation{Object: app(), Key: fix.LastAppliedAnnotation})
}

// TestReadPlanRefuses: a plan that says what no plan of fix says is refused with the field.
func TestReadPlanRefuses(t *testing.T) {
	first := func(p map[string]any) map[string]any { return at(p, "fixes", 0) }
	step := func(p map[string]any) map[string]any { return at(first(p), "steps", 0) }
	change := func(p map[string]any) map[string]any { return at(step(p), "changes", 0) }
	restore := map[string]any{
		"object":  map[string]any{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "name": "admin", "uid": "r"},
		"changes": []any{map[string]any{"path": []any{"aggregationRule", "clusterRoleSelectors", "x"}, "new": "y"}}, "was": "harmless",
	}
	for name, tc := range map[string]struct {
		change func(map[string]any)
		want   string
	}{
		"a restore": {func(p map[string]any) { first(p)["wish"] = map[string]any{"restore": restore} },
			"fixes[0].wish.restore: is an unknown field"},
		"an empty wish": {func(p map[string]any) { first(p)["wish"] = map[string]any{"kick": map[string]any{}} },
			"fixes[0].wish.kick.application.kind: "},
		"no wish":    {func(p map[string]any) { first(p)["wish"] = map[string]any{} }, "fixes[0].wish: "},
		"two wishes": {func(p map[string]any) { wish(first(p))["kick"] = wish(at(p, "fixes", 1))["kick"] }, "fixes[0].wish: "},
		"after none": {func(p map[string]any) { at(p, "fixes", 1)["after"] = []any{99} }, "fixes[1].after[0]: is 99"},
		"after each other": {func(p map[string]any) { first(p)["after"] = []any{2}; at(p, "fixes", 1)["after"] = []any{1} },
			"fixes[0].after[0]: is 2"},
		"after itself": {func(p map[string]any) { first(p)["after"] = []any{1} }, "fixes[0].after[0]: is 1"},
		"after zero":   {func(p map[string]any) { at(p, "fixes", 1)["after"] = []any{0} }, "fixes[1].after[0]: is 0"},
		"after less":   {func(p map[string]any) { at(p, "fixes", 1)["after"] = []any{1, -1} }, "fixes[1].after[1]: is -1"},
		"hidden map": {func(p map[string]any) { change(p)["hidden"] = true; change(p)["new"] = map[string]any{"a": 1} },
			"fixes[0].steps[0].changes[0].new: "},
		"another id":         {func(p map[string]any) { first(p)["id"] = 7 }, "fixes[0].id: is 7"},
		"a title of its own": {func(p map[string]any) { first(p)["title"] = "nothing at all" }, "fixes[0].title: "},
		"a risk of its own": {func(p map[string]any) { at(p, "fixes", 1)["risk"] = "safe" },
			"fixes[1].risk: is safe, and that of its wish is disruptive"},
		"no such risk":       {func(p map[string]any) { first(p)["risk"] = "none" }, "fixes[0].risk: "},
		"an undo of its own": {func(p map[string]any) { first(p)["undo"] = map[string]any{"exact": true} }, "fixes[0].undo: "},
		"an unknown field":   {func(p map[string]any) { first(p)["resolved"] = true }, "fixes[0].resolved: is an unknown field"},
		"a field in capitals": {func(p map[string]any) { step(p)["Target"] = step(p)["target"] },
			"fixes[0].steps[0].Target: is an unknown field"},
		"no finding":           {func(p map[string]any) { first(p)["findings"] = []any{} }, "fixes[0].findings: are missing"},
		"no such finding":      {func(p map[string]any) { at(first(p), "findings", 0)["name"] = "mine" }, "fixes[0].findings[0].name: "},
		"a finding of another": {func(p map[string]any) { at(first(p), "findings", 0)["check"] = "SD3001" }, "fixes[0].findings[0].name: "},
		"no UID": {func(p map[string]any) { delete(at(wish(first(p)), "stripOwner", "dependent"), "uid") },
			"fixes[0].wish.stripOwner.dependent.uid: is missing"},
		"no UID in a step": {func(p map[string]any) { delete(at(step(p), "target"), "uid") }, "fixes[0].steps[0].target.uid: is missing"},
		"a step elsewhere": {func(p map[string]any) { at(step(p), "target")["namespace"] = "b" },
			"fixes[0].steps[0].target: is SparkApplication b/etl, and its wish is for SparkApplication a/etl"},
		"a step on another kind": {func(p map[string]any) { at(step(p), "target")["kind"] = "Secret" }, "fixes[0].steps[0].target.kind: "},
		"a field of another": {func(p map[string]any) { change(p)["path"] = []any{"metadata", "labels", "x"} },
			"fixes[0].steps[0].changes[0].path: "},
		"an eleventh field": {func(p map[string]any) { step(p)["changes"] = many(change(p)) }, "fixes[0].steps[0].changes[11].path: "},
		"no steps":          {func(p map[string]any) { first(p)["steps"] = []any{} }, "fixes[0].steps: are missing"},
		"the same twice":    {func(p map[string]any) { p["fixes"] = twice(first(p)) }, "fixes[1].wish: is that of fixes[0]"},
		"no time": {func(p map[string]any) { at(wish(at(p, "fixes", 1)), "kick")["at"] = "0001-01-01T00:00:00Z" },
			"fixes[1].wish.kick.at: is missing"},
		"a time that is none": {func(p map[string]any) { at(wish(at(p, "fixes", 1)), "kick")["at"] = "now" }, "fixes[1].wish.kick.at: "},
		"of files":            {func(p map[string]any) { p["files"] = []any{"a.yaml"} }, "it was planned from files"},
		"no cluster":          {func(p map[string]any) { delete(at(p, "cluster"), "uid") }, "cluster.uid: is missing"},
		"numbers for words":   {func(p map[string]any) { first(p)["title"] = 7 }, "fixes[0].title: "},
		"a name of another object": {func(p map[string]any) { at(wish(first(p)), "stripOwner", "dependent")["name"] = "../secrets/x" },
			"fixes[0].wish.stripOwner.dependent.name: "},
	} {
		t.Run(name, func(t *testing.T) {
			p := twoFixes(t)
			tc.change(p)
			for _, encode := range []func(any) ([]byte, error){json.Marshal, yaml.Marshal} {
				text, err := encode(p)
				require.NoError(t, err)
				_, err = ReadPlan(bytes.NewReader(text))
				var refused *fix.Refused
				require.ErrorAs(t, err, &refused)
				require.True(t, strings.HasPrefix(refused.Reason, tc.want), "%s does not begin with %s", refused.Reason, tc.want)
			}
		})
	}
}

// TestHiddenIsTheTables: a file can neither hide a field nor have one shown that may quote secrets.
func TestHiddenIsTheTables(t *testing.T) {
	p := twoFixes(t)
	for i := range p["fixes"].([]any) { //nolint:forcetypeassert // a test
		at(p, "fixes", i, "steps", 0, "changes", 0)["hidden"] = i == 0
	}
	text, err := json.Marshal(p)
	require.NoError(t, err)
	got, err := ReadPlan(bytes.NewReader(text))
	require.NoError(t, err)
	hidden := map[string]bool{}
	for _, f := range got.Fixes {
		hidden[f.Title] = f.Steps[0].Changes[0].Hidden
	}
	require.Equal(t, map[string]bool{
		"remove the ownerReference to ConfigMap o; the object then outlives it":  false,
		"make the operator look at the application: it looks":                    false,
		"remove the annotation kubectl.kubernetes.io/last-applied-configuration": true,
	}, hidden)
}

// at follows fields and indices.
func at(v any, steps ...any) map[string]any {
	for _, s := range steps {
		switch s := s.(type) {
		case int:
			v = v.([]any)[s] //nolint:forcetypeassert // a test
		case string:
			v = v.(map[string]any)[s] //nolint:forcetypeassert // a test
		}
	}
	return v.(map[string]any) //nolint:forcetypeassert // a test
}

func wish(f map[string]any) map[string]any { return at(f, "wish") }

func twice(f map[string]any) []any {
	second := map[string]any{}
	for k, v := range f {
		second[k] = v
	}
	second["id"] = 2
	return []any{f, second}
}

// many are eleven good changes and one that no strip makes.
func many(good map[string]any) []any {
	var out []any
	for i := range 11 {
		uid := fmt.Sprint("o", i)
		out = append(out, map[string]any{"path": []any{"metadata", "ownerReferences", "[uid=" + uid + "]"}, "old": map[string]any{"uid": uid}})
	}
	_ = good
	return append(out, map[string]any{"path": []any{"metadata", "labels", "x"}, "new": "y"})
}

// TestReadPlanIsNoPlan: what is no plan at all is no refusal.
func TestReadPlanIsNoPlan(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "a text": "x", "a list": "[]", "no YAML": "a: [",
		"a record":      `{"apiVersion":"sparkdoctor.io/v1alpha1","kind":"FixRecord"}`,
		"of the future": `{"apiVersion":"sparkdoctor.io/v9","kind":"FixPlan"}`,
		"cut off":       `{"apiVersion":"sparkdoctor.io/v1alpha1","kind":"FixPlan"`,
	} {
		_, err := ReadPlan(strings.NewReader(text))
		var refused *fix.Refused
		require.Error(t, err, name)
		require.NotErrorAs(t, err, &refused, name)
	}
	for name, text := range map[string]string{
		"a key twice in JSON": `{"apiVersion":"sparkdoctor.io/v1alpha1","kind":"FixPlan","cluster":{"uid":"a","uid":"b"}}`,
		"a key twice in YAML": "apiVersion: sparkdoctor.io/v1alpha1\nkind: FixPlan\ncluster: {uid: a}\ncluster: {uid: b}\n",
		"an alias":            "apiVersion: sparkdoctor.io/v1alpha1\nkind: FixPlan\ncluster: {uid: &a x, server: *a}\n",
	} {
		_, err := ReadPlan(strings.NewReader(text))
		var refused *fix.Refused
		require.ErrorAs(t, err, &refused, name)
	}
	_, err := ReadPlan(&endless{})
	require.ErrorContains(t, err, "is larger than")
}

// endless is a file that never ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += len(p); e.read > 2*maxPlan {
		panic("it is read for ever")
	}
	return len(p), nil
}

// TestAliasesAreNotExpanded: a small file makes no large plan.
func TestAliasesAreNotExpanded(t *testing.T) {
	text := "apiVersion: sparkdoctor.io/v1alpha1\nkind: FixPlan\nx: &a " + strings.Repeat("x", 100_000) + "\ny: [" +
		strings.Repeat("*a,", 20_000) + "]\n"
	_, err := ReadPlan(strings.NewReader(text))
	require.ErrorContains(t, err, "line 4: is a YAML alias")
}

// TestAgain: a plan chooses among what the checks wish now, and what it says beside that is not believed.
func TestAgain(t *testing.T) {
	planned := fix.Touch{Application: app(), State: "RUNNING", At: aTime(), Consequence: "it looks"}
	other := app()
	other.UID = "another"
	later := planned
	later.At = aTime().Add(time.Hour)
	for name, tc := range map[string]struct {
		now  []fix.Intent
		want string // the error; empty: it is the intent as it is now
	}{
		"the same, later": {[]fix.Intent{fix.DropAnnotation{Object: app()}, later}, ""},
		"of another risk": {[]fix.Intent{fix.Touch{Application: app(), State: "RUNNING", Consequence: "it looks", Quiet: true}},
			"this is no fix for it now"},
		"another end": {[]fix.Intent{fix.Touch{Application: app(), State: "RUNNING", Consequence: "it deletes the driver"}},
			"this is no fix for it now"},
		"another object": {[]fix.Intent{fix.Touch{Application: other, State: "RUNNING", Consequence: "it looks"}},
			"was replaced by another object of that name"},
		"another wish":       {[]fix.Intent{fix.DropAnnotation{Object: app()}}, "this is no fix for it now"},
		"nothing to be done": {nil, "this is no fix for it now"},
	} {
		t.Run(name, func(t *testing.T) {
			var list []Candidate
			for _, i := range tc.now {
				list = append(list, Candidate{Intent: i, Finding: Finding{Message: "as it is now"}})
			}
			got, err := Fix{Spec: fix.SpecOf(planned), Findings: []Finding{{Message: "of the file"}}}.Again(list)
			if tc.want != "" {
				var stale *fix.Stale
				require.ErrorAs(t, err, &stale)
				require.Contains(t, stale.Reason, tc.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, fix.Intent(planned), got.Intent, "it writes the time of the plan")
			require.Equal(t, "as it is now", got.Finding.Message)
		})
	}
}

// TestProofIsNotRead: why a step needs no consent is the check's to say, not the file's.
func TestProofIsNotRead(t *testing.T) {
	claimed := Fix{Spec: fix.SpecOf(fix.RemoveFinalizer{Object: app(), Name: "x", Proof: "trust me"})}
	got, err := claimed.Again([]Candidate{{Intent: fix.RemoveFinalizer{Object: app(), Name: "x"}}})
	require.NoError(t, err)
	reason, _ := Limits{MaxRisk: fix.Destructive}.Refuse(got)
	require.Equal(t, "its controller is not proven to be absent", reason)
}

// TestPlanBoundsTheEntries: an entry that ended since is not removed, and one that the plan shows is.
func TestPlanBoundsTheEntries(t *testing.T) {
	world := anApplication("app", "", "", "s1", "RUNNING", "e-exec-1: COMPLETED, e-exec-2: FAILED, e-exec-3: FAILED")
	prune := fix.PruneExecutorState{Application: app(), Submission: "s1", Keep: 2}
	steps, err := fix.Resolve(prune, cluster(t, world))
	require.NoError(t, err)
	f := Fix{Spec: fix.SpecOf(prune), Steps: steps}
	got, err := f.Again([]Candidate{{Intent: fix.PruneExecutorState{Application: app(), Submission: "s1", Keep: 0}}})
	require.NoError(t, err)
	r := f.ResolvedWithin(got, cluster(t, world))
	require.NoError(t, r.Err)
	require.Equal(t, "status.executorState[\"e-exec-1\"]: removed (was COMPLETED)", say(r.Steps, nil))

	all := Candidate{Intent: fix.PruneExecutorState{Application: app(), Submission: "s1", Keep: 0}} // not bounded by Again
	var stale *fix.Stale
	require.ErrorAs(t, f.ResolvedWithin(all, cluster(t, world)).Err, &stale)
	require.Equal(t, "what would have to be written is not what the plan shows", stale.Reason)
}
