package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// repairable is the example with a cluster's UID, and how it is reached.
func repairable(t *testing.T) (s *apiServer, flags []string) {
	t.Helper()
	s = exampleCluster(t)
	s.add(t, "{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, uid: k}}")
	s.add(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: team-a, uid: settings-uid, resourceVersion: '1'}}")
	return s, []string{"--kubeconfig", s.kubeconfig(t, ""), "--confirm-after", "1ms"}
}

// planOf is the plan that fix makes.
func planOf(t *testing.T, flags []string, args ...string) map[string]any {
	t.Helper()
	o := run(t, append(append([]string{"fix", "-o", "json"}, args...), flags...)...)
	require.Equal(t, 0, o.code, o.stderr)
	var p map[string]any
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &p))
	return p
}

// applied hands a file to the program that says yes to everything, and returns the records it left.
func applied(t *testing.T, text string, flags []string, command ...string) (ran, []string) {
	t.Helper()
	file, records := filepath.Join(t.TempDir(), "file"), t.TempDir()
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	o := run(t, append(append(append(command, file), "--yes", "--record-dir", records), flags...)...)
	left, err := filepath.Glob(filepath.Join(records, "*"))
	require.NoError(t, err)
	return o, left
}

func (s *apiServer) written() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.patches...)
}

func in(v any, steps ...any) map[string]any {
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

// TestPlanFileIsUntrusted: a plan can have nothing written that fix would not write, nor what it does not show.
func TestPlanFileIsUntrusted(t *testing.T) {
	s, flags := repairable(t)
	good := planOf(t, flags, "SD2001")
	fresh := func() map[string]any {
		text, err := json.Marshal(good)
		require.NoError(t, err)
		var p map[string]any
		require.NoError(t, json.Unmarshal(text, &p))
		return p
	}
	settings := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "namespace": "team-a", "name": "settings", "uid": "settings-uid"}
	label := func(n int) any { // as a fix would have removed it
		return map[string]any{"path": []any{"metadata", "labels", fmt.Sprint("l", n)}, "old": "x"}
	}
	restore := func(changes ...any) map[string]any {
		var back []any
		for _, c := range changes {
			back = append(back, map[string]any{"path": in(c)["path"], "new": in(c)["old"]})
		}
		return map[string]any{
			"id": 1, "findings": in(fresh(), "fixes", 0)["findings"], "title": "take back: harmless", "risk": "safe",
			"undo":  map[string]any{"exact": true},
			"wish":  map[string]any{"restore": map[string]any{"object": settings, "changes": changes, "was": "harmless"}},
			"steps": []any{map[string]any{"target": settings, "changes": back, "why": "undo", "undo": map[string]any{"exact": true}}},
		}
	}
	for name, tc := range map[string]struct {
		change func(map[string]any)
		code   int
		want   string
	}{
		"a restore of labels": {func(p map[string]any) { p["fixes"] = []any{restore(label(1))} }, 4, "fixes[0].wish.restore"},
		"an eleventh field": {func(p map[string]any) {
			p["fixes"] = []any{restore(label(1), label(2), label(3), label(4), label(5), label(6), label(7), label(8), label(9), label(10),
				label(11))}
		}, 4, "fixes[0].wish.restore"},
		"an empty kick": {func(p map[string]any) { in(p, "fixes", 0)["wish"] = map[string]any{"kick": map[string]any{}} }, 4,
			"fixes[0].wish.kick.application"},
		"after no fix": {func(p map[string]any) { in(p, "fixes", 0)["after"] = []any{99} }, 4, "fixes[0].after[0]"},
		"a hidden map": {func(p map[string]any) {
			c := in(p, "fixes", 0, "steps", 0, "changes", 0)
			c["hidden"], c["old"] = true, map[string]any{"a": 1}
		}, 4, "fixes[0].steps[0].changes[0].old"},
		"no UID": {func(p map[string]any) { delete(in(p, "fixes", 0, "wish", "stripOwner", "dependent"), "uid") }, 4,
			"fixes[0].wish.stripOwner.dependent.uid"},
		"a title of its own":   {func(p map[string]any) { in(p, "fixes", 0)["title"] = "nothing" }, 4, "fixes[0].title"},
		"another cluster":      {func(p map[string]any) { in(p, "cluster")["uid"] = "other" }, 4, "another cluster"},
		"a finding of its own": {func(p map[string]any) { in(p, "fixes", 0, "findings", 0)["name"] = "sd2001-000000000000" }, 4, "stale: "},
		"another object":       {func(p map[string]any) { renamed(p, "settings") }, 4, "stale: "},
		"another object's UID": {func(p map[string]any) {
			in(p, "fixes", 0, "wish", "stripOwner", "dependent")["uid"] = "x"
			in(p, "fixes", 0, "steps", 0, "target")["uid"] = "x"
		}, 4, "was replaced by another object of that name"},
		"another owner": {func(p map[string]any) { in(p, "fixes", 0, "steps", 0, "changes", 1)["new"] = "Forged x, UID y" }, 4,
			"not what the plan shows"},
		"a check that is none": {func(p map[string]any) {
			f := in(p, "fixes", 0, "findings", 0)
			f["name"], f["check"] = "sd9999-000000000000", "SD9999"
		}, 4, "fixes[0].findings[0].check"},
		"a list and no plan":      {func(p map[string]any) { p["kind"] = "List" }, 2, "is no FixPlan"},
		"a field nobody knows":    {func(p map[string]any) { p["yes"] = true }, 4, "yes: is an unknown field"},
		"the wish of a checkless": {func(p map[string]any) { in(p, "fixes", 0)["findings"] = []any{} }, 4, "fixes[0].findings"},
	} {
		t.Run(name, func(t *testing.T) {
			p := fresh()
			p["fixes"] = p["fixes"].([]any)[:1] //nolint:forcetypeassert // a test
			tc.change(p)
			text, err := yaml.Marshal(p)
			require.NoError(t, err)
			before := len(s.written())
			o, records := applied(t, string(text), flags, "fix", "--max-risk", "destructive", "--plan")
			require.Equal(t, tc.code, o.code, o.stdout+o.stderr)
			require.Contains(t, o.stdout+o.stderr, tc.want)
			require.Len(t, s.written(), before, "nothing is sent")
			require.Empty(t, records, "and nothing recorded")
		})
	}
	t.Run("as it was made", func(t *testing.T) {
		p := fresh()
		finding := in(p, "fixes", 0, "findings", 0)
		finding["message"], finding["severity"], finding["object"] = "of the file", "info", map[string]any{"kind": "Pod", "name": "of-the-file"}
		change := in(p, "fixes", 0, "steps", 0, "changes", 0)
		change["hidden"] = true
		text, err := yaml.Marshal(p)
		require.NoError(t, err)
		before := len(s.written())
		o, records := applied(t, string(text), flags, "fix", "--dry-run=server", "--plan")
		require.Equal(t, 0, o.code, o.stdout+o.stderr)
		require.Contains(t, o.stdout, "fix 1 checked: ")
		require.NotContains(t, o.stdout, "of the file", "what it says of findings counts for nothing")
		require.Contains(t, o.stdout, "-  - apiVersion: argoproj.io/v1alpha1", "what it hides is shown")
		require.Greater(t, len(s.written()), before)
		require.Empty(t, records)
	})
}

// renamed has a plan write another object.
func renamed(p map[string]any, name string) {
	in(p, "fixes", 0, "wish", "stripOwner", "dependent")["name"] = name
	in(p, "fixes", 0, "steps", 0, "target")["name"] = name
}

// TestRecordIsUntrusted: undo writes back what fix may write, to the object it wrote, and nothing else.
func TestRecordIsUntrusted(t *testing.T) {
	s, flags := repairable(t)
	s.add(t, `{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: not-of-fix, uid: not-of-fix-uid, resourceVersion: "1", managedFields: [{manager: helm, operation: Update, fieldsType: FieldsV1, fieldsV1: {"f:webhooks": {'k:{"name":"mutate--v1-pod.sparkoperator.k8s.io"}': {"f:failurePolicy": {}}}}}]}, webhooks: [{name: mutate--v1-pod.sparkoperator.k8s.io, failurePolicy: Fail, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {caBundle: Yg==}}]}`)
	const start = `{"apiVersion":"sparkdoctor.io/v1alpha1","kind":"FixRecord","cluster":{"uid":"k"},"started":"2026-11-21T14:00:00Z","fixes":[{"id":1,"title":"nothing","findings":[{"name":"sd2001-0123456789ab","check":"SD2001","object":{},"severity":"info","message":"nothing"}],"undo":{"exact":true}}]}`
	step := func(target, rest string) string {
		return start + "\n" + `{"number":1,"fix":1,"title":"nothing","step":{"target":` + target + `,"why":"","undo":{"exact":true},` + rest +
			`},"at":"2026-11-21T14:00:00Z"}` + "\n"
	}
	const settings = `{"apiVersion":"v1","kind":"ConfigMap","namespace":"team-a","name":"settings","uid":"settings-uid"}`
	app := func(more string) string {
		return `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","namespace":"team-a","name":"x"` + more + `}`
	}
	for name, tc := range map[string]struct {
		text string
		code int
		want string
	}{
		"labels": {step(settings, `"changes":[{"path":["metadata","labels","x"],"old":"y"}]`), 4, "line 2: step.changes[0].path"},
		"a Secret's finalizer": {step(strings.Replace(settings, "ConfigMap", "Secret", 1),
			`"changes":[{"path":["metadata","finalizers","[=x]"],"old":"x"}]`), 4, "line 2: step.target.kind"},
		"a stripped owner": {step(settings, `"changes":[{"path":["metadata","ownerReferences","[uid=g]"],"old":{"apiVersion":"v1","kind":"ConfigMap","name":"gone","uid":"g"}}]`), 1, "with the reference the garbage collector would delete the object"},
		"an owner of a pod": {step(strings.Replace(settings, "ConfigMap", "Pod", 1),
			`"changes":[{"path":["metadata","ownerReferences","[uid=g]"],"old":{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","name":"gone","uid":"g"}}]`), 1, "garbage collector"},
		"no UID": {step(app(""), `"subresource":"status","hold":[{"path":["status","submissionID"],"value":"s"}],"changes":[{"path":["status","executorState","e-1"],"old":"FAILED"}]`), 4, "line 2: step.target.uid"},
		"the state": {step(app(`,"uid":"u"`), `"subresource":"status","changes":[{"path":["status","applicationState","state"],"old":"NEW"}]`), 4,
			"line 2: step.changes[0].path"},
		"a policy that Helm set": {step(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","name":"not-of-fix","uid":"not-of-fix-uid"}`,
			`"changes":[{"path":["webhooks","[name=mutate--v1-pod.sparkoperator.k8s.io]","failurePolicy"],"old":"Ignore","new":"Fail"}]`), 4,
			`was not written by field manager "kubectl-sparkdoctor"`},
		"another cluster":    {strings.Replace(start, `"uid":"k"`, `"uid":"other"`, 1) + "\n", 4, "of another cluster"},
		"a key twice":        {strings.Replace(start, `"uid":"k"`, `"uid":"other","uid":"k"`, 1) + "\n", 4, "line 1: "},
		"nothing was sent":   {start + "\n", 0, "nothing to do"},
		"no record":          {"{}\n", 2, "is not a sparkdoctor record"},
		"a line without end": {start + "\n" + strings.Repeat("x", 20<<20), 2, "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			o, records := applied(t, tc.text, flags[:2], "undo")
			require.Equal(t, tc.code, o.code, o.stdout+o.stderr)
			require.Contains(t, o.stdout+o.stderr, tc.want)
			require.Empty(t, s.written())
			require.Empty(t, records)
		})
	}
}
