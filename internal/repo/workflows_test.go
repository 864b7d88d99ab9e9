package repo_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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

// TestUpdatesAreProposed: the bot looks at each directory that names versions of somebody else.
func TestUpdatesAreProposed(t *testing.T) {
	text, err := os.ReadFile(".github/dependabot.yml")
	require.NoError(t, err)
	var bot struct {
		Updates []struct {
			Ecosystem   string `json:"package-ecosystem"`
			Directories []string
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &bot))
	listed := map[string][]string{}
	for _, u := range bot.Updates {
		listed[u.Ecosystem] = u.Directories
	}
	for ecosystem, names := range map[string][]string{"gomod": {"go.mod"}, "docker": {"Dockerfile"}, "npm": {"package.json"},
		"github-actions": {"action.yml"}} {
		var found []string
		require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata", "dist", "bin"}, d.Name()) {
				return fs.SkipDir
			}
			if err == nil && slices.Contains(names, d.Name()) {
				found = append(found, filepath.Join("/", filepath.Dir(path)))
			}
			return err
		}))
		require.ElementsMatch(t, found, listed[ecosystem], ecosystem)
	}
}

// TestReleaseHandsOutTheDigest runs the step on what goreleaser writes (internal/pipe/dockerdigest@v2.15.1).
func TestReleaseHandsOutTheDigest(t *testing.T) {
	text, err := os.ReadFile(".github/workflows/release.yml")
	require.NoError(t, err)
	var w workflow
	require.NoError(t, yaml.Unmarshal(text, &w))
	steps := w.Jobs["release"].Steps
	i := slices.IndexFunc(steps, func(s struct{ Uses, Run string }) bool { return strings.Contains(s.Run, "image.txt") })
	require.GreaterOrEqual(t, i, 0)
	run := func(digests string) (string, error) {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "dist"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "dist", "digests.txt"), []byte(digests), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "gh"), []byte("#!/bin/sh\necho gh \"$@\"\n"), 0o700)) // #nosec G306 -- it is run
		cmd := exec.CommandContext(t.Context(), "bash", "-eo", "pipefail", "-c", steps[i].Run)                   // #nosec G204 -- a test
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "GITHUB_REF_NAME=v1.2.3")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	digest := strings.Repeat("0a", 32)
	out, err := run(digest + " ghcr.io/sparkdoctor/kubectl-sparkdoctor:v1.2.3\n")
	require.NoError(t, err, out)
	require.Equal(t, "ghcr.io/sparkdoctor/kubectl-sparkdoctor@sha256:"+digest+"\ngh release upload v1.2.3 dist/image.txt\n", out)
	_, err = run("")
	require.Error(t, err, "no image was pushed")
}

// TestOneVersion: whatever names the release names the same one.
func TestOneVersion(t *testing.T) {
	named := map[string]string{
		"action.yml":                           `default: v(\d+\.\d+\.\d+)`,
		"deploy/base/kustomization.yaml":       `newTag: v(\S+)`,
		"examples/ci/github.yml":               `sparkdoctor/kubectl-sparkdoctor@v(\S+)`,
		"examples/ci/gitlab.yml":               `(?:SPARKDOCTOR_VERSION: |kubectl-sparkdoctor/)v(\d\S*?)(?:/|\n)`,
		"examples/gates/argocd-presync.yaml":   `kubectl-sparkdoctor:v(\S+)`,
		"examples/gates/helm-pre-upgrade.yaml": `kubectl-sparkdoctor:v(\S+)`,
		"docs/man/kubectl-sparkdoctor.1":       `kubectl-sparkdoctor (\d+\.\d+\.\d+)"`,
		"docs/gate.md":                         `sparkdoctor/kubectl-sparkdoctor@v(\S+)`,
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
