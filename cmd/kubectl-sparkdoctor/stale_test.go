package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMovedWhilePlanning: an object that was listed and is not the same when its fix is planned is stale, which is exit 4 as with a plan
// file. A dry run only tells it.
func TestMovedWhilePlanning(t *testing.T) {
	s := prunable(t)
	s.goneWhenNamed = "/sparkapplications/clicks"
	config := s.kubeconfig(t, "")
	for code, args := range map[int][]string{4: {"--yes", "--record-dir", t.TempDir()}, 0: {"--dry-run"}} {
		got := run(t, append([]string{"fix", "SD3001", "--kubeconfig", config, "--confirm-after", "0s"}, args...)...)
		require.Equal(t, code, got.code, got.stdout+got.stderr)
		require.Contains(t, got.stdout, "SparkApplication streaming/clicks does not exist any more")
		require.Contains(t, got.stdout, "nothing can be applied")
	}
	require.Empty(t, s.patches)
}

// TestPlanFromFilesIsNotApplied: nothing says which cluster it is for.
func TestPlanFromFilesIsNotApplied(t *testing.T) {
	made := run(t, "fix", "SD3001", "-f", filepath.Join("..", "..", "examples", "broken-cluster"), "-o", "yaml")
	require.Zero(t, made.code, made.stderr)
	file := filepath.Join(t.TempDir(), "plan.yaml")
	require.NoError(t, os.WriteFile(file, []byte(made.stdout), 0o600))
	s := prunable(t)
	got := run(t, "fix", "--plan", file, "--yes", "--kubeconfig", s.kubeconfig(t, ""))
	require.Equal(t, 4, got.code, got.stderr)
	require.Contains(t, got.stderr, "it was planned from files and is bound to no cluster: plan again without -f")
	require.Empty(t, s.patches)
}

// TestNamedCheckWinsOverConfiguration: what is typed is asked, whatever checks the configuration asks or skips.
func TestNamedCheckWinsOverConfiguration(t *testing.T) {
	kubeconfig, dir := prunable(t).kubeconfig(t, ""), t.TempDir()
	for name, text := range map[string]string{"checks": "checks: [SD2001]\n", "skip": "skipChecks: [SD3001]\n"} {
		config := filepath.Join(dir, name+".yaml")
		require.NoError(t, os.WriteFile(config, []byte("apiVersion: sparkdoctor.io/v1alpha1\nkind: Config\n"+text), 0o600))
		got := run(t, "fix", "SD3001=streaming/clicks", "--dry-run", "--kubeconfig", kubeconfig, "--confirm-after", "0s", "--config", config)
		require.Zero(t, got.code, got.stderr)
		require.Contains(t, got.stdout, "fix 1 (safe", name)
	}
}
