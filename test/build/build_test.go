package build

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

func TestTwoAtOnceBuildOnce(t *testing.T) {
	dir := t.TempDir()
	var logs [2]bytes.Buffer
	var group errgroup.Group
	for i := range logs {
		group.Go(func() error {
			b := &Builder{Dir: dir, Log: &logs[i]}
			_, err := b.Helm(t.Context())
			return err
		})
	}
	require.NoError(t, group.Wait())
	both := logs[0].String() + logs[1].String()
	require.Equal(t, 1, bytes.Count([]byte(both), []byte("built helm")), both)
	again, err := (&Builder{Dir: dir, Log: io.Discard}).Helm(t.Context())
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(again, "helm"))
	left, err := filepath.Glob(filepath.Join(dir, ".building-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestFailedBuildLeavesNothing(t *testing.T) {
	b := &Builder{Dir: t.TempDir(), Log: io.Discard}
	_, err := b.Operator(t.Context(), "0.0.0-none")
	require.ErrorContains(t, err, "building spark-operator v0.0.0-none")
	entries, err := os.ReadDir(b.Dir)
	require.NoError(t, err)
	for _, entry := range entries {
		require.Equal(t, ".lock", filepath.Ext(entry.Name()), "only the lock may stay")
	}
}

// TestLocalLinksOnce: the second test that asks for a program gets a copy of the first one's.
func TestLocalLinksOnce(t *testing.T) {
	b := &Builder{Dir: t.TempDir(), Log: io.Discard}
	const program = "github.com/sparkdoctor/kubectl-sparkdoctor/test/spark-driver"
	one, two := filepath.Join(t.TempDir(), "bin", "one"), filepath.Join(t.TempDir(), "two")
	require.NoError(t, b.Local(t.Context(), program, one))
	kept := filepath.Join(b.Dir, "local", "spark-driver")
	linked, err := os.Stat(kept)
	require.NoError(t, err)
	require.NoError(t, b.Local(t.Context(), program, two))
	again, err := os.Stat(kept)
	require.NoError(t, err)
	require.True(t, os.SameFile(linked, again), "it was linked a second time: the go command replaces the file then")
	text, err := os.ReadFile(kept)
	require.NoError(t, err)
	for _, path := range []string{one, two} {
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, got))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&0o100, "it can be run")
	}
}

func TestRecipeDecidesTheDirectory(t *testing.T) {
	one, err := recipe{Name: "x", Version: "v1", ModFile: "a"}.dir()
	require.NoError(t, err)
	other, err := recipe{Name: "x", Version: "v1", ModFile: "b"}.dir()
	require.NoError(t, err)
	require.NotEqual(t, one, other)
}

func TestCacheDirectoryFromTheEnvironment(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	t.Setenv("SPARKDOCTOR_TESTBED_CACHE", dir)
	b, err := New(io.Discard)
	require.NoError(t, err)
	require.Equal(t, dir, b.Dir)
	require.DirExists(t, dir)
}
