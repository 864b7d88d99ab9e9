package manifests

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// repeated yields before, then body until size bytes are out, then after.
func repeated(before, body, after string, size int) io.Reader {
	return io.MultiReader(strings.NewReader(before), &loop{body: body, left: size / len(body)}, strings.NewReader(after))
}

type loop struct {
	body string
	left int
	at   int
}

func (l *loop) Read(p []byte) (int, error) {
	if l.left == 0 {
		return 0, io.EOF
	}
	n := copy(p, l.body[l.at:])
	if l.at += n; l.at == len(l.body) {
		l.at, l.left = 0, l.left-1
	}
	return n, nil
}

// TestMemoryIsBounded holds that the readers keep one object at a time, however large the input is.
func TestMemoryIsBounded(t *testing.T) {
	pad := strings.Repeat("x", 20<<10)
	item := `{"apiVersion":"v1","kind":"A","spec":"` + pad + `"}`
	yamlItem := "- apiVersion: v1\n  kind: A\n  spec: " + pad + "\n"
	large := 200 << 20
	if !sampling.Whole() {
		large = 48 << 20 // still four times what may be held
	}
	for name, c := range map[string]struct {
		in   io.Reader
		want int
	}{
		"large JSON list": {repeated(`{"items":[`+item, ","+item, `],"kind":"List","apiVersion":"v1"}`, large),
			large/(len(item)+1) + 2},
		"large file of JSON values": {repeated("", item+"\n", "", large), large / (len(item) + 1)},
		"16 MB YAML list":           {repeated("items:\n", yamlItem, "kind: List\napiVersion: v1\n", 16<<20), 16<<20/len(yamlItem) + 1},
		"16 MB indented YAML list": {repeated("items:\n", "  "+strings.ReplaceAll(yamlItem, "\n  ", "\n    "), "kind: List\napiVersion: v1\n",
			16<<20), 16<<20/(len(yamlItem)+6) + 1},
		"16 MB of YAML documents": {repeated("", "---\napiVersion: v1\nkind: A\nspec: "+pad+"\n", "", 16<<20), 16 << 20 / (len(pad) + 35)},
	} {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			var before, now runtime.MemStats
			runtime.ReadMemStats(&before)
			count, most := 0, uint64(0)
			err := readWhole("f", c.in, func(document) error {
				if count++; count%500 == 0 {
					runtime.GC() // garbage waits for a collector that a busy machine starves; what is kept is what counts
					runtime.ReadMemStats(&now)
					most = max(most, now.HeapAlloc)
				}
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, c.want, count)
			require.Less(t, most, before.HeapAlloc+12<<20)
		})
	}
}

// readWhole reads an input that is nothing but this text.
func readWhole(name string, r io.Reader, fn func(document) error) error {
	spent := new(input.Budget)
	return readDocuments(spent, name, spent.Packed(r), fn)
}
