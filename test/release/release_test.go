// Package release builds what a release consists of, twice, and installs it as users do.
package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

var builds = flag.Bool("build", false, "build the release of HEAD and install it: make test-release")

// TestRelease looks at all that a release hands out. It builds HEAD in a clone, as the workflow does.
func TestRelease(t *testing.T) {
	if !*builds {
		t.Skip("it builds for six platforms: make test-release")
	}
	first := clone(t, "../..", "first")
	dist := snapshot(t, first)
	t.Run("the same again", func(t *testing.T) { sameAgain(t, first) })
	manifest := filepath.Join(dist, "krew", "sparkdoctor.yaml")
	plugin := readPlugin(t, manifest)
	t.Run("krew's index takes the manifest", func(t *testing.T) { requireAcceptable(t, plugin) })
	t.Run("the archives are those of the manifest", func(t *testing.T) { requireArchives(t, plugin, dist) })
	t.Run("bills of materials", func(t *testing.T) { requireBills(t, dist, len(plugin.Spec.Platforms)) })
	t.Run("krew installs it", func(t *testing.T) { installs(t, manifest, plugin, dist) })
}

// clone is the HEAD of a clone or worktree, in a directory that the toolchain takes for the repository that it is.
func clone(t *testing.T, from, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	head := strings.TrimSpace(command(t, from, nil, "git", "rev-parse", "HEAD"))
	command(t, "", nil, "git", "clone", "--quiet", "--no-hardlinks", from, dir)
	command(t, dir, nil, "git", "checkout", "--quiet", "--detach", head)
	return dir
}

// snapshot builds a release and returns its directory.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	command(t, dir, nil, "make", "release-snapshot")
	return filepath.Join(dir, "dist")
}

func command(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
	return string(out)
}

// handedOut are the files of a release with their SHA-256.
func handedOut(t *testing.T, dist string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for _, pattern := range []string{"*.tar.gz", "*.zip", "*.spdx.json", "checksums.txt", "krew/*.yaml"} {
		files, err := filepath.Glob(filepath.Join(dist, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			sums[filepath.Base(file)] = sum(t, file)
		}
	}
	return sums
}

func sum(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// sameAgain builds the release again elsewhere, and the program for this machine with nothing cached.
func sameAgain(t *testing.T, first string) {
	dist := filepath.Join(first, "dist")
	elsewhere := clone(t, first, "a longer way to elsewhere")
	require.Equal(t, handedOut(t, dist), handedOut(t, snapshot(t, elsewhere)))

	released, err := filepath.Glob(filepath.Join(dist, "kubectl-sparkdoctor_linux_amd64*", "kubectl-sparkdoctor"))
	require.NoError(t, err)
	require.Len(t, released, 1)
	require.NoError(t, os.RemoveAll(filepath.Join(elsewhere, "dist")))
	command(t, elsewhere, []string{"GOCACHE=" + t.TempDir(), "GOOS=linux", "GOARCH=amd64"}, "make", "build")
	require.Equal(t, sum(t, released[0]), sum(t, filepath.Join(elsewhere, "bin", "kubectl-sparkdoctor")),
		"make build of the same commit, from an empty cache")
}

// requireBills: there is one for each program, about that program.
func requireBills(t *testing.T, dist string, platforms int) {
	bills, err := filepath.Glob(filepath.Join(dist, "*.spdx.json"))
	require.NoError(t, err)
	require.Len(t, bills, platforms)
	programs, err := filepath.Glob(filepath.Join(dist, "kubectl-sparkdoctor_*", "kubectl-sparkdoctor*"))
	require.NoError(t, err)
	require.Len(t, programs, platforms)
	for _, program := range programs {
		digest := sum(t, program)
		about := 0
		for _, bill := range bills {
			text, err := os.ReadFile(bill)
			require.NoError(t, err)
			require.Contains(t, string(text), "pkg:golang/k8s.io/client-go@v")
			about += bytes.Count(text, []byte(`"checksumValue": "`+digest+`"`))
		}
		require.Equal(t, 1, about, program)
	}
}

// installs runs krew as a user does and scans the example through kubectl.
func installs(t *testing.T, manifest string, p plugin, dist string) {
	b, err := build.New(t.Output())
	require.NoError(t, err)
	kubernetes, err := b.Kubernetes(t.Context())
	require.NoError(t, err)
	krew, err := b.Krew(t.Context())
	require.NoError(t, err)
	command(t, "", nil, filepath.Join(krew, "validate-krew-manifest"), "-manifest", manifest, "-skip-install")

	bin := t.TempDir() // kubectl finds krew as a plugin
	require.NoError(t, os.Symlink(filepath.Join(kubernetes, "kubectl"), filepath.Join(bin, "kubectl")))
	require.NoError(t, os.Symlink(filepath.Join(krew, "krew"), filepath.Join(bin, "kubectl-krew")))
	for _, platform := range p.Spec.Platforms {
		selected := platform.Selector.MatchLabels
		root := t.TempDir()
		env := []string{
			"KREW_ROOT=" + root, "KREW_OS=" + selected["os"], "KREW_ARCH=" + selected["arch"], "KREW_NO_UPGRADE_CHECK=1",
			"PATH=" + strings.Join([]string{bin, filepath.Join(root, "bin"), os.Getenv("PATH")}, string(os.PathListSeparator)),
		}
		// in place of krew's own index, which is on the network
		command(t, "", env, "git", "init", "--quiet", filepath.Join(root, "index", "default"))
		command(t, "", env, "kubectl", "krew", "install", "--manifest="+manifest, "--archive="+filepath.Join(dist, filepath.Base(platform.URI)))
		store := filepath.Join(root, "store", "sparkdoctor", p.Spec.Version)
		require.FileExists(t, filepath.Join(store, "LICENSE"))
		require.FileExists(t, filepath.Join(store, platform.Bin))
		if selected["os"] == "linux" && selected["arch"] == "amd64" {
			// The Go toolchain stamps the tag; HEAD has none as a rule, and gets a pseudo-version (go.dev/ref/mod#pseudo-versions).
			require.Regexp(t, `^kubectl sparkdoctor v\d+\.\d+\.\d+\S* \(commit [0-9a-f]{12}, `,
				command(t, "", env, "kubectl", "sparkdoctor", "version"))
			require.Contains(t, scanExample(t, env), "SD2001 cross-namespace-owner: 1 finding")
		}
	}
}

// scanExample returns what a user sees; findings are exit code 1.
func scanExample(t *testing.T, env []string) string {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "sh", "-c", "kubectl sparkdoctor scan -f examples/broken-cluster")
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%s", out)
	return string(out)
}
