package collect

import (
	"bytes"
	"encoding/binary"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func FuzzReadJSONList(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"x","resourceVersion":"1"},"items":[{"metadata":{"name":"a"}},{}]}`,
		`{"items":null,"metadata":null}`, `{"items":[{"a":"\ud800"}]`, `{"metadata":7,"items":[]}`, `[]`, `{"items":{}}`, `{}`,
		` { "items" : [ 7 , "a\\\"]" , true, {"b":["}"]}, -1.5e3 ] } `, `{"items":[1,]}`, `{"items":[]]}`,
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
	f.Fuzz(func(t *testing.T, body []byte) { readBothWays(t, append(protobufHead(), body...)) })
}

func podList() listKind { return listKind{"v1", "PodList", false} }

// protobufHead is what a list of pods in protobuf begins with.
func protobufHead() []byte {
	return appendField([]byte(protobufMagic), 1, appendField(appendField(nil, 1, []byte("v1")), 2, []byte("PodList")))
}

func appendField(to []byte, field uint64, value []byte) []byte {
	to = binary.AppendUvarint(binary.AppendUvarint(to, field<<3|2), uint64(len(value)))
	return append(to, value...)
}

// readBothWays reads a list at once and in small pieces, which must give the same.
func readBothWays(t *testing.T, body []byte) (items [][]byte) {
	defer allocated.Bound(t, len(body))()
	t.Helper()
	var slowly [][]byte
	r := newListReader(new(input.Budget))
	meta, err := r.read(bytes.NewReader(body), podList(), func(string) {}, func(_ snapshot.Encoding, raw []byte) error {
		items = append(items, bytes.Clone(raw))
		return nil
	})
	slowMeta, slowErr := newListReader(new(input.Budget)).read(iotest.HalfReader(bytes.NewReader(body)), podList(), func(string) {},
		func(_ snapshot.Encoding, raw []byte) error {
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
