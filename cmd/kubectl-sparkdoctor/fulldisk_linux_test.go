package main

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// tinyDisk mounts a file system of 64 KiB.
func tinyDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a file system of 64 KiB could not be mounted, which takes root and CAP_SYS_ADMIN: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	return dir
}

// leave fills a disk but for a number of pages.
func leave(t *testing.T, dir string, pages int) {
	t.Helper()
	var fs syscall.Statfs_t
	require.NoError(t, syscall.Statfs(dir, &fs))
	filler := make([]byte, max(0, int64(fs.Bavail)-int64(pages))*fs.Bsize)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "filler"), filler, 0o600))
}

// TestFullDisk: on a disk that is full, a report and an archive that are there stay, and the record of a fix can be read.
func TestFullDisk(t *testing.T) {
	server := prunable(t)
	config := server.kubeconfig(t, "")
	for _, command := range []struct {
		file string
		args func(path string) []string
	}{
		{"report.json", func(path string) []string {
			return []string{"scan", "--fail-on", "none", "--allow-incomplete", "-o", "json=" + path}
		}},
		{"report.html", func(path string) []string {
			return []string{"scan", "--fail-on", "none", "--allow-incomplete", "-o", "html=" + path}
		}},
		{"snapshot.tar.gz", func(path string) []string { return []string{"snapshot", "--overwrite", "-o", path} }},
	} {
		for _, pages := range []int{0, 1, 2} {
			dir := tinyDisk(t)
			path := filepath.Join(dir, command.file)
			before := bytes.Repeat([]byte("the one before\n"), 100)
			require.NoError(t, os.WriteFile(path, before, 0o600))
			leave(t, dir, pages)
			got := run(t, append(command.args(path), "--kubeconfig", config, "--confirm-after", "0s")...)
			text, err := os.ReadFile(path) // #nosec G304 -- a test
			require.NoError(t, err)
			if got.code == 0 {
				require.NotEqual(t, string(before), string(text))
			} else {
				require.Equal(t, 2, got.code, got.stderr)
				require.Contains(t, got.stderr, syscall.ENOSPC.Error())
				require.Equal(t, string(before), string(text))
			}
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, entries, 2, "nothing is left behind")
			require.True(t, pages > 0 || got.code == 2, "nothing fits")
		}
	}
	for _, pages := range []int{0, 1, 2, 8} { // an entry of this record takes 946 KiB, with the old value of what it prunes
		dir := tinyDisk(t)
		leave(t, dir, pages)
		got := run(t, "fix", "SD3001", "--yes", "--record-dir", filepath.Join(dir, "records"), "--kubeconfig", config, "--confirm-after", "0s")
		require.Equal(t, 1, got.code, got.stderr)
		require.Contains(t, got.stdout+got.stderr, syscall.ENOSPC.Error())
		require.Empty(t, server.patches, "what is not in the record is not done")
		records, err := filepath.Glob(filepath.Join(dir, "records", "fix-*.jsonl"))
		require.NoError(t, err)
		require.Equal(t, pages > 0, len(records) == 1)
		for _, path := range records {
			text, err := os.ReadFile(path) // #nosec G304 -- a test
			require.NoError(t, err)
			record, err := plan.ReadRecord(bytes.NewReader(text))
			require.NoError(t, err, "%s", text)
			require.False(t, record.Torn)
			require.Empty(t, record.Entries)
		}
	}
	got := run(t, "fix", "SD3001", "--yes", "--record-dir", t.TempDir(), "--kubeconfig", config, "--confirm-after", "0s")
	require.NotEmpty(t, server.patches, "with room: %s%s", got.stdout, got.stderr)
}
