package collect

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// FuzzReadDocuments holds that no text makes the reader panic or hand out anything but JSON values, that errors are one
// line, and that the way in which a stream is cut into reads changes nothing.
func FuzzReadDocuments(f *testing.F) {
	for _, seed := range []string{
		appA, "# c\n%YAML 1.1\n---\n" + appA + "...\n---\r\n" + podA,
		"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n-\n  kind: B\nkind: List\nmetadata: {}\n",
		"kind: PodList\napiVersion: v1\nitems:\n  - metadata:\n      name: |\n        - x\n  # c\n  - {}\nx: y\n",
		"a: &a [x]\nb: *a\nc: {<<: {d: e}}\n", "{a: b}\n", "- a\n- b\n", "\xef\xbb\xbf{}", "\xff\xfe", "a: \x1b", "items:\n- items:\n  - a\nitems:\n- b\n",
		`{"kind":"List","items":[{"a":1},[],"x",{"items":[{}]}],"apiVersion":"v1"}`, "[{\"a\":1}]\n---\na: b\n", `{"a":"\ud800","items":{}}`, `{} 7`, `{"a":`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		count := 0
		err := readDocuments("f", strings.NewReader(text), func(d document) error {
			count++
			require.Positive(t, d.Location.Line)
			require.LessOrEqual(t, d.Location.Line, strings.Count(text, "\n")+1)
			require.True(t, jsontext.Value(d.JSON).IsValid(lenient()), "%s", d.JSON)
			return nil
		})
		slowly := 0
		slowErr := readDocuments("f", iotest.HalfReader(strings.NewReader(text)), func(document) error { slowly++; return nil })
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
	f.Add("{apiVersion: v1, kind: Pod, metadata: {name: p, ownerReferences: [{}], labels: {sparkoperator.k8s.io/launched-by-spark-operator: \"true\"}}}", false)
	f.Fuzz(func(t *testing.T, text string, complete bool) {
		s, _, err := Files(t.Context(), FileOptions{Paths: []string{"-"}, Stdin: strings.NewReader(text), Complete: complete, Now: later})
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

func FuzzReadJSONList(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"x","resourceVersion":"1"},"items":[{"metadata":{"name":"a"}},{}]}`,
		`{"items":null,"metadata":null}`, `{"items":[{"a":"\ud800"}]`, `{"metadata":7,"items":[]}`, `[]`, `{"items":{}}`, `{}`, ` { "items" : [ 7 , "a\\\"]" , true, {"b":["}"]}, -1.5e3 ] } `, `{"items":[1,]}`, `{"items":[]]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		items := readBothWays(t, body)
		var whole struct {
			Items []jsontext.Value `json:"items"`
		}
		if json.Unmarshal(body, &whole) != nil || whole.Items == nil || bytes.Contains(body, []byte(`\u`)) { // which may be in a name
			return
		}
		require.Len(t, items, len(whole.Items), "what is JSON is cut where its values are")
		for i := range items {
			require.Equal(t, string(whole.Items[i]), string(items[i]))
		}
	})
}

func FuzzReadProtobufList(f *testing.F) {
	list := appendField(nil, 1, []byte{})
	list = appendField(list, 2, []byte("item"))
	list = appendField(list, 2, nil)
	f.Add(appendField(appendField(nil, 1, []byte("t")), 2, list))
	f.Add(appendField(nil, 2, list)[:6])
	f.Add([]byte{0x12, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x0a})
	f.Fuzz(func(t *testing.T, body []byte) { readBothWays(t, append([]byte(protobufMagic), body...)) })
}

func appendField(to []byte, field uint64, value []byte) []byte {
	to = binary.AppendUvarint(binary.AppendUvarint(to, field<<3|2), uint64(len(value)))
	return append(to, value...)
}

// readBothWays reads a list at once and in small pieces, which must give the same.
func readBothWays(t *testing.T, body []byte) (items [][]byte) {
	t.Helper()
	var slowly [][]byte
	meta, err := newListReader().read(bytes.NewReader(body), func(string) {}, func(_ snapshot.Encoding, raw []byte) error {
		items = append(items, bytes.Clone(raw))
		return nil
	})
	slowMeta, slowErr := newListReader().read(iotest.HalfReader(bytes.NewReader(body)), func(string) {}, func(_ snapshot.Encoding, raw []byte) error {
		slowly = append(slowly, bytes.Clone(raw))
		return nil
	})
	require.Equal(t, err == nil, slowErr == nil)
	require.Equal(t, items, slowly)
	if err == nil {
		require.Equal(t, meta, slowMeta)
	}
	return items
}
