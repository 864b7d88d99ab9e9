package node

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func TestGroupsOfVersion1(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"cpu,cpuacct/cgroup.procs": "1\n", "memory/cgroup.procs": "1\n", "notes/readme": "no hierarchy",
		"cpuset/cgroup.procs": "1\n", "cpuset/cpuset.cpus": "0-1\n", "cpuset/cpuset.mems": "0\n",
	})
	require.NoError(t, os.Symlink("cpu,cpuacct", filepath.Join(root, "cpu")))
	roots, err := hierarchies(root)
	require.NoError(t, err)
	require.Len(t, roots, 3, "a link is no further hierarchy: %v", roots)
	require.NoError(t, makeGroups(root, t.TempDir()))
	require.DirExists(t, filepath.Join(root, "memory", cgroupName))
	require.Equal(t, "0-1\n", read(t, filepath.Join(root, "cpuset", cgroupName, "cpuset.cpus")))
	require.Equal(t, "0\n", read(t, filepath.Join(root, "cpuset", cgroupName, "cpuset.mems")))
	require.NoDirExists(t, filepath.Join(root, "notes", cgroupName))
}

func TestControllersOfVersion2(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, map[string]string{"cgroup.controllers": "cpuset cpu memory pids\n", "cgroup.subtree_control": "memory pids\n"})
	roots, err := hierarchies(root)
	require.NoError(t, err)
	require.Equal(t, []string{root}, roots)
	require.NoError(t, makeGroups(root, dir))
	require.DirExists(t, filepath.Join(root, cgroupName))
	require.Equal(t, "cpuset cpu", read(t, filepath.Join(dir, enabledFile)), "those that the machine had not enabled")
	require.Equal(t, "+cpu", read(t, filepath.Join(root, "cgroup.subtree_control")), "the last that was written")

	require.NoError(t, removeGroups(t.Context(), root, dir))
	require.NoDirExists(t, filepath.Join(root, cgroupName))
	require.Equal(t, "-cpu", read(t, filepath.Join(root, "cgroup.subtree_control")))
}

func TestNoGroups(t *testing.T) {
	_, err := hierarchies(t.TempDir())
	require.ErrorContains(t, err, "no control groups")
}

// TestOnlyBootIsEnded: the number that is written down may be another process's by now.
func TestOnlyBootIsEnded(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{pidFile: "1"})
	require.False(t, runs(1, filepath.Join(dir, "boot")))
	require.NoError(t, endBoot(t.Context(), dir), "the machine's first process is not this one's")
	require.NoError(t, endBoot(t.Context(), t.TempDir()), "no node was there")
}
