package fix

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime"
)

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &o))
	return o
}

const driver = `{"metadata":{"uid":"u1","resourceVersion":"7","finalizers":["a","b/c"],
  "ownerReferences":[{"uid":"x","name":"one"},{"uid":"y","name":"two"}],"annotations":{"k/~v":"1"}},
  "webhooks":[{"name":"w1","failurePolicy":"Ignore"},{"name":"w2","failurePolicy":"Ignore"}],
  "status":{"executorState":{"e-exec-1":"COMPLETED","e-exec-2":"FAILED"}}}`

// TestPatchDoesWhatTheChangesSay: the API server applies patches with this very library.
func TestPatchDoesWhatTheChangesSay(t *testing.T) {
	for name, tc := range map[string]struct {
		changes []Change
		want    string // the field that changed, as a patch test
	}{
		"element of a list of texts": {[]Change{{Path: Path{"metadata", "finalizers", "[=b/c]"}, Old: "b/c"}},
			`{"op":"test","path":"/metadata/finalizers","value":["a"]}`},
		"element by a key": {[]Change{{Path: Path{"metadata", "ownerReferences", "[uid=x]"},
			Old: map[string]any{"uid": "x", "name": "one"}}}, `{"op":"test","path":"/metadata/ownerReferences","value":[{"uid":"y","name":"two"}]}`},
		"two elements of one list": {[]Change{
			{Path: Path{"metadata", "finalizers", "[=a]"}, Old: "a"}, {Path: Path{"metadata", "finalizers", "[=b/c]"}, Old: "b/c"},
		}, `{"op":"test","path":"/metadata/finalizers","value":[]}`},
		"field of an element": {[]Change{{Path: Path{"webhooks", "[name=w2]", "failurePolicy"}, Old: "Ignore", New: "Fail"}},
			`{"op":"test","path":"/webhooks","value":[{"name":"w1","failurePolicy":"Ignore"},{"name":"w2","failurePolicy":"Fail"}]}`},
		"key that needs escapes": {[]Change{{Path: Path{"metadata", "annotations", "k/~v"}, Old: "1", New: "2"}},
			`{"op":"test","path":"/metadata/annotations/k~1~0v","value":"2"}`},
		"new key in a map": {[]Change{{Path: Path{"metadata", "annotations", "new"}, New: "2"}},
			`{"op":"test","path":"/metadata/annotations/new","value":"2"}`},
		"maps that are not there": {[]Change{{Path: Path{"spec", "template", "metadata", "annotations", "new"}, New: "2"}},
			`{"op":"test","path":"/spec","value":{"template":{"metadata":{"annotations":{"new":"2"}}}}}`},
		"new element": {[]Change{{Path: Path{"metadata", "ownerReferences", "[uid=z]"}, New: map[string]any{"uid": "z"}}},
			`{"op":"test","path":"/metadata/ownerReferences/2","value":{"uid":"z"}}`},
		"list that is not there": {[]Change{{Path: Path{"metadata", "others", "[uid=z]"}, New: map[string]any{"uid": "z"}}},
			`{"op":"test","path":"/metadata/others","value":[{"uid":"z"}]}`},
		"field of a map of executors": {[]Change{{Path: Path{"status", "executorState", "e-exec-2"}, Old: "FAILED"}},
			`{"op":"test","path":"/status/executorState","value":{"e-exec-1":"COMPLETED"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			o := object(t, driver)
			before := runtime.DeepCopyJSON(o)
			operations, err := patch(o, Step{Changes: tc.changes})
			require.NoError(t, err)
			require.Equal(t, before, o, "the object itself stays as it is")
			after := applied(t, o, operations)
			check, err := jsonpatch.DecodePatch([]byte("[" + tc.want + "]"))
			require.NoError(t, err)
			_, err = check.Apply(after)
			require.NoError(t, err, "%s", after)

			var back []Change
			for i := len(tc.changes) - 1; i >= 0; i-- {
				back = append(back, tc.changes[i].reversed())
			}
			changed := object(t, string(after))
			operations, err = patch(changed, Step{Changes: back})
			require.NoError(t, err)
			if name != "two elements of one list" && name != "maps that are not there" && name != "list that is not there" &&
				name != "element by a key" {
				require.JSONEq(t, driver, string(applied(t, changed, operations)), "and back")
			}
		})
	}
}

func applied(t *testing.T, o map[string]any, operations []Operation) []byte {
	t.Helper()
	text, err := json.Marshal(operations)
	require.NoError(t, err)
	p, err := jsonpatch.DecodePatch(text)
	require.NoError(t, err)
	doc, err := json.Marshal(o)
	require.NoError(t, err)
	after, err := p.Apply(doc)
	require.NoError(t, err, "%s on %s", text, doc)
	return after
}

// TestPatchInsists: every patch tests the UID, each old value, and, where a field must not be there, the version.
func TestPatchInsists(t *testing.T) {
	o := object(t, driver)
	operations, err := patch(o, Step{Preconditions: []Precondition{{Path{"webhooks", "[name=w1]", "failurePolicy"}, "Ignore"}},
		Changes: []Change{{Path: Path{"metadata", "finalizers", "[=a]"}, Old: "a"}}})
	require.NoError(t, err)
	require.Equal(t, []Operation{
		{Op: "test", Path: "/metadata/uid", Value: "u1"},
		{Op: "test", Path: "/webhooks/0/failurePolicy", Value: "Ignore"},
		{Op: "test", Path: "/metadata/finalizers/0", Value: "a"},
		{Op: "remove", Path: "/metadata/finalizers/0"},
	}, operations)
	operations, err = patch(o, Step{Changes: []Change{{Path: Path{"metadata", "annotations", "new"}, New: "2"}}})
	require.NoError(t, err)
	require.Contains(t, operations, Operation{Op: "test", Path: "/metadata/resourceVersion", Value: "7"})
	for name, c := range map[string]Change{
		"another old value":      {Path: Path{"metadata", "annotations", "k/~v"}, Old: "0", New: "2"},
		"already there":          {Path: Path{"metadata", "annotations", "k/~v"}, New: "2"},
		"gone":                   {Path: Path{"metadata", "finalizers", "[=z]"}, Old: "z"},
		"through what is no map": {Path: Path{"metadata", "uid", "x", "y"}, New: "z"},
	} {
		_, err := patch(o, Step{Changes: []Change{c}})
		require.Error(t, err, name)
	}
}

func TestHiddenValuesAreHashed(t *testing.T) {
	c := Change{Path: Path{"metadata", "annotations", "a"}, Old: "password: hunter2", Hidden: true}
	text, err := json.Marshal(c)
	require.NoError(t, err)
	require.NotContains(t, string(text), "hunter2")
	var back Change
	require.NoError(t, json.Unmarshal(text, &back))
	require.True(t, back.same(c), "a plan still recognises the value")
	require.False(t, back.same(Change{Path: c.Path, Old: "other", Hidden: true}))
	require.NotContains(t, c.String(), "hunter2")
	require.False(t, c.same(Change{Path: c.Path, Old: map[string]any{"a": 1}, Hidden: true}), "what is no text is no reason to panic")
	require.True(t, Change{Old: map[string]any{"a": 1}, Hidden: true}.same(Change{Old: map[string]any{"a": 1}, Hidden: true}))
}

func FuzzPatch(f *testing.F) {
	f.Add("finalizers", "[=a]", "x")
	f.Add("annotations", "k/~v", "2")
	f.Add("annotations", "ne~w/", "2")
	f.Fuzz(func(t *testing.T, field, key, updated string) {
		if !utf8.ValidString(field + key + updated) {
			return // no JSON
		}
		o := object(t, driver)
		path := Path{"metadata", field, key}
		at, err := locate(o, path)
		if err != nil {
			return
		}
		c := Change{Path: path, New: updated}
		if at.exists {
			c.Old = at.value
		}
		operations, err := patch(o, Step{Changes: []Change{c}})
		if err != nil {
			return
		}
		want := runtime.DeepCopyJSON(o)
		require.NoError(t, c.Apply(want))
		text, err := json.Marshal(want)
		require.NoError(t, err)
		require.JSONEq(t, string(text), string(applied(t, o, operations)))
	})
}
