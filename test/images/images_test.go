package images

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/stretchr/testify/require"
)

// held reads an archive as a runtime does and returns its files, with what is in them.
func held(t *testing.T, archive string) map[string]string {
	t.Helper()
	image, err := tarball.ImageFromPath(archive, nil)
	require.NoError(t, err)
	reader := mutate.Extract(image)
	defer reader.Close()
	out := map[string]string{}
	for r := tar.NewReader(reader); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		out[header.Name] = header.FileInfo().Mode().String() + " " + header.Linkname + string(text)
	}
}

func TestArchive(t *testing.T) {
	source := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(source, []byte("one"), 0o750))
	image := Image{
		Name: "testbed.local/some:1",
		Layers: []Layer{
			{{Path: "usr/bin/a", Source: source}, {Path: "bin", Link: "usr/bin"}, {Path: "tmp", Dir: true, Mode: 0o1777}},
			{{Path: "usr/bin/b", Text: "two"}, {Path: "usr/bin/b", Text: "never: the first of a layer counts"}},
		},
		Config: Config{Entrypoint: []string{"/usr/bin/a"}, User: "185"},
	}
	dir := t.TempDir()
	archive, err := Archive(dir, image)
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"usr": "drwxr-xr-x ", "usr/bin": "drwxr-xr-x ", "usr/bin/a": "-rwxr-x--- one", "usr/bin/b": "-rw-r--r-- two",
		"bin": "Lrwxrwxrwx usr/bin", "tmp": "dtrwxrwxrwx ",
	}, held(t, archive))

	again, err := Archive(dir, image)
	require.NoError(t, err)
	require.Equal(t, archive, again)
	require.NoError(t, os.WriteFile(source, []byte("new"), 0o750))
	changed, err := Archive(dir, image)
	require.NoError(t, err)
	require.NotEqual(t, archive, changed, "another program is another image")
	require.Equal(t, "-rwxr-x--- new", held(t, changed)["usr/bin/a"])
}

func TestMissingSource(t *testing.T) {
	dir := t.TempDir()
	_, err := Archive(dir, Image{Name: "testbed.local/some:1", Layers: []Layer{{{Path: "a", Source: filepath.Join(dir, "none")}}}})
	require.ErrorIs(t, err, os.ErrNotExist)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestArchivesThatNothingAsksForAreRemoved(t *testing.T) {
	dir := t.TempDir()
	image := func(name, text string) Image { return Image{Name: name, Layers: []Layer{{{Path: "a", Text: text}}}} }
	archives := map[string]string{}
	for _, text := range []string{"old", "asked for", "other"} {
		name := "testbed.local/some:1"
		if text == "other" {
			name = "testbed.local/other:1"
		}
		archive, err := Archive(dir, image(name, text))
		require.NoError(t, err)
		past := time.Now().Add(-2 * unused)
		require.NoError(t, os.Chtimes(archive, past, past))
		archives[text] = archive
	}
	_, err := Archive(dir, image("testbed.local/some:1", "asked for"))
	require.NoError(t, err)
	_, err = Archive(dir, image("testbed.local/some:1", "new"))
	require.NoError(t, err)
	require.NoFileExists(t, archives["old"])
	require.FileExists(t, archives["asked for"])
	require.FileExists(t, archives["other"], "another image's archive is not this one's")
}
