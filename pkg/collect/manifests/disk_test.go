package manifests

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestFilesOfAnotherDisk: files that are not of this machine are found, listed and named in the same way.
func TestFilesOfAnotherDisk(t *testing.T) {
	object := &fstest.MapFile{Data: []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b}\n")}
	disk := fstest.MapFS{"dump/a.yaml": object, "dump/below/b.yaml": object, "dump/notes.txt": object}
	for _, tc := range []struct {
		path      string
		recursive bool
		want      []string
	}{
		{"dump", false, []string{"dump/a.yaml"}},
		{"dump", true, []string{"dump/a.yaml", "dump/below/b.yaml"}},
		{"dump/notes.txt", false, []string{"dump/notes.txt"}},
	} {
		_, in, err := Read(t.Context(), Options{Paths: []string{tc.path}, FS: disk, Recursive: tc.recursive})
		require.NoError(t, err)
		require.Equal(t, tc.want, in.Files)
	}
	_, _, err := Read(t.Context(), Options{Paths: []string{"read.go"}, FS: disk})
	require.EqualError(t, err, "read.go: file does not exist", "that of this machine is another one")
}
