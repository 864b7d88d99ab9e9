package manifests

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const podA = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"

// TestDocumentErrors holds that text which does not parse is an error that names file, document and line.
func TestDocumentErrors(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"tab": {podA + "---\napiVersion: v1\nkind: Pod\nmetadata:\n\tname: a\n",
			"f: document 2, line 8: not valid YAML: found character that cannot start any token"},
		"colon in a value": {"apiVersion: v1\nkind: a: b\n", "f: document 1, line 2: not valid YAML: mapping values are not allowed in " +
			"this context"},
		"first line": {"a: b: c\n", "f: document 1, line 1: not valid YAML: mapping values are not allowed in this context"},
		"indentation": {"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n namespace: b\n",
			"f: document 1, line 5: not valid YAML: did not find expected key"},
		"no marker between": {podA + "---\n# comment\n- a\nb: c\n",
			"f: document 2, line 7: not valid YAML: did not find expected '-' indicator"},
		"bracket": {"apiVersion: v1\nkind: Pod\nspec: [a\nb: c\n",
			"f: document 1, line 4: not valid YAML: did not find expected ',' or ']'"},
		"item of a list": {"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n- apiVersion: v1\n  kind: b: c\nkind: List\n",
			"f: document 1, line 6: not valid YAML: mapping values are not allowed in this context"},
		"head of a list": {"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\nkind: List\nmetadata: a: b\n",
			"f: document 1, line 6: not valid YAML: mapping values are not allowed in this context"},
		"before the items": {"apiVersion: a: b\nitems:\n- {apiVersion: v1, kind: A}\nkind: List\n",
			"f: document 1, line 1: not valid YAML: mapping values are not allowed in this context"},
		"items twice": {"items:\n- {apiVersion: v1, kind: A}\nitems:\n- {apiVersion: v1, kind: B}\n",
			"f: document 1, line 3: the list has items twice"},
		"template": {"{{- if .Values.x }}\na: b\n{{- end }}\n",
			"f: document 1, line 1: not valid YAML: did not find expected node content"},
		"template in a value": {"a: {{ .Values.x }}\nb: {{ include \"x\" . }}\n",
			"(this looks like a Helm template; render it first with helm template, and pass the output)"},
		"template of a block": {"a: b\n{{ if .Values.x }}\nc: d\n{{ end }}\n",
			"(this looks like a Helm template; render it first with helm template, and pass the output)"},
		"no UTF-8":            {"a: b\nc: \"\xff\"\n", "f: document 1, line 2: not valid YAML: bytes that are no UTF-8 text"},
		"control character":   {"a: b\n\nc: \x1b[2J\n", "f: document 1, line 3: not valid YAML: a control character"},
		"unknown anchor":      {"---\na: *b\n", "f: document 1, line 2: not valid YAML: unknown anchor 'b' referenced"},
		"key of another type": {"a: b\n? [x]\n: y\n", "f: document 1, line 1: not valid YAML: "},
		"not a number":        {"apiVersion: v1\nkind: A\nx: .nan\n", "f: document 1, line 1: not valid YAML: "},
		"binary":              {"\x7fELF\x00\x01", "f: is a binary file, neither YAML nor JSON"},
		"UTF-16":              {"\xff\xfea\x00", "f: is UTF-16 text, save it as UTF-8"},
		"JSON: comma":         {"{\n \"a\": 1,\n}\n", "f: document 1, line 2: not valid JSON: invalid character ','"},
		"JSON: second value":  {"{\"a\": 1}\n\n{\"a\":\n x}\n", "f: document 2, line 4: not valid JSON: invalid character 'x'"},
		"JSON: cut short": {"{\"items\": [\n{\"a\": 1},\n{\"a\"",
			"f: document 1, line 3: not valid JSON: the input ends in the middle of a value"},
		"JSON: cut in a string": {"{\"a\": \"b\n", "f: document 1, line 1: not valid JSON: "},
		"JSON: cut after colon": {"{\"a\":\n\n", "f: document 1, line 3: not valid JSON: the input ends in the middle of a value"},
		"JSON: text after it":   {"{\"a\": 1}\nb\n", "f: document 2, line 2: not valid JSON: invalid character 'b'"},
		"JSON: number after it": {"{\"a\": 1}\n\n42\n", "f: document 2, line 3: not a Kubernetes object: it has no apiVersion or no kind"},
		"JSON: one minus":       {"{\"a\": 1}\n-1", "f: document 2, line 2: not a Kubernetes object: it has no apiVersion or no kind"},
		"JSON: then bad YAML": {"{\"a\": 1}\n---\na: b\n---\nc: d: e\n",
			"f: document 3, line 5: not valid YAML: mapping values are not allowed in this context"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := seen(t, c.text)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// TestNoHelmTemplate holds that an expression of Argo is not taken for one of Helm.
func TestNoHelmTemplate(t *testing.T) {
	_, err := seen(t, "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\na: '{{inputs.parameters.x}}'\nb: c: d\n")
	require.ErrorContains(t, err, "not valid YAML")
	require.NotContains(t, err.Error(), "Helm")
}

// TestHostileDocuments holds that input which is made to exhaust the reader is an error.
func TestHostileDocuments(t *testing.T) {
	const deep = 100_000
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'i'; c++ {
		before := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [*" + before + strings.Repeat(", *"+before, 8) + "]\n"
	}
	nested := strings.Repeat(`{"kind":"List","apiVersion":"v1","items":[`, 50) + strings.Repeat("]}", 50)
	for name, c := range map[string]struct{ text, want string }{
		"deep YAML in flow style":  {"a: " + strings.Repeat("[", deep), "document 1, line 1: its values are nested more than 500 deep"},
		"deep YAML in block style": {strings.Repeat("- ", deep) + "a", "document 1, line 1: its values are nested more than 500 deep"},
		"deep YAML maps":           {"{a: " + strings.Repeat("{a: ", deep), "document 1, line 1: its values are nested more than 500 deep"},
		"deep JSON": {`{"a":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + "}",
			"document 1, line 1: not valid JSON: exceeded max depth"},
		"deep JSON in a list": {`{"items":[{"a":` + strings.Repeat(`{"a":`, deep),
			"document 1, line 1: not valid JSON: exceeded max depth"},
		"aliases that multiply": {bomb, "document 1, line 1: its aliases expand it by more than 8 MiB or 20,000 values"},
		"aliases of a long string": {"# x\na: &a " + strings.Repeat("x", 50<<10) + "\nb:\n" + strings.Repeat("- *a\n", 20_000),
			"document 1, line 2: its aliases expand it by more than 8 MiB"},
		"aliases within a list": {"kind: List\nitems:\n- a: &a " + strings.Repeat("x", 50<<10) + "\n  b:\n" +
			strings.Repeat("  - *a\n", 20_000), "document 1, line 3: its aliases expand it by more than 8 MiB"},
		"aliases before the items": {"a: &a " + strings.Repeat("x", 50<<10) + "\nb:\n" + strings.Repeat("- *a\n", 20_000) + "items:\n- {}\n",
			"document 1, line 1: its aliases expand it by more than 8 MiB"},
		"lists within lists":       {nested, "document 1, line 1: lists within lists are nested more than 8 deep"},
		"lists within lists, YAML": {"# x\n" + nested, "document 1, line 2: lists within lists are nested more than 8 deep"},
		"one line that never ends": {"a: " + strings.Repeat("x", maxYAML), "document 1, line 1: a single document is larger than 16 MiB"},
		"one document that neither": {strings.Repeat("- "+strings.Repeat("x", 1021)+"\n", maxYAML>>10+1),
			"document 1, line 1: a single document is larger than 16 MiB"},
		"one JSON string": {`{"a":"` + strings.Repeat("x", 3*maxDocument),
			"document 1, line 1: a single document is larger than 64 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			err := readWhole("f", strings.NewReader(c.text), func(document) error { return nil })
			require.ErrorContains(t, err, c.want)
			require.Less(t, len(err.Error()), 300)
		})
	}
}
