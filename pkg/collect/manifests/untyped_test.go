package manifests

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestTypedListsOfEveryKind holds that the items of a list need no type: the records are those of the same objects with
// apiVersion and kind. The list may say its own type before the items, or after them, as who sorts the members writes it.
func TestTypedListsOfEveryKind(t *testing.T) {
	for _, src := range snapshot.Sources() {
		metadata := fmt.Sprintf(`{"name":"a","namespace":"ns","uid":"u","labels":{"sparkoperator.k8s.io/app-name":"a","sparkoperator.k8s.io/launched-by-spark-operator":"%t"}}`, src.View == snapshot.SparkPods)
		item := `"metadata":` + metadata + `,"reason":"FailedScheduling","spec":{"group":"sparkoperator.k8s.io"}`
		kind, version := fmt.Sprintf("%q", src.Kind+"List"), fmt.Sprintf("%q", src.APIVersion())
		whole := recordsOf(t, fmt.Sprintf(`{"apiVersion":%q,"kind":%q,%s}`, src.APIVersion(), src.Kind, item))
		require.NotEmpty(t, whole, src.View)
		for form, text := range map[string]string{
			"kind first":  `{"kind":` + kind + `,"apiVersion":` + version + `,"items":[{` + item + `}]}`,
			"kind last":   `{"apiVersion":` + version + `,"items":[{` + item + `}],"kind":` + kind + `}`,
			"both last":   `{"items":[{` + item + `}],"kind":` + kind + `,"apiVersion":` + version + `}`,
			"empty type":  `{"kind":` + kind + `,"apiVersion":` + version + `,"items":[{"kind":"","apiVersion":"",` + item + `}]}`,
			"only a kind": `{"kind":` + kind + `,"apiVersion":` + version + `,"items":[{"kind":"` + src.Kind + `",` + item + `}]}`,
			"within a list": `{"items":[{"items":[{` + item + `}],"kind":` + kind + `,"apiVersion":` + version +
				`}],"kind":"List","apiVersion":"v1"}`,
			"only apiVersions": `{"kind":` + kind + `,"apiVersion":` + version + `,"items":[{"apiVersion":` + version + `,` + item + `}]}`,
		} {
			require.Equal(t, whole, recordsOf(t, text), "%s: %s", src.View, form)
			var value any
			require.NoError(t, json.Unmarshal([]byte(text), &value))
			block, err := yaml.Marshal(value) // sorted
			require.NoError(t, err)
			require.Equal(t, whole, recordsOf(t, string(block)), "%s: %s as YAML", src.View, form)
		}
	}
}

// TestItemsWithoutType holds that what no list gives a type is no object, and that another kind than the list's stays.
func TestItemsWithoutType(t *testing.T) {
	for name, c := range map[string]struct{ text, fails string }{
		"a list of anything": {`{"items":[{"metadata":{"name":"a"}}],"kind":"List","apiVersion":"v1"}`,
			"stdin: document 1, line 1: not a Kubernetes object"},
		"an array":                 {"[{},\n{}]", "stdin: document 1, line 1: not a Kubernetes object"},
		"the list of another list": {`{"items":[{"metadata":{"name":"a"}},{"items":[],"kind":"PodList","apiVersion":"v1"}],"kind":"List","apiVersion":"v1"}`, "stdin: document 1, line 1: not a Kubernetes object"},
		"another kind": {`{"items":[{"kind":"Service"}],"kind":"PodList","apiVersion":"v1"}`,
			"stdin: document 1, line 1: not a Kubernetes object"},
		"more than is held": {`{"items":[` + strings.Repeat(`{"a":"`+strings.Repeat("x", 8<<20)+`"},`, 9) + `{}],"kind":"PodList"}`,
			"more than 64 MiB of items without kind come before the kind of their list"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(c.text), Now: later})
			require.ErrorContains(t, err, c.fails)
		})
	}
}
