package node

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// mountVersion2 mounts the kernel's own hierarchy of version 2 where only this goroutine's thread sees it. The thread ends with the test.
func mountVersion2(t *testing.T) string {
	t.Helper()
	// Not t.TempDir: nothing may walk through control groups to remove them.
	root, err := os.MkdirTemp("", "cgroup2-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.Remove(root)) })
	runtime.LockOSThread()
	require.NoError(t, unix.Unshare(unix.CLONE_NEWNS))
	require.NoError(t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	require.NoError(t, unix.Mount("none", root, "cgroup2", 0, ""))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(root, 0)) })
	return root
}

// TestControllersOfTheKernel does to the kernel what TestControllersOfVersion2 does to files. Controllers that version 1 holds are not in
// this hierarchy.
func TestControllersOfTheKernel(t *testing.T) {
	Require(t)
	root, dir := mountVersion2(t), t.TempDir()
	require.NoError(t, removeGroups(t.Context(), root, dir)) // of a node that was killed: none has started since
	t.Cleanup(func() { require.NoError(t, removeGroups(context.Background(), root, dir)) })
	all, before := read(t, filepath.Join(root, controllers)), read(t, filepath.Join(root, subtreeControl))
	t.Logf("controllers %q, of which children could use %q", strings.TrimSpace(all), strings.TrimSpace(before))
	require.NoError(t, makeGroups(root, dir))
	require.ElementsMatch(t, strings.Fields(all), strings.Fields(read(t, filepath.Join(root, subtreeControl))))
	require.ElementsMatch(t, strings.Fields(all), strings.Fields(read(t, filepath.Join(root, cgroupName, controllers))))

	require.NoError(t, removeGroups(t.Context(), root, dir))
	require.Equal(t, before, read(t, filepath.Join(root, subtreeControl)))
	require.NoDirExists(t, filepath.Join(root, cgroupName))
}
