package catalog_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

const (
	maxDecoding = 5 * time.Second // of a file, with a machine that others use
	maxDecoded  = 512 << 20       // bytes that are allocated for it
)

// FuzzSignatures: whatever a file holds, reading it is an error of one line that names the file, or a set; it takes neither long nor much
// memory, and what it makes of a line is one line without control characters.
func FuzzSignatures(f *testing.F) {
	f.Add(head+lease, "ACME-1234: lease for sales.orders expired")
	f.Add(head+strings.Replace(lease, `\S+`, `(?:\S{0,30}x|(?i)é){1,30}`, 1), "ACME-1234: lease for éxéx expired")
	f.Add(head+strings.Replace(lease, "the lease", "[${table}] [${table} \x1b", 1), "x")
	f.Add(head+strings.Replace(lease, "  message", "  exception: 'com\\.acme\\.(?P<x>\\w+)'\n  message", 1), "com.acme.E: ACME-1234")
	f.Add(head+"- &a [*a, *a]\n", "")
	f.Add(strings.Repeat("[", 5000), "")
	f.Add("? "+strings.Repeat("- ", 5000), "")
	f.Fuzz(func(t *testing.T, text, line string) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		set, err := catalog.Own(catalog.File{Name: "x.yaml", Text: []byte(text)})
		if err == nil {
			m, _ := set.Line(line)
			class, message, _ := strings.Cut(line, ": ")
			n, _ := set.Exception(class, message)
			for _, said := range []string{m.Signature.Meaning(m.Groups), n.Signature.Meaning(n.Groups)} {
				require.NotContains(t, said, "\n")
				require.NotContains(t, said, "\x1b[")
			}
		} else {
			require.Contains(t, err.Error(), "x.yaml")
			require.NotContains(t, err.Error(), "\n")
		}
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		require.Less(t, took, maxDecoding)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(maxDecoded))
	})
}

// TestLargeFilesAreDecodedInBounds: what YAML has most of in a byte, to the size that is read.
func TestLargeFilesAreDecodedInBounds(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 1<<20), "{" + strings.Repeat("a,", 1<<19-1), head + strings.Repeat("- {}\n", 200_000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := catalog.Own(catalog.File{Name: "x.yaml", Text: []byte(text)})
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, "x.yaml")
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(maxDecoded))
	}
}
