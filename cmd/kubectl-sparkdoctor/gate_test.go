package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// upgradable serves the example of an upgrade.
func upgradable(t *testing.T) *apiServer {
	t.Helper()
	s := newAPIServer(t, time.Date(2026, 11, 21, 14, 30, 0, 0, time.UTC))
	s.addFiles(t, "../../examples/upgrade")
	return s
}

// theseChecks are those that the example is about.
const theseChecks = "SD7006,SD7007"

// TestGateOfAnArchive holds that a gate says of an archive what it said of the cluster.
func TestGateOfAnArchive(t *testing.T) {
	kubeconfig, dir := upgradable(t).kubeconfig(t, ""), t.TempDir()
	file := filepath.Join(dir, "cluster.tar.gz")
	saved := run(t, "snapshot", "--kubeconfig", kubeconfig, "--confirm-after", "1ms", "-o", file)
	require.Equal(t, 0, saved.code, saved.stderr)
	for _, args := range [][]string{{}, {"-n", "team-b"}, {"--checks", theseChecks},
		{"--checks", theseChecks, "--ignore", "SD7006: renamed on Monday"}, {"--checks", theseChecks, "--fail-on", "none"}} {
		args = append([]string{"gate", "--to", "2.5.2", "--confirm-after", "1ms", "-o", "json"}, args...)
		live, again := run(t, append(args, "--kubeconfig", kubeconfig)...), run(t, append(args, "-f", file)...)
		require.Equal(t, live.code, again.code, "%s\n%s\n%s", args, live.stderr, again.stderr)
		require.Equal(t, judged(t, live.stdout), judged(t, again.stdout), args)
	}

	// One that holds what a scan reads only, as older builds made them, is judged as far as that goes, and no go.
	old := filepath.Join(dir, "old.tar.gz")
	require.Equal(t, 0, run(t, "snapshot", "--kubeconfig", kubeconfig, "--confirm-after", "1ms", "--checks", "SD3001", "-o", old).code)
	blind := run(t, "gate", "--to", "2.5.2", "--checks", "SD7007", "-f", old)
	require.Equal(t, 3, blind.code, blind.stdout)
	require.Contains(t, blind.stdout, "INCOMPLETE: 1 check could")
	require.Contains(t, blind.stdout, "not in the\n  archive")
}

// TestGateThatCouldNotLook holds that what may not be read is never a go.
func TestGateThatCouldNotLook(t *testing.T) {
	s := upgradable(t)
	s.deny = func(r *http.Request) bool { return strings.Contains(r.URL.Path, "scheduledsparkapplications") }
	kubeconfig := s.kubeconfig(t, "")
	args := []string{"gate", "--to", "2.5.1", "--checks", "SD7006", "--ignore", "SD7006=team-a/*: renamed on Monday", "--kubeconfig",
		kubeconfig}
	blind := run(t, args...)
	require.Equal(t, 3, blind.code, blind.stdout)
	require.Contains(t, blind.stdout, "INCOMPLETE: 1 error, 1 warning suppressed; 1 check could")
	require.Contains(t, blind.stdout, "forbidden")
	allowed := run(t, append(args, "--allow-incomplete")...)
	require.Equal(t, 0, allowed.code, allowed.stdout)
	require.Contains(t, allowed.stdout, "GO: 1 error, 1 warning suppressed; 1 check could")

	// A no-go stays one.
	found := run(t, "gate", "--to", "2.5.1", "--checks", "SD7006", "--kubeconfig", kubeconfig)
	require.Equal(t, 1, found.code, found.stdout)
	require.Contains(t, found.stdout, "NO-GO: 1 error; 1 check could")
}

// TestGateOfManifestsThatAnswerNothing holds that a question which the rendered manifests leave open is no go: they hold no binding.
func TestGateOfManifestsThatAnswerNothing(t *testing.T) {
	args := []string{"gate", "--to", "2.5.2", "-f", "../../examples/upgrade", "--checks", "SD7006,SD7020", "--ignore",
		"SD7006: renamed on Monday", "--target-manifests"}
	open := run(t, append(args, "../../pkg/checks/upgrade/testdata/target/plain.yaml")...)
	require.Equal(t, 3, open.code, open.stdout+open.stderr)
	require.Contains(t, open.stdout, "INCOMPLETE: 1 error, 1 warning suppressed; 1 check could ")
	require.Contains(t, open.stdout, "the manifests hold no binding of a service account")
	answered := run(t, append(args, "../../pkg/checks/upgrade/testdata/target/permissions.yaml")...)
	require.NotEqual(t, 3, answered.code, answered.stdout+answered.stderr)
}

// TestGateReadsWhatRolesGrant holds that the roles of rbac --for-gate are enough: no request is for anything else.
func TestGateReadsWhatRolesGrant(t *testing.T) {
	s := upgradable(t)
	roles := run(t, "rbac", "--for-gate").stdout
	s.deny = func(r *http.Request) bool {
		resource := regexp.MustCompile(`^/(?:api/v1|apis/[^/]+/[^/]+)(?:/namespaces/[^/]+)?/([a-z]+)`).FindStringSubmatch(r.URL.Path)
		return resource != nil && !strings.Contains(roles, "- "+resource[1]+"\n")
	}
	got := run(t, "gate", "--to", "2.5.2", "--confirm-after", "1ms", "--kubeconfig", s.kubeconfig(t, ""))
	require.Equal(t, 1, got.code, got.stdout)
	require.NotContains(t, got.stdout, "forbidden")
	require.NotContains(t, got.stdout, "INCOMPLETE")
}

// TestGateReadsTheTargetFirst holds that nobody waits for a cluster to be told of a file that is not there.
func TestGateReadsTheTargetFirst(t *testing.T) {
	asked := false
	s := upgradable(t)
	s.deny = func(*http.Request) bool { asked = true; return false }
	got := run(t, "gate", "--to", "2.5.2", "--target-manifests", filepath.Join(t.TempDir(), "none.yaml"), "--kubeconfig", s.kubeconfig(t, ""))
	require.Equal(t, 2, got.code)
	require.Contains(t, got.stderr, "error: --target-manifests: ")
	require.False(t, asked)
}

// TestGateWritesFiles holds that the formats that go to files are all there when the run fails.
func TestGateWritesFiles(t *testing.T) {
	dir := t.TempDir()
	comment := filepath.Join(dir, "gate.md")
	got := run(t, "gate", "--to", "2.5.2", "--checks", theseChecks, "-f", "../../examples/upgrade", "-o", "markdown="+comment)
	require.Equal(t, 1, got.code, got.stderr)
	text, err := os.ReadFile(comment) // #nosec G304 -- a test
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "# NO-GO: Spark Operator 2.3.0 → 2.5.2\n"))
}
