package manifests

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// seen is one line for what readDocuments handed out: place, head of a list or not, apiVersion, kind and name.
func seen(t *testing.T, text string) ([]string, error) {
	t.Helper()
	var out []string
	err := readWhole("f", strings.NewReader(text), func(d document) error {
		out = append(out, describe(t, d))
		return nil
	})
	// The same, however few bytes a pipe hands over at a time.
	var slowly []string
	slowErr := readWhole("f", iotest.OneByteReader(strings.NewReader(text)), func(d document) error {
		slowly = append(slowly, describe(t, d))
		return nil
	})
	require.Equal(t, out, slowly)
	require.Equal(t, fmt.Sprint(err), fmt.Sprint(slowErr))
	return out, err
}

func describe(t *testing.T, d document) string {
	t.Helper()
	h := d.Head
	h.complete(d.List)
	what := ""
	if d.IsList {
		what = " list"
	}
	name, _, _ := strings.Cut(afterName(string(d.JSON)), `"`)
	return strings.TrimSpace(fmt.Sprintf("%d:%d%s %s %s %s", d.Location.Document, d.Location.Line, what, h.APIVersion, h.Kind, name))
}

func afterName(raw string) string {
	_, rest, _ := strings.Cut(raw, `"name":"`)
	return rest
}

func TestReadDocuments(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one":                   {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", []string{"1:1 v1 Pod a"}},
		"no newline at the end": {"apiVersion: v1\nkind: Pod", []string{"1:1 v1 Pod"}},
		"two":                   {"apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\n", []string{"1:1 v1 A", "2:4 v1 B"}},
		"markers with comments, blanks and nothing between": {
			"# licence\n\n---\n--- # nothing\n---   \napiVersion: v1\nkind: A\n--- # second\n# about it\napiVersion: v1\nkind: B\n---\n",
			[]string{"1:6 v1 A", "2:10 v1 B"},
		},
		"content on the marker line": {"--- {apiVersion: v1, kind: A}\n--- {apiVersion: v1, kind: B}\n", []string{"1:1 v1 A", "2:2 v1 B"}},
		"end of document":            {"apiVersion: v1\nkind: A\n...\n---\napiVersion: v1\nkind: B\n...\n", []string{"1:1 v1 A", "2:5 v1 B"}},
		"directive":                  {"%YAML 1.1\n---\napiVersion: v1\nkind: A\n", []string{"1:3 v1 A"}},
		"CRLF": {"apiVersion: v1\r\nkind: A\r\n---\r\napiVersion: v1\r\nkind: List\r\nitems:\r\n- apiVersion: v1\r\n  " +
			"kind: B\r\n", []string{"1:1 v1 A", "2:7 v1 B", "2:4 list v1 List"}},
		"byte order mark, YAML": {"\xef\xbb\xbfapiVersion: v1\nkind: A\n", []string{"1:1 v1 A"}},
		"byte order mark, JSON": {"\xef\xbb\xbf{\"apiVersion\": \"v1\", \"kind\": \"A\"}", []string{"1:1 v1 A"}},
		"marker in a block scalar": {
			"apiVersion: v1\nkind: A\ndata:\n  x: |\n    ---\n    apiVersion: v1\n    ...\n    - y\n", []string{"1:1 v1 A"},
		},
		"no marker without a blank": {"apiVersion: v1\nkind: A\n---x: y\n", []string{"1:1 v1 A"}},
		"tabs are no indentation but may end a line": {"apiVersion: v1\t\nkind: A # c\t\n---\t\napiVersion: v1\nkind: B\n",
			[]string{"1:1 v1 A", "2:4 v1 B"}},
		"merge keys and anchors": {"apiVersion: &v v1\nkind: A\nmetadata: &m {name: a}\nspec: {template: {metadata: {<<: " +
			"*m}}, v: *v}\n", []string{"1:1 v1 A a"}},
		"duplicate keys, last wins": {"apiVersion: v1\nkind: A\nkind: B\n", []string{"1:1 v1 B"}},
		"flow style":                {"{apiVersion: v1, kind: A}\n", []string{"1:1 v1 A"}},
		"nothing":                   {"", nil},
		"comments only":             {"# nothing here\n\n", nil},
		"null documents":            {"null\n---\n~\n---\n", nil},
		"a string":                  {"hello\n", []string{"1:1"}},
		"no type":                   {"a: 1\n", []string{"1:1"}},
		"types that are no strings": {"apiVersion: 1\nkind: [A]\n", []string{"1:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := seen(t, c.text)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestReadLists(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"as kubectl prints it": {
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n- apiVersion: v1\n  kind: B\nkind: List\nmetadata:\n " +
				" resourceVersion: \"\"\n",
			[]string{"1:3 v1 A a", "1:7 v1 B", "1:1 list v1 List"},
		},
		"indented": {
			"apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: A\n    x:\n      - 1\n      - 2\n  - apiVersion: v1\n    kind: " +
				"B\nmetadata: {}\n",
			[]string{"1:4 v1 A", "1:9 v1 B", "1:1 list v1 List"},
		},
		"dash alone, odd indentation": {
			"kind: List\napiVersion: v1\nitems:\n-\n   apiVersion: v1\n   kind: A\n-   apiVersion: v1\n    kind: C\n",
			[]string{"1:5 v1 A", "1:7 v1 C", "1:1 list v1 List"},
		},
		"comments and blank lines between items": {
			"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n\n# about B\n- apiVersion: v1\n  kind: B\n  # end\n# end\n",
			[]string{"1:4 v1 A", "1:8 v1 B", "1:1 list v1 List"},
		},
		"dashes and markers in block scalars of items": {
			"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n  s: |\n    - x\n    ---\n   \n    items:\n    - y\n- apiVersion: " +
				"v1\n  kind: B\n",
			[]string{"1:4 v1 A", "1:12 v1 B", "1:1 list v1 List"},
		},
		"lists within items at the same indentation": {
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    finalizers:\n    - x\n    - y\nkind: List\n",
			[]string{"1:3 v1 A", "1:1 list v1 List"},
		},
		"empty": {"apiVersion: v1\nitems: []\nkind: List\n", []string{"1:1 list v1 List"}},
		"null":  {"apiVersion: v1\nitems:\nkind: List\n", []string{"1:1 v1 List"}},
		"flow": {"apiVersion: v1\nitems: [{apiVersion: v1, kind: A}, {apiVersion: v1, kind: B}]\nkind: List\n",
			[]string{"1:1 v1 A", "1:1 v1 B", "1:1 list v1 List"}},
		"two lists": {
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\nkind: List\n---\n" +
				"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: B\nkind: List\n",
			[]string{"1:3 v1 A", "1:1 list v1 List", "2:9 v1 B", "2:7 list v1 List"},
		},
		"list within a list": {
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: A\nkind: List\n",
			[]string{"1:3 v1 A", "1:3 list v1 List", "1:1 list v1 List"},
		},
		"typed, items without a type": {
			"apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata:\n    name: a\n- metadata: {name: b}\n",
			[]string{"1:4 apps/v1 Deployment a", "1:6 apps/v1 Deployment b", "1:1 list apps/v1 DeploymentList"},
		},
		"typed, flow": {
			"{apiVersion: v1, items: [{metadata: {name: a}}], kind: PodList}\n",
			[]string{"1:1 v1 Pod a", "1:1 list v1 PodList"},
		},
		"items that are no list of objects": {"apiVersion: v1\nkind: ConfigMap\ndata:\n  items: x\n", []string{"1:1 v1 ConfigMap"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := seen(t, c.text)
			if err != nil {
				got = append(got, err.Error())
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestReadJSON(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one": {"\n\n{\n \"apiVersion\": \"v1\",\n \"kind\": \"A\"\n}\n", []string{"1:3 v1 A"}},
		"concatenated": {`{"apiVersion":"v1","kind":"A"}{"apiVersion":"v1","kind":"B"}` + "\n" + `{"apiVersion":"v1","kind":"C"}`,
			[]string{"1:1 v1 A", "2:1 v1 B", "3:2 v1 C"}},
		"as kubectl prints it": {
			"{\n\"apiVersion\": \"v1\",\n\"items\": [\n{\n\"apiVersion\": \"v1\",\n\"kind\": \"A\"\n},\n{\"apiVersion\": \"v1\", \"kind\": " +
				"\"B\"}\n],\n\"kind\": \"List\",\n\"metadata\": {\"resourceVersion\": \"\"}\n}\n",
			[]string{"1:4 v1 A", "1:8 v1 B", "1:1 list v1 List"},
		},
		"as the API server answers": {
			`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a"}}]}`,
			[]string{"1:1 v1 Pod a", "1:1 list v1 PodList"},
		},
		"empty list": {`{"kind":"PodList","apiVersion":"v1","items":[]}`, []string{"1:1 list v1 PodList"}},
		"null list":  {`{"kind":"PodList","apiVersion":"v1","items":null}`, []string{"1:1 v1 PodList"}},
		"array": {"[{\"apiVersion\":\"v1\",\"kind\":\"A\"},\n{\"apiVersion\":\"v1\",\"kind\":\"B\"}]",
			[]string{"1:1 v1 A", "1:2 v1 B"}},
		"list within a list": {`{"items":[{"items":[{"apiVersion":"v1","kind":"A"}],"kind":"List","apiVersion":"v1"}],"kind":"List","apiVersion":"v1"}`, []string{"1:1 v1 A", "1:1 list v1 List", "1:1 list v1 List"}},
		"list in an array": {`[{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"A"}]}]`,
			[]string{"1:1 v1 A", "1:1 list v1 List"}},
		"duplicate keys":      {`{"apiVersion":"v1","kind":"A","kind":"B"}`, []string{"1:1 v1 B"}},
		"bytes that are none": {"{\"apiVersion\":\"v1\",\"kind\":\"A\",\"metadata\":{\"name\":\"\xff\"}}", []string{"1:1 v1 A \xff"}},
		"then YAML": {
			"{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n---\n{\"apiVersion\":\"v1\",\"kind\":\"B\"}\n---\napiVersion: v1\nkind: C\n",
			[]string{"1:1 v1 A", "2:3 v1 B", "3:5 v1 C"},
		},
		"blanks only after it": {"{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n \n\t\n", []string{"1:1 v1 A"}},
		"an empty object":      {"{}", []string{"1:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := seen(t, c.text)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}
