package durable

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// takenDisk plants a link under each of the first names that are asked for.
type takenDisk struct {
	machine
	target string
	left   int
	links  []string
}

func (d *takenDisk) OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	if d.left > 0 && flag&os.O_EXCL != 0 {
		d.left--
		d.links = append(d.links, name)
		if err := os.Symlink(d.target, name); err != nil {
			return nil, err
		}
	}
	return d.machine.OpenFile(name, flag, mode)
}

// TestPlantedLinks: a link that stands where a new file is made is not followed, even by a name that was guessed.
func TestPlantedLinks(t *testing.T) {
	for _, links := range []int{1, 3, 20} {
		dir, target := t.TempDir(), filepath.Join(t.TempDir(), "target")
		require.NoError(t, os.WriteFile(target, []byte("precious"), 0o600))
		d := &takenDisk{target: target, left: links}
		path := filepath.Join(dir, "report.json")
		err := Writer{d}.ReplaceBytes(path, 0o644, []byte("new"))
		require.Equal(t, links > 10, err != nil, "it does not try for ever")
		log, err := Writer{&takenDisk{target: target, left: min(links, 3)}}.CreateLog(dir, "fix-", ".jsonl")
		require.NoError(t, err)
		require.NoError(t, log.Append([]byte("line\n")))
		require.NoError(t, log.Close())
		text, err := os.ReadFile(target)
		require.NoError(t, err)
		require.Equal(t, "precious", string(text))
		for _, link := range d.links {
			info, err := os.Lstat(link)
			require.NoError(t, err)
			require.NotZero(t, info.Mode()&fs.ModeSymlink, "what another has put there stays")
		}
	}
}

// TestReplaceThatIsGivenUp: what cannot be rendered, or must not be replaced after all, leaves no trace.
func TestReplaceThatIsGivenUp(t *testing.T) {
	no := errors.New("no")
	for _, o := range []Options{{Mode: 0o644}, {Mode: 0o644, Ready: func() error { return no }}} {
		dir := t.TempDir()
		path := filepath.Join(dir, "report.json")
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
		err := Writer{}.Replace(path, o, func(to io.Writer) error {
			_, err := io.Copy(to, bytes.NewReader([]byte("half")))
			if o.Ready == nil {
				return no
			}
			return err
		})
		require.ErrorIs(t, err, no)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "old", string(text))
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1)
	}
}
