package manifests

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// anchored are values of every kind, as they may stand behind an anchor.
func anchored() map[string]string {
	return map[string]string{
		"text": "web", "quoted": `"a: \"b\" # \u00e9 \\"`, "number": "1.50", "old boolean": "yes", "text of digits": `"007"`, "null": "null",
		"date": "2026-01-02", "folded": ">-\n          a\n          b", "literal": "|+\n          a\n\n", "empty": "",
		"map": "{a: b, c: [1, {d: e}]}", "block map": "\n          a: b\n          c:\n          - 1\n          - {d: e}",
		"list": "[a, {b: c}]", "block list": "\n        - a\n        - b: c", "map within": "{a: &inner {b: c}, d: *inner}",
		"merged": "{<<: {a: b}, c: d}",
	}
}

// places are lists whose items share %s, by where the anchor is and where it is used. Each reads as the whole document does.
func places() map[string]string {
	const item, tail = "- apiVersion: v1\n  kind: A\n  metadata:\n    name: x\n", "kind: List\napiVersion: v1\n"
	const plain = "items:\n" + item
	return map[string]string{
		"of the list, in an item": "x:\n        v: &l %s\nitems:\n" + item + "  spec: {a: *l}\n" + tail,
		"of an item, in the next": plain + "  spec:\n        v: &l %s\n" + item + "  spec: *l\n" + tail,
		"of an item, in the metadata": plain +
			"  spec:\n        v: &l %s\n- apiVersion: v1\n  kind: A\n  metadata: {name: y, labels: *l}\n" + tail,
		"of an item, in two": plain + "  spec:\n        v: &l %s\n" + item + "  spec: [*l,*l]\n" + item +
			"  a:\n  - *l\n  - {b: *l}\n" + tail,
		"of the metadata": "items:\n- metadata:\n    name: x\n    labels:\n        v: &l %s\n" + item +
			"  spec: *l # *l\n" + tail,
		"defined again": plain + "  spec: &l gone\n" + item + "  spec:\n        v: &l %s\n" + item + "  spec: *l\n" + tail,
		"defined again where it is used": plain + "  spec: &l gone\n" + item + "  a: *l\n  spec:\n        v: &l %s\n  b: *l\n" +
			item + "  c: *l\n" + tail,
		"of what stands for another": plain + "  spec:\n        v: &k %s\n" + item + "  spec: &l {a: *k, b: &m [*k]}\n" + item +
			"  a: *l\n  b: *m\n" + tail,
		"beside what is none": plain + "  spec:\n        v: &l %s\n" + item +
			"  a: \"*l\"\n  b: '*l'\n  c: x *l\n  d: |\n    *l\n    k: *l\n  e: é*l\n  f: {é: *l}\n" + tail,
		"with more in its name": plain + "  a: &l-1 no\n  b: &l_ no\n  spec:\n        v: &l %s\n" + item +
			"  a: *l-1\n  b: *l_\n  c: *l\n" + tail,
		"indented":                     "items:\n  - spec:\n        v: &l %s\n  - spec: *l\n    name: x\n" + tail,
		"with odd line ends in a text": plain + "  spec:\n        v: &l %s\n" + item + "  a: \"x\u2028y\u0085z\"\n  spec: *l\n" + tail,
	}
}

// TestAnchorsAreSharedByItems holds that the items of a list mean what they mean to kubectl, which reads the document at once.
func TestAnchorsAreSharedByItems(t *testing.T) {
	for place, list := range places() {
		for kind, value := range anchored() {
			requireWhole(t, fmt.Sprintf(list, value), place+": "+kind)
		}
	}
	for name, list := range map[string]string{
		"merge":                   "items:\n- spec: &l {a: b, c: d}\n- spec:\n    <<: *l\n    c: own\n- <<: *l\n  x: y\n",
		"merge of several":        "x: &k {a: b}\nitems:\n- spec: &l {a: c, d: e}\n- spec: {<<: [*l, *k], f: g}\n",
		"merge of a whole item":   "items:\n- &base\n  apiVersion: v1\n  kind: A\n  metadata: {name: a}\n- <<: *base\n  metadata: {name: b}\n",
		"an item that is another": "items:\n- &base {apiVersion: v1, kind: A}\n- *base\n-   *base\n",
		"a key":                   "items:\n- spec: {&k a: b}\n- spec: {*k : c}\n- spec:\n    *k : d\n",
		"Windows' line ends":      "items:\r\n- spec: &l {a: b}\r\n- spec: *l\r\n  a:\r\n  - *l\r\nkind: List\r\n",
		"behind the items":        "items:\n- spec: &l List\nkind: *l\n",
	} {
		requireWhole(t, list, name)
	}
}

// requireWhole holds that the items of a list are those of the document read at once.
func requireWhole(t *testing.T, text, what string) {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	require.NoError(t, err, "%s\n%s", what, text)
	var whole struct{ Items []json.RawMessage }
	require.NoError(t, json.Unmarshal(raw, &whole))
	var items []string
	err = readWhole("f", strings.NewReader(text), func(d document) error {
		if !d.IsList {
			items = append(items, string(d.JSON))
		}
		return nil
	})
	require.NoError(t, err, "%s\n%s", what, text)
	require.Len(t, items, len(whole.Items), what)
	for i := range items {
		require.JSONEq(t, string(whole.Items[i]), items[i], "%s\n%s", what, text)
	}
}

// TestAnchorsEndWithTheirDocument holds where an alias stays an error, and on which line.
func TestAnchorsEndWithTheirDocument(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"in the next document": {"items:\n- a: &l x\n---\na: *l\n",
			"f: document 2, line 4: not valid YAML: unknown anchor 'l' referenced"},
		"in the next list": {"items:\n- a: &l x\n---\nitems:\n- a: *l\n",
			"f: document 2, line 5: not valid YAML: unknown anchor 'l' referenced"},
		"before it is defined": {"items:\n- a: *l\n- a: &l x\n", "f: document 1, line 2: not valid YAML: unknown anchor 'l' referenced"},
		"of another name": {"items:\n- a: &l x\n- a: *ll\n",
			"f: document 1, line 3: not valid YAML: unknown anchor 'll' referenced"},
		"in a string": {"items:\n- a: '&l x'\n- a: *l\n",
			"f: document 1, line 3: not valid YAML: unknown anchor 'l' referenced"},
		"an item that is no YAML": {"items:\n- a: &l x\n- a: *l\n  b: c: d\n",
			"f: document 1, line 4: not valid YAML: mapping values are not allowed"},
		"merge of what is no map": {"items:\n- a: &l x\n- <<: *l\n",
			"f: document 1, line 3: not valid YAML: map merge requires map or sequence of maps"},
		"an item that holds itself": {"items:\n- &l\n  a: *l\n- b: c\n", "f: document 1, line 2: its aliases expand it by more than 8 MiB"},
		"lines behind it are theirs": {"items:\n- a: &l\n    b: c\n    d: e\n- a: *l\n- a: *l\n  b:\n\tc: d\n",
			"f: document 1, line 8: not valid YAML: found character"},
	} {
		_, err := seen(t, c.text)
		require.ErrorContains(t, err, c.want, name)
	}
	got, err := seen(t, "# c\nkind: List\nitems:\n- kind: A\n  apiVersion: &v v1\n  x: &l\n    a: b\n    c: d\n- "+
		"kind: B\n  apiVersion: *v\n  x: *l\n- *l\n")
	require.NoError(t, err)
	require.Equal(t, []string{"1:4 v1 A", "1:9 v1 B", "1:12", "1:2 list  List"}, got)
}

// TestSharedAnchorsAreBounded holds that little text cannot become much, in one item or in many.
func TestSharedAnchorsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	levels := "- &a0 [" + strings.Repeat("x,", 9) + "x]\n"
	for i := range 9 {
		levels += fmt.Sprintf("- &a%d [%s]\n", i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	for name, text := range map[string]string{
		"many aliases of a text, in an item": "items:\n- a: &l " + long + "\n- [" + strings.Repeat("*l,", 10_000) + "]\n",
		"many aliases of a text, in many":    "items:\n- a: &l " + long + "\n" + strings.Repeat("- *l\n", 10_000),
		"many merges, in many":               "items:\n- a: &l {a: " + long + "}\n" + strings.Repeat("- <<: *l\n", 10_000),
		"aliases of aliases":                 "items:\n" + levels,
		"many values, in an item": "items:\n- a: &l [" + strings.Repeat("{},", 5_000) + "]\n- [" +
			strings.Repeat("*l,", 500) + "]\n",
	} {
		most := 0
		err := readWhole("f", strings.NewReader(text), func(d document) error { most = max(most, len(d.JSON)); return nil })
		require.ErrorContains(t, err, "its aliases expand it by more than 8 MiB or 20,000 values", name)
		require.Less(t, most, 10<<20, name)
	}
	fleet := "items:\n- a: &l {team: data, " + strings.Repeat("x", 900) + ": y}\n" +
		strings.Repeat("- metadata: {name: "+strings.Repeat("x", 500)+", labels: *l}\n", 12_000)
	count := 0
	require.NoError(t, readWhole("f", strings.NewReader(fleet), func(document) error { count++; return nil }))
	require.Equal(t, 12_002, count, "what is used often is not what grows")
	unused := "items:\n- &l\n  a: [" + strings.Repeat("{},", 30_000) + "]\n- b: c\n"
	require.NoError(t, readWhole("f", strings.NewReader(unused), func(document) error { return nil }), "an anchor that nothing uses")
}

// TestFieldLinesWithAliases holds that fields are found in an item that uses what another one defines.
func TestFieldLinesWithAliases(t *testing.T) {
	const text = "items:\n- spec: &l {a: b}\n- metadata:\n    name: x\n  spec:\n    driver: *l\n    executor:\n      cores: 1\n"
	file := filepath.Join(t.TempDir(), "a.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	for field, want := range map[string]int{"metadata.name": 4, "spec.driver.cores": 6, "spec.executor.cores": 8} {
		require.Equal(t, want, new(FieldLines).Of(snapshot.Ref{Name: "x"}, snapshot.Location{File: file, Line: 3}, field), field)
	}
}
