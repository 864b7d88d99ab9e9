package arch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// workflow is what the rules below look at; actionlint (make lint) knows the rest of the format.
type workflow struct {
	Permissions *map[string]string
	Jobs        map[string]struct {
		Permissions    map[string]string
		TimeoutMinutes int `json:"timeout-minutes"`
		Steps          []struct{ Uses, Run string }
	}
}

// TestWorkflowsTrustNobody: no right that a job does not name, no action that can change under its name, and no command that
// people cannot run.
func TestWorkflowsTrustNobody(t *testing.T) {
	files, err := filepath.Glob(".github/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	makefile, err := os.ReadFile("Makefile")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file) // #nosec G304 -- a test
		require.NoError(t, err)
		var w workflow
		require.NoError(t, yaml.Unmarshal(text, &w))
		require.NotNil(t, w.Permissions, file)
		require.Empty(t, *w.Permissions, "%s: rights belong to jobs", file)
		pinned := regexp.MustCompile(`(?m)^\s+- uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`).FindAllString(string(text), -1)
		uses := 0
		for name, job := range w.Jobs {
			require.NotEmpty(t, job.Permissions, "%s: %s", file, name)
			require.Positive(t, job.TimeoutMinutes, "%s: %s", file, name)
			for _, step := range job.Steps {
				if step.Uses != "" {
					uses++
				}
				for _, target := range regexp.MustCompile(`\bmake ([\w-]+)`).FindAllStringSubmatch(step.Run, -1) {
					require.Contains(t, string(makefile), "\n"+target[1]+": ", "%s: no such target", file)
				}
			}
		}
		require.Len(t, pinned, uses, "%s: an action is pinned by the digest of its commit, with its version behind it", file)
	}
}

// TestOneVersion: whatever names the release names the same one.
func TestOneVersion(t *testing.T) {
	named := map[string]string{
		"action.yml":                           `default: v(\d+\.\d+\.\d+)`,
		"deploy/base/kustomization.yaml":       `newTag: v(\S+)`,
		"examples/ci/github.yml":               `sparkdoctor/kubectl-sparkdoctor@v(\S+)`,
		"examples/ci/gitlab.yml":               `SPARKDOCTOR_VERSION: v(\S+)`,
		"examples/gates/argocd-presync.yaml":   `kubectl-sparkdoctor:v(\S+)`,
		"examples/gates/helm-pre-upgrade.yaml": `kubectl-sparkdoctor:v(\S+)`,
		"docs/man/kubectl-sparkdoctor.1":       `kubectl-sparkdoctor (\d+\.\d+\.\d+)"`,
		"SECURITY.md":                          `kubectl-sparkdoctor_v(\d+\.\d+\.\d+)_`,
		"docs/comparison.md":                   `kubectl sparkdoctor \| (\S+)`,
	}
	versions := map[string][]string{}
	for file, pattern := range named {
		text, err := os.ReadFile(file) // #nosec G304 -- a test
		require.NoError(t, err)
		found := regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, found, file)
		for _, m := range found {
			versions[m[1]] = append(versions[m[1]], file)
		}
	}
	require.Len(t, versions, 1, "%v", versions)
}
