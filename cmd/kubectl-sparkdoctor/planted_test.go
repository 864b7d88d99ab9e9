package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestPlantedSecrets puts secrets where clusters have them and holds that nothing that the program writes has any.
func TestPlantedSecrets(t *testing.T) {
	s, p := plantedCluster(t)
	kubeconfig := s.kubeconfig(t, "me:"+p.secret("server of the kubeconfig")+"@")
	dir := t.TempDir()
	summary := filepath.Join(dir, "summary.md")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	flags := []string{"--kubeconfig", kubeconfig, "--confirm-after", "1ms", "--logs", "--show-suppressed"}
	for _, format := range []string{"table", "wide", "json", "yaml", "name", "jsonpath={}", "go-template={{.}}", "markdown", "html", "sarif",
		"junit", "github", "prometheus"} {
		o := run(t, append([]string{"scan", "-o", format, "--cost"}, flags...)...)
		require.Equal(t, 1, o.code, o.stderr)
		require.NotEmpty(t, o.stdout)
		p.found(t, format, o.stdout)
		p.found(t, "stderr with "+format, o.stderr)
	}
	text, err := os.ReadFile(summary) // #nosec G304 -- a test
	require.NoError(t, err)
	p.found(t, "the step summary", string(text))

	table := run(t, append([]string{"scan"}, flags...)...).stdout
	for _, want := range []string{"SD1002", "SD1004", "SD2001", "SD2003", "SD2004", "SD2005", "SD3001", "log: ", "[redacted]"} {
		require.True(t, strings.Contains(table, want), "the places of the secrets are reported, but not "+want)
	}

	file := filepath.Join(dir, "cluster.tar.gz")
	saved := run(t, append([]string{"snapshot", "-o", file}, flags[:5]...)...)
	require.Contains(t, []int{0, 3}, saved.code, saved.stderr)
	require.Contains(t, saved.stderr, "secrets removed from texts: ")
	p.found(t, "stderr of snapshot", saved.stderr)
	for name, content := range entries(t, file) {
		p.found(t, "archive entry "+name, content)
	}
	live, again := run(t, append([]string{"scan", "-o", "json"}, flags...)...),
		run(t, "scan", "-o", "json", "-f", file, "--show-suppressed", "--confirm-after", "1ms")
	require.Equal(t, judged(t, live.stdout), judged(t, again.stdout), "what was taken out is out of both")
	p.found(t, "stderr of the replay", again.stderr)

	for _, args := range [][]string{{"--dry-run"}, {"--dry-run=server"}, {"-o", "yaml"}, {"-o", "json"}, {"--yes", "--record-dir", dir}} {
		args = append(append([]string{"fix", "SD2001", "SD2005", "SD3001", "SD3004", "SD4001", "--max-object-size", "12000", "--max-risk",
			"destructive"}, args...), flags[:5]...)
		// The server keeps no patch, so nothing is ever resolved: repairs are broken off once they are in the record.
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		go breakOff(ctx, cancel, dir)
		o := runFor(ctx, args...)
		cancel()
		require.Contains(t, o.stdout, "remove the annotation kubectl.kubernetes.io/last-applied-configuration", "whose value is full of them")
		p.found(t, strings.Join(args, " "), o.stdout)
		p.found(t, "stderr of "+strings.Join(args, " "), o.stderr)
	}
	records, err := filepath.Glob(filepath.Join(dir, "fix-*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, records, "a record was made")
	for _, record := range records {
		text, err := os.ReadFile(record) // #nosec G304 -- a test
		require.NoError(t, err)
		p.found(t, "the record", string(text))
	}
}

// breakOff cancels two seconds after a record has been written to dir.
func breakOff(ctx context.Context, cancel context.CancelFunc, dir string) {
	for wait := 50 * time.Millisecond; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if records, _ := filepath.Glob(filepath.Join(dir, "fix-*.jsonl")); len(records) > 0 {
			if wait == 2*time.Second {
				cancel()
			}
			wait = 2 * time.Second
		}
	}
}

// TestPlantedErrors holds the same of errors.
func TestPlantedErrors(t *testing.T) {
	s, p := plantedCluster(t)
	s.add(t, fmt.Sprintf("{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: odd, namespace: team-a, "+
		"creationTimestamp: 'token=%s'}}", p.secret("a value that does not decode")))
	s.answer = func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Add("Warning", `299 - "password=`+p.secret("a warning of the API server")+`"`)
		if !strings.Contains(r.URL.Path, "webhookconfigurations") {
			return false
		}
		fail(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, "denied: "+p.text("the message of an error"))
		return true
	}
	kubeconfig := s.kubeconfig(t, "me:"+p.secret("server of the kubeconfig")+"@")
	file := filepath.Join(t.TempDir(), "cluster.tar.gz")
	for _, args := range [][]string{{"scan"}, {"scan", "-o", "json"}, {"scan", "-o", "html"}, {"snapshot", "-o", file}, {"fix", "--dry-run"}} {
		o := run(t, append(args, "--kubeconfig", kubeconfig, "--confirm-after", "1ms")...)
		require.Contains(t, o.stdout+o.stderr, "denied: ", args)
		p.found(t, strings.Join(args, " "), o.stdout+o.stderr)
	}
	for name, content := range entries(t, file) {
		p.found(t, "archive entry "+name, content)
	}
	s.Close()
	for _, server := range []string{"http://me:%s@127.0.0.1:1", "https://me:%s@", "://me:%s@x", "http://me:%s@exa mple"} {
		path := filepath.Join(t.TempDir(), "kubeconfig")
		require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "{apiVersion: v1, kind: Config, clusters: [{name: c, cluster: {server: %q}}], "+
			"contexts: [{name: test, context: {cluster: c, user: u}}], users: [{name: u, user: {}}], current-context: test}",
			fmt.Sprintf(server, p.secret("server "+server))), 0o600))
		for _, args := range [][]string{{"scan"}, {"snapshot", "-o", file + "x"}, {"fix", "--dry-run"}} {
			o := run(t, append(args, "--kubeconfig", path)...)
			require.Equal(t, 2, o.code, o.stderr)
			p.found(t, strings.Join(args, " ")+" with "+server, o.stdout+o.stderr)
		}
	}
}
