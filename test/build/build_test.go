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
