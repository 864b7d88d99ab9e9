package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// ran is what a command said.
type ran struct {
	code           int
	stdout, stderr string
}

func run(t *testing.T, args ...string) ran {
	t.Helper()
	return runFor(t.Context(), args...)
}

func runFor(ctx context.Context, args ...string) ran {
	streams, _, stdout, stderr := genericiooptions.NewTestIOStreams()
	code := cli.Run(ctx, args, streams)
	return ran{code, stdout.String(), stderr.String()}
}

// exampleCluster serves the example.
func exampleCluster(t *testing.T) *apiServer {
	t.Helper()
	s := newAPIServer(t, time.Date(2026, 11, 21, 14, 30, 0, 0, time.UTC))
	s.addFiles(t, "../../examples/broken-cluster")
	return s
}

// judged is a report without what is about the program and its input, such as the commands: of an archive none writes.
func judged(t *testing.T, text string) string {
	t.Helper()
	var r map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &r), text)
	delete(r, "sources")
	delete(r, "tool")
	delete(r, "cost")
	delete(r, "caseFile") // an archive holds what it takes only if it was saved with --logs
	withoutCommands(r)
	metrics, _ := r["metrics"].(map[string]any)
	delete(metrics, "durationMilliseconds")
	out, err := json.MarshalIndent(r, "", "  ")
	require.NoError(t, err)
	return string(out)
}

// withoutCommands takes the commands from all next steps.
func withoutCommands(value any) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			withoutCommands(v)
		}
	case map[string]any:
		if value["text"] != nil || value["checks"] != nil { // a step, or what clusterRead says
			delete(value, "command")
		}
		for _, v := range value {
			withoutCommands(v)
		}
	}
}

// TestReplay holds that a scan of an archive says what the scan of the cluster said, whatever is selected.
func TestReplay(t *testing.T) {
	s := exampleCluster(t)
	for _, gone := range []string{"sessions-driver"} { // so that something is missing and is fetched again
		for i, o := range s.objects {
			if o.GetName() == gone {
				s.objects = append(s.objects[:i:i], s.objects[i+1:]...)
				break
			}
		}
	}
	s.add(t, (&planter{where: map[string]string{}}).certificates(t, s.now)) // of which metrics tell if a check reads them
	for _, o := range s.objects {
		if o.GetKind() == "Pod" {
			o.SetAnnotations(map[string]string{"sparkdoctor.io/ignore": "SD4001: once (until 2020-12-31)"})
		}
	}
	kubeconfig := s.kubeconfig(t, "")
	file := filepath.Join(t.TempDir(), "cluster.tar.gz")
	saved := run(t, "snapshot", "--kubeconfig", kubeconfig, "--confirm-after", "1ms", "-o", file)
	require.Equal(t, 0, saved.code, saved.stderr)
	require.Empty(t, saved.stdout)
	require.Contains(t, saved.stderr, "saved: ")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	for _, args := range [][]string{
		{}, {"-n", "team-a"}, {"-n", "nightly"}, {"sparkapplication/ledger", "-n", "nightly"}, {"--checks", "SD2002,SD4001,SD4003"},
		{"--checks", "SD3001"}, {"--checks", "SD1004"}, {"--checks", "SD2004"},
		{"-l", "team!=a"}, {"--ignore", "SD2001: fine"}, {"--show-suppressed", "--ignore", "SD2001: fine"}, {"--fail-on", "warning"},
		{"--stuck-after", "24h"},
	} {
		args = append([]string{"scan", "--confirm-after", "1ms", "-o", "json"}, args...)
		live := run(t, append(args, "--kubeconfig", kubeconfig)...)
		again := run(t, append(args, "-f", file)...)
		require.NotEqual(t, 2, live.code, "%s: %s", args, live.stderr)
		require.Equal(t, live.code, again.code, "%s\n%s\n%s", args, live.stderr, again.stderr)
		require.Equal(t, judged(t, live.stdout), judged(t, again.stdout), args)
		require.Contains(t, again.stderr, "archive: test as of 2026-11-21T14:30:00Z, saved by sparkdoctor ")
		require.NotContains(t, again.stdout, `"type": "files"`)
	}
	require.Contains(t, run(t, "scan", "-f", file).stdout, "input: archive of test as of 2026-11-21 14:30:00 UTC\n")

	// It is the same cluster, so that two reports can be compared.
	baseline := filepath.Join(t.TempDir(), "baseline.json")
	require.NoError(t, os.WriteFile(baseline, []byte(run(t, "scan", "--confirm-after", "1ms", "-o", "json", "--kubeconfig",
		kubeconfig).stdout), 0o600))
	same := run(t, "scan", "-f", file, "--baseline", baseline)
	require.Equal(t, 0, same.code, same.stdout)
	require.Contains(t, same.stdout, "baseline: 0 new, ")
	require.Contains(t, same.stdout, " 0 resolved")
}

// TestReplayOfWhatWasNotSeen holds that what nobody could read is not read in an archive, either.
func TestReplayOfWhatWasNotSeen(t *testing.T) {
	s := exampleCluster(t)
	s.deny = func(r *http.Request) bool {
		return strings.Contains(r.URL.Path, "webhookconfigurations") || r.URL.Path == "/api/v1/pods"
	}
	kubeconfig, file := s.kubeconfig(t, ""), filepath.Join(t.TempDir(), "cluster.tar.gz")
	saved := run(t, "snapshot", "--kubeconfig", kubeconfig, "--confirm-after", "1ms", "-o", file)
	require.Equal(t, 3, saved.code, saved.stderr)
	require.Contains(t, saved.stderr, "not saved: list mutatingwebhookconfigurations.admissionregistration.k8s.io: forbidden")
	args := []string{"scan", "--confirm-after", "1ms", "-o", "json"}
	live, again := run(t, append(args, "--kubeconfig", kubeconfig)...), run(t, append(args, "-f", file)...)
	require.Equal(t, live.code, again.code)
	require.Equal(t, judged(t, live.stdout), judged(t, again.stdout))
	require.Contains(t, again.stdout, `"forbidden"`)
	require.Equal(t, 0, run(t, "snapshot", "--kubeconfig", kubeconfig, "--confirm-after", "1ms", "-o", file, "--overwrite",
		"--allow-incomplete").code)
}

// TestPartsOfACluster holds that an archive of some checks or of one namespace does not pass for all.
func TestPartsOfACluster(t *testing.T) {
	s := exampleCluster(t)
	kubeconfig, dir := s.kubeconfig(t, ""), t.TempDir()
	some, one := filepath.Join(dir, "some.tar.gz"), filepath.Join(dir, "one.tar.gz")
	require.Equal(t, 0, run(t, "snapshot", "--kubeconfig", kubeconfig, "--confirm-after", "1ms", "--checks", "SD3001", "-o", some).code)
	require.Equal(t, 0, run(t, "snapshot", "--kubeconfig", kubeconfig, "--confirm-after", "1ms", "-n", "team-a", "-o", one).code)

	all := run(t, "scan", "-f", some, "-o", "json")
	require.Equal(t, 3, all.code, all.stdout)
	require.Contains(t, all.stdout, `"reason": "could not read pods launched by the operator: not in the archive"`)
	live, again := run(t, "scan", "--checks", "SD3001", "--kubeconfig", kubeconfig, "-o", "json"),
		run(t, "scan", "--checks", "SD3001", "-f", some, "-o", "json")
	require.Equal(t, live.code, again.code)
	require.Equal(t, judged(t, live.stdout), judged(t, again.stdout))

	live, again = run(t, "scan", "-n", "team-a", "--confirm-after", "1ms", "--kubeconfig", kubeconfig, "-o", "json"),
		run(t, "scan", "--confirm-after", "1ms", "-f", one, "-o", "json")
	require.Equal(t, live.code, again.code, again.stderr)
	require.Equal(t, judged(t, live.stdout), judged(t, again.stdout))
	refused := run(t, "scan", "-f", one, "-n", "nightly")
	require.Equal(t, 2, refused.code)
	require.Contains(t, refused.stderr, "the archive is of namespace team-a only")
}

func TestSnapshotFile(t *testing.T) {
	kubeconfig, dir := exampleCluster(t).kubeconfig(t, ""), t.TempDir()
	file := filepath.Join(dir, "a.tar.gz")
	save := func(args ...string) ran {
		return run(t, append([]string{"snapshot", "--kubeconfig", kubeconfig, "--confirm-after", "1ms", "--checks", "SD3001"}, args...)...)
	}
	require.Equal(t, 0, save("-o", file).code)
	first, err := os.ReadFile(file) // #nosec G304 -- a test
	require.NoError(t, err)

	exists := save("-o", file)
	require.Equal(t, 2, exists.code)
	require.Equal(t, "error: "+file+" exists (--overwrite replaces it)\n", exists.stderr)
	require.Equal(t, 0, save("-o", file, "--overwrite").code)
	require.Contains(t, save("-o", dir).stderr, "is not a regular file")
	require.Equal(t, 2, save().code)
	require.Equal(t, 2, save("-o", filepath.Join(dir, "no", "such", "dir")).code)

	piped := save("-o", "-")
	require.Equal(t, 0, piped.code)
	require.True(t, string(first) == piped.stdout, "the same cluster at the same moment gives the same bytes")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing is left over")

	for _, flag := range []string{"--complete", "--as-of=2026-11-21T03:00:00Z"} {
		own := run(t, "scan", "-f", file, flag)
		require.Equal(t, 2, own.code)
		require.Contains(t, own.stderr, "is an archive, which knows its time and what it holds")
	}
	require.Equal(t, 2, run(t, "fix", "-f", file).code)
	two := run(t, "scan", "-f", file, "-f", "../../examples/broken-cluster/deployments.yaml")
	require.Equal(t, 2, two.code)
	require.Contains(t, two.stderr, "is an archive of a whole cluster and is read alone, but there is "+
		"../../examples/broken-cluster/deployments.yaml, too: pass -f "+file)
	require.Equal(t, 2, run(t, "scan", "-f", file, "-f", file).code)
}

// TestInterruptedSnapshot holds that nothing is left of one that was broken off while it waited.
func TestInterruptedSnapshot(t *testing.T) {
	s := exampleCluster(t)
	s.add(t, `{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: lost, namespace: team-a, uid: l, creationTimestamp: "2026-11-21T14:00:00Z", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: gone, uid: g}]}}`)
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	o := runFor(ctx, "snapshot", "--kubeconfig", s.kubeconfig(t, ""), "--confirm-after", "1h", "-o", filepath.Join(dir, "a.tar.gz"))
	require.Equal(t, 130, o.code, o.stderr)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// entries unpacks an archive.
func entries(t *testing.T, file string) map[string]string {
	t.Helper()
	packed, err := os.ReadFile(file) // #nosec G304 -- a test
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	out := map[string]string{}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		text, err := io.ReadAll(in)
		require.NoError(t, err)
		out[h.Name] = string(text)
	}
}
