package manifests

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
)

// FuzzReadDocuments holds that no text makes the reader panic or hand out anything but JSON values, that errors are one
// line, and that the way in which a stream is cut into reads changes nothing.
func FuzzReadDocuments(f *testing.F) {
	for _, seed := range []string{
		appA, "# c\n%YAML 1.1\n---\n" + appA + "...\n---\r\n" + podA,
		"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n-\n  kind: B\nkind: List\nmetadata: {}\n",
		"kind: PodList\napiVersion: v1\nitems:\n  - metadata:\n      name: |\n        - x\n  # c\n  - {}\nx: y\n",
		"a: &a [x]\nb: *a\nc: {<<: {d: e}}\n", "{a: b}\n", "- a\n- b\n", "\xef\xbb\xbf{}", "\xff\xfe", "a: \x1b",
		"x: &k {a: b}\nitems:\n- &l\n  a: &m [x]\n- <<: *l\n  b: [*m, '*m', *k]\nkind: *m\n---\nitems:\n- *l\n",
		"items:\n- items:\n  - a\nitems:\n- b\n",
		`{"kind":"List","items":[{"a":1},[],"x",{"items":[{}]}],"apiVersion":"v1"}`,
		"[{\"a\":1}]\n---\na: b\n", `{"a":"\ud800","items":{}}`, `{} 7`, `{"a":`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer allocated.Bound(t, len(text))()
		count := 0
		err := readWhole("f", strings.NewReader(text), func(d document) error {
			count++
			require.Positive(t, d.Location.Line)
			require.LessOrEqual(t, d.Location.Line, strings.Count(text, "\n")+1)
			require.True(t, jsontext.Value(d.JSON).IsValid(lenient()), "%s", d.JSON)
			return nil
		})
		slowly := 0
		slowErr := readWhole("f", iotest.HalfReader(strings.NewReader(text)), func(document) error { slowly++; return nil })
		require.Equal(t, count, slowly)
		require.Equal(t, err == nil, slowErr == nil)
		if err != nil {
			require.Equal(t, err.Error(), slowErr.Error())
			require.NotContains(t, err.Error(), "\n")
		}
	})
}

// FuzzFiles holds that no text makes the whole offline path panic.
func FuzzFiles(f *testing.F) {
	f.Add(appA+"---\n"+podA, true)
	f.Add("{apiVersion: v1, kind: Pod, metadata: {name: p, ownerReferences: [{}], "+
		"labels: {sparkoperator.k8s.io/launched-by-spark-operator: \"true\"}}}", false)
	f.Fuzz(func(t *testing.T, text string, complete bool) {
		defer allocated.Bound(t, len(text))()
		s, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Complete: complete, Now: later})
		if err != nil {
			return
		}
		_, err = s.TakenAt.MarshalJSON()
		require.NoError(t, err)
		for _, a := range s.SparkApplications() {
			for _, ref := range a.Owners {
				s.Ownership().Resolve(&a.Object, ref)
			}
		}
	})
}
