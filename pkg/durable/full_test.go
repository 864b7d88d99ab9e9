package durable_test

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable/durabletest"
)

// place is where a file is replaced: how it stands there, and what is there besides.
type place struct {
	name    string
	refuses error
	mounted error
	linked  bool
	private bool
}

// TestReplaceOnAFullDisk: wherever a file stands and however little fits, it holds the old content or the new one.
func TestReplaceOnAFullDisk(t *testing.T) {
	before, after := []byte("the report of yesterday\n"), bytes.Repeat([]byte("0123456789abcde\n"), 2)
	for _, at := range []place{
		{name: "beside"}, {name: "private", private: true}, {name: "through a link", linked: true},
		{name: "a directory of another user", refuses: syscall.EACCES}, {name: "not permitted", refuses: syscall.EPERM},
		{name: "a read-only directory", refuses: syscall.EROFS}, {name: "a mount point", mounted: syscall.EBUSY},
	} {
		for _, late := range []bool{false, true} {
			for _, old := range [][]byte{nil, before, bytes.Repeat(before, 3)} {
				for room := range int64(len(after)) + 1 {
					for _, err := range durabletest.Errors()[room%3 : room%3+1] {
						at.replaced(t, &durabletest.Full{Room: room, Err: err, Late: late, Refuses: at.refuses, Mounted: at.mounted}, old, after)
					}
				}
			}
		}
	}
}

func (at place) replaced(t *testing.T, d *durabletest.Full, before, after []byte) {
	t.Helper()
	room, cause := d.Room, d.Err
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	if before != nil {
		require.NoError(t, os.WriteFile(path, before, 0o640))
	}
	named := path
	if at.linked {
		named = filepath.Join(dir, "link")
		require.NoError(t, os.Symlink(path, named))
	}
	err := durable.Writer{d}.Replace(named, durable.Options{Mode: 0o644, Private: at.private}, func(to io.Writer) error {
		for piece := range bytes.Lines(after) {
			if _, err := to.Write(piece); err != nil {
				return err
			}
		}
		return nil
	})
	text, readErr := os.ReadFile(path)
	entries, listErr := os.ReadDir(dir)
	require.NoError(t, listErr)
	require.LessOrEqual(t, len(entries), 2, "nothing is left behind")
	switch {
	case err == nil:
		require.Equal(t, string(after), string(text), "%s, room for %d", at.name, room)
	case before == nil && readErr != nil:
		require.ErrorIs(t, readErr, fs.ErrNotExist)
	default:
		require.ErrorIs(t, err, cause, "%s, room for %d", at.name, room)
		require.Equal(t, string(before), string(text), "%s, room for %d: %v", at.name, room, err)
	}
	require.False(t, err == nil && room < int64(len(after)) && int64(len(before)) < int64(len(after))-room, "it cannot fit")
	if info, err := os.Stat(path); err == nil && before != nil && runtime.GOOS != "windows" {
		want := fs.FileMode(0o640) // of the file before, unless a private one has replaced it
		if at.private && string(text) == string(after) {
			want = 0o600
		}
		require.Equal(t, want, info.Mode().Perm())
	}
}

// TestAppendOnAFullDisk: pieces are whole or missing, however little fits, and those that fit later follow the last whole one.
func TestAppendOnAFullDisk(t *testing.T) {
	pieces := [][]byte{[]byte("first\n"), []byte("the second is longer\n"), []byte("3\n"), []byte("the fourth\n"), []byte("5\n")}
	for _, err := range durabletest.Errors() {
		for _, late := range []bool{false, true} {
			for room := range int64(60) {
				l, made := durable.Writer{&durabletest.Full{Room: room, Err: err, Late: late}}.CreateLog(t.TempDir(), "fix-", ".jsonl")
				require.NoError(t, made)
				var want []byte
				for _, piece := range pieces {
					if err := l.Append(piece); err == nil {
						want = append(want, piece...)
					}
				}
				require.NoError(t, l.Close())
				text, err := os.ReadFile(l.Name())
				require.NoError(t, err)
				require.Equal(t, string(want), string(text), "room for %d", room)
				require.True(t, room < 42 || len(want) == 42, "all fit")
			}
		}
	}
}

// TestAppendToWhatIsThere: the step summary of a workflow has the pieces of other steps.
func TestAppendToWhatIsThere(t *testing.T) {
	for room := range int64(12) {
		path := filepath.Join(t.TempDir(), "summary")
		require.NoError(t, os.WriteFile(path, []byte("of others\n"), 0o600))
		err := durable.Writer{&durabletest.Full{Room: room, Err: syscall.ENOSPC}}.Append(path, []byte("ours\n"))
		text, readErr := os.ReadFile(path)
		require.NoError(t, readErr)
		require.Equal(t, map[bool]string{true: "of others\nours\n", false: "of others\n"}[err == nil], string(text))
		require.Equal(t, room >= 5, err == nil)
	}
}
