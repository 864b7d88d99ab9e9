package manifests

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
)

// TestWhatGrowsTooMuchIsNotUnpacked gives the reader 100 KB that would become 100 MB.
func TestWhatGrowsTooMuchIsNotUnpacked(t *testing.T) {
	line := []byte("# " + strings.Repeat("a", 1<<20) + "\n---\n")
	plain := func(w *gzip.Writer) {
		for range 100 {
			_, _ = w.Write(line)
		}
	}
	inTar := func(w *gzip.Writer) {
		out := tar.NewWriter(w)
		_ = out.WriteHeader(&tar.Header{Name: "a.yaml", Size: int64(100 * len(line)), Typeflag: tar.TypeReg})
		for range 100 {
			_, _ = out.Write(line)
		}
		_ = out.Close()
	}
	for name, fill := range map[string]func(*gzip.Writer){"gz": plain, "tar.gz": inTar} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fill(z)
		require.NoError(t, z.Close())
		_, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: &b, Now: later})
		require.ErrorContains(t, err, "not unpacked: it grows to more than 200 times its size", name)
	}
}

// TestBrokenArchive holds that an archive is known by its first entry, and that its errors name the file.
func TestBrokenArchive(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	text := `{"kind":"SnapshotArchive","format":7}`
	require.NoError(t, w.WriteHeader(&tar.Header{Name: archive.ManifestName, Size: int64(len(text)), Typeflag: tar.TypeReg}))
	_, _ = w.Write([]byte(text))
	require.NoError(t, w.Close())
	_, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: &b, Now: later})
	require.EqualError(t, err, "stdin: it was written in format 7, and this build reads up to format 1")
}
