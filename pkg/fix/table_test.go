package fix

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestTable holds what no row may allow, whoever adds one: the spec or the whole status of a Spark object, a list or map as
// a whole, a file that writes what it likes.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, r := range table() {
		t.Run(r.name, func(t *testing.T) {
			require.False(t, names[r.name])
			names[r.name] = true
			require.NotEmpty(t, r.kinds)
			require.Equal(t, r.write.Delete, len(r.fields) == 0)
			require.NotEqual(t, r.undo.Exact, r.undo.Reason != "", "what cannot be taken back says why")
			for _, k := range r.kinds {
				src, _ := snapshot.SourceOf(snapshot.ViewOf(k))
				require.True(t, src.Kind == k.Kind || k.Kind == "Secret", "a kind that checks read: %s", k)
				for _, f := range r.fields {
					require.GreaterOrEqual(t, len(f.path), 3)
					if k.Group == snapshot.SparkGroup {
						require.Contains(t, []string{"metadata", "status executorState"},
							map[bool]string{true: "metadata", false: strings.Join(f.path[:2], " ")}[f.path[0] == "metadata"])
					}
					require.Equal(t, f.path[0] == "status", r.write.Subresource == "status")
					require.False(t, f.hidden && r.undo.Exact, "what is not kept cannot be written back")
				}
			}
			wish := SpecOf(r.intent)
			require.Equal(t, r.intent, wish.Intent(), "it is a wish of a plan")
			got, known := ruleOf(r.intent)
			require.True(t, known)
			require.Equal(t, r.name, got.name)
		})
	}
	_, known := ruleOf(Restore{Of: "stripOwner"})
	require.False(t, known, "only what says that its undo is exact is taken back")
	_, known = ruleOf(Restore{})
	require.False(t, known)
}

// TestOutsideTheTable are steps that nothing may send, and why.
func TestOutsideTheTable(t *testing.T) {
	role := snapshot.Ref{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole", Name: "admin", UID: "r"}
	configMap := snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "a", Name: "c", UID: "c"}
	noUID := app()
	noUID.UID = ""
	elsewhere, cluster := configuration(), app()
	elsewhere.Namespace, cluster.Namespace = "a", ""
	up := app()
	up.Name = "../../../../api/v1/namespaces/a/secrets/s"
	hold := []Precondition{{Path: Path{"status", "submissionID"}, Value: "s1"}}
	executor := func(name string, old, updated any) []Change {
		return []Change{{Path: Path{"status", "executorState", name}, Old: old, New: updated}}
	}
	kicked := []Change{{Path: Path{"metadata", "annotations", TouchedAtAnnotation}, New: "2026-11-21T03:00:00Z"}}
	reference := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": "gone", "uid": "g"}
	for name, tc := range map[string]struct {
		step Step
		want string
	}{
		"spec": {Step{Target: app(), Changes: []Change{{Path: Path{"spec", "suspend"}, New: true}}}, "step.changes[0].path"},
		"spec through status": {Step{Target: app(), Subresource: "status", Preconditions: hold,
			Changes: []Change{{Path: Path{"spec", "suspend", "x"}, New: true}}}, "step.changes[0].path"},
		"state": {Step{Target: app(), Subresource: "status", Preconditions: hold,
			Changes: []Change{{Path: Path{"status", "applicationState", "state"}, New: "NEW"}}}, "step.changes[0].path"},
		"all executors": {Step{Target: app(), Subresource: "status", Preconditions: hold,
			Changes: []Change{{Path: Path{"status", "executorState"}, Old: "x"}}}, "step.changes[0].path"},
		"status as metadata": {Step{Target: app(), Changes: executor("e-1", "FAILED", nil)}, "step.subresource"},
		"all finalizers":     {Step{Target: app(), Changes: []Change{{Path: Path{"metadata", "finalizers"}, Old: "x"}}}, "step.changes[0].path"},
		"a second field": {Step{Target: app(), Changes: append(kicked[:1:1], Change{Path: Path{"metadata", "labels", "x"}, New: "y"})},
			"step.changes[1].path"},
		"a role": {Step{Target: role, Changes: []Change{{Path: Path{"aggregationRule", "clusterRoleSelectors", "x"}, New: "y"}}},
			"step.target.kind"},
		"labels": {Step{Target: configMap, Changes: []Change{{Path: Path{"metadata", "labels", "x"}, New: "y"}}},
			"step.changes[0].path"},
		"a Secret's finalizer": {
			Step{Target: secret(), Changes: []Change{{Path: Path{"metadata", "finalizers", "[=x]"}, Old: "x"}}}, "step.target.kind"},
		"a living executor": {Step{Target: app(), Subresource: "status", Preconditions: hold, Changes: executor("e-1", "RUNNING", nil)},
			"step.changes[0].old"},
		"a name that is none": {Step{Target: app(), Subresource: "status", Preconditions: hold,
			Changes: executor("e\nfix 2 applied", "FAILED", nil)},
			"step.changes[0].old"},
		"another submission": {Step{Target: app(), Subresource: "status", Changes: executor("e-1", "FAILED", nil)}, "step.hold"},
		"another condition": {Step{Target: app(), Changes: kicked, Preconditions: []Precondition{{Path: Path{"spec", "type"}, Value: "x"}}},
			"step.hold"},
		"an owner of its own": {Step{Target: pod("p"), Changes: []Change{{Path: Path{"metadata", "ownerReferences", "[uid=g]"},
			New: reference}}}, "step.changes[0].new"},
		"finalizer of a disk": {Step{Target: pod("p"), Changes: []Change{{Path: Path{"metadata", "finalizers", "[=kubernetes]"},
			Old: "kubernetes"}}}, "step.changes[0].old"},
		"webhooks of others": {Step{Target: configuration(), Changes: []Change{{Path: Path{"webhooks", "[name=validate.kyverno.svc]",
			"failurePolicy"}, Old: "Ignore", New: "Fail"}}}, "step.changes[0].path"},
		"another policy": {Step{Target: configuration(), Changes: []Change{{Path: Path{"webhooks", "[name=x.sparkoperator.k8s.io]",
			"failurePolicy"}, Old: "Fail", New: "Ignore!"}}}, "step.changes[0]"},
		"an annotation's value": {Step{Target: app(), Changes: []Change{{Path: Path{"metadata", "annotations", TouchedAtAnnotation},
			New: "now\nfix 2 applied"}}}, "step.changes[0].new"},
		"a map for a hidden text": {Step{Target: app(), Changes: []Change{{Path: Path{"metadata", "annotations", LastAppliedAnnotation},
			Old: map[string]any{}, Hidden: true}}}, "step.changes[0].old"},
		"nothing": {Step{Target: app()}, "step.changes"},
		"the same": {Step{Target: app(), Changes: []Change{{Path: Path{"metadata", "annotations", TouchedAtAnnotation}}}},
			"step.changes[0].new"},
		"no field":                {Step{Target: app(), Changes: []Change{{New: "x"}}}, "step.changes[0].path"},
		"no UID":                  {Step{Target: noUID, Changes: kicked}, "step.target.uid"},
		"no namespace":            {Step{Target: cluster, Changes: kicked}, "step.target.namespace"},
		"a namespace":             {Step{Target: elsewhere, Delete: true}, "step.target.namespace"},
		"another resource":        {Step{Target: up, Changes: kicked}, "step.target.name"},
		"a deletion that patches": {Step{Target: pod("p"), Delete: true, Changes: kicked}, "step.changes"},
		"a deleted schedule": {Step{Target: snapshot.Ref{APIVersion: app().APIVersion, Kind: "ScheduledSparkApplication", Namespace: "a",
			Name: "s", UID: "s"}, Delete: true}, "step."},
		"a deleted Node": {Step{Target: snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: "n", UID: "n"}, Delete: true},
			"step.target.kind"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := permitted("step", &tc.step)
			var refused *Refused
			require.ErrorAs(t, err, &refused)
			require.True(t, strings.HasPrefix(refused.Reason, tc.want), "%s does not begin with %s", refused.Reason, tc.want)
		})
	}
}

// TestStepsAskAgain: a step that was not resolved, or was changed since, is not sent.
func TestStepsAskAgain(t *testing.T) {
	world := cluster(t, anApplication("app", "", "", "s1", "RUNNING", ""))
	steps, err := Resolve(Touch{Application: app(), State: "RUNNING", At: aTime()}, world)
	require.NoError(t, err)
	require.NoError(t, steps[0].Permitted())
	other := steps[0]
	other.Changes = []Change{{Path: Path{"metadata", "labels", "x"}, New: "y"}}
	require.ErrorContains(t, other.Permitted(), "kick does not write metadata.labels.x")
	replaced := steps[0]
	replaced.Target.UID = "another"
	require.ErrorContains(t, replaced.Permitted(), "does not test its UID")
	require.ErrorContains(t, Step{Target: app(), Changes: steps[0].Changes}.Permitted(), "was not resolved")
}

// TestDiffShowsControlCharacters: an owner's name is free text, and none can keep a plan from being shown.
func TestDiffShowsControlCharacters(t *testing.T) {
	s := Step{Target: app(), Changes: []Change{{Path: Path{"metadata", "ownerReferences", "[uid=o]"},
		Old: map[string]any{"uid": "o", "name": "a\x7fb\u009b\nfix 2 applied"}}}}
	text, err := s.Diff()
	require.NoError(t, err)
	require.Contains(t, text, `a\x7fb\x9b`)
	require.NotContains(t, text, "\nfix 2")
}
