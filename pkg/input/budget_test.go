package input_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// read counts a text as packed bytes of a budget.
func read(t *testing.T, b *input.Budget, n int) {
	t.Helper()
	_, err := io.Copy(io.Discard, b.Packed(strings.NewReader(strings.Repeat("x", n))))
	require.NoError(t, err)
}

// TestWhatGrowsIsEnded: a stream ends in an error once it has grown beyond what its size allows, and not before. What was read of other
// files of the same input counts, too.
func TestWhatGrowsIsEnded(t *testing.T) {
	for _, packed := range []int{0, 1, 1 << 10, 1 << 20} {
		var b input.Budget
		read(t, &b, packed)
		_, most := b.Grown()
		grows := b.Unpacked(io.LimitReader(zeros{}, most+1))
		n, err := io.Copy(io.Discard, grows)
		require.ErrorContains(t, err, "grows to more than", packed)
		require.LessOrEqual(t, n, most)

		var fits input.Budget
		read(t, &fits, packed)
		n, err = io.Copy(io.Discard, fits.Unpacked(io.LimitReader(zeros{}, most)))
		require.NoError(t, err)
		require.Equal(t, most, n)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestWhatIsKeptIsCounted: each piece adds up, and the first that is too much is refused; more input allows more.
func TestWhatIsKeptIsCounted(t *testing.T) {
	var b input.Budget
	_, most := b.Kept()
	require.NoError(t, b.Keep(most-1))
	require.NoError(t, b.Keep(1))
	require.ErrorContains(t, b.Keep(1), "too much for its 0 bytes")
	read(t, &b, 1<<10)
	require.NoError(t, b.Keep(1))
	_, more := b.Kept()
	require.Greater(t, more, most)
}

// nested, wide and deep documents, of which the first of each pair passes.
func documents() map[string][2]string {
	lists := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	maps := func(n int) string { return "[" + strings.Repeat(`{"a":1},`, n) + "1]" }
	texts := func(n int) string { return "[" + strings.Repeat(`"",`, n) + "1]" }
	return map[string][2]string{
		"lists in lists": {lists(400) + strings.Repeat(" ", 4<<10), lists(200_000)}, "small maps": {maps(20_000), maps(2 << 20)},
		"texts": {texts(50_000), texts(6 << 20)},
	}
}

// TestValuesAreCountedBeforeTheyAreMade: a document whose values would take too much is refused by its text, in JSON and in YAML, of which
// JSON is a part, and whether it is there at once or arrives in pieces.
func TestValuesAreCountedBeforeTheyAreMade(t *testing.T) {
	for name, pair := range documents() {
		fits, tooMuch := []byte(pair[0]), []byte(pair[1])
		require.True(t, json.Valid(fits) && (json.Valid(tooMuch) || name == "lists in lists"), name) // encoding/json has a depth of its own
		require.NoError(t, new(input.Budget).JSON(fits), name)
		require.Error(t, new(input.Budget).JSON(tooMuch), name)
		require.NoError(t, new(input.Budget).YAML(fits), name)
		require.Error(t, new(input.Budget).YAML(tooMuch), name)
		for _, in := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.HalfReader, iotest.DataErrReader} {
			_, err := io.Copy(io.Discard, new(input.Budget).Values(in(bytes.NewReader(fits))))
			require.NoError(t, err, name)
			n, err := io.Copy(io.Discard, new(input.Budget).Values(in(bytes.NewReader(tooMuch))))
			require.Error(t, err, name)
			require.Less(t, n, int64(len(tooMuch)), name)
		}
	}
}

// TestWhatIsInTextIsNoValue: brackets, quotes and breaks within a text of JSON nest nothing.
func TestWhatIsInTextIsNoValue(t *testing.T) {
	for _, text := range []string{strings.Repeat("[{", 200_000), strings.Repeat(`\"[`, 200_000), strings.Repeat(`\\[`, 100_000) + `\\`} {
		document := []byte(`{"a":"` + text + `"}`)
		require.True(t, json.Valid(document))
		require.NoError(t, new(input.Budget).JSON(document))
	}
}

// TestDocumentsAreBounded: one document may have as much as it is asked for, or what has arrived allows.
func TestDocumentsAreBounded(t *testing.T) {
	var b input.Budget
	small := b.Document(1 << 40)
	require.Equal(t, int64(10), b.Document(10))
	read(t, &b, 1<<20)
	require.Greater(t, b.Document(1<<40), small)
}

// TestSizeIsAtLeastWhatIsHeld: long texts, items and entries count, wherever a value holds them.
func TestSizeIsAtLeastWhatIsHeld(t *testing.T) {
	type record struct {
		Name  string
		Next  *record
		Any   any
		Items []string
		By    map[string][]byte
	}
	long := strings.Repeat("x", 1000)
	empty := input.Size(record{})
	for name, r := range map[string]record{
		"text": {Name: long}, "pointer": {Next: &record{Name: long}}, "interface": {Any: long}, "list": {Items: []string{long}},
		"key": {By: map[string][]byte{long: nil}}, "bytes": {By: map[string][]byte{"a": []byte(long)}},
	} {
		require.GreaterOrEqual(t, input.Size(r), empty+1000, name)
		require.Less(t, input.Size(r), empty+1400, name)
	}
	require.Zero(t, input.Size(nil))
}
