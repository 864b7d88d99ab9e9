package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// garbageLists are answers to a listing of pods that are none, though they may look like an empty one.
func garbageLists() map[string]string {
	return map[string]string{
		"an object":           `{"apiVersion":"v1","kind":"PodList","metadata":{},"items":{}}`,
		"a text":              `{"apiVersion":"v1","kind":"PodList","metadata":{},"items":"x"}`,
		"a number":            `{"apiVersion":"v1","kind":"PodList","metadata":{},"items":0}`,
		"another list":        `{"apiVersion":"apps/v1","kind":"DeploymentList","metadata":{},"items":[]}`,
		"a list of no kind":   `{"items":[]}`,
		"no items":            `{"apiVersion":"v1","kind":"PodList","metadata":{}}`,
		"an object of a list": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`,
	}
}

// TestGarbageIsNamed: whatever reads lists says of garbage that it could not be read, and is incomplete.
func TestGarbageIsNamed(t *testing.T) {
	s := exampleCluster(t)
	config := s.kubeconfig(t, "")
	for name, garbage := range garbageLists() {
		s.answer = func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "/pods") {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, garbage)
			return true
		}
		archive := filepath.Join(t.TempDir(), "a.tar.gz")
		for _, args := range [][]string{
			{"scan", "--fail-on", "none", "-o", "json", "--confirm-after", "0"}, {"gate", "--to", "2.5.2", "--fail-on", "none", "-o", "json"},
			{"snapshot", "-o", archive, "--confirm-after", "0"}, {"scan", "-f", archive, "--fail-on", "none", "-o", "json"},
		} {
			if !strings.Contains(strings.Join(args, " "), "-f ") {
				args = append(args, "--kubeconfig", config)
			}
			o := run(t, args...)
			require.Equal(t, 3, o.code, "%s: %s: %s", name, args, o.stderr)
			require.Contains(t, o.stdout+o.stderr, "the answer is no list", "%s: %s", name, args)
		}
		why := run(t, "why", "ledger", "-n", "nightly", "-o", "json", "--kubeconfig", config)
		require.Contains(t, why.stdout, "the answer is no list", "%s: %s", name, why.stderr)
		require.Contains(t, served(t, config), "the answer is no list", name)
	}
}

// served is the report that serve gives.
func served(t *testing.T, config string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stderr, written := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- cli.Run(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--interval", "1h", "--confirm-after", "1ms", "--kubeconfig", config},
			genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: written})
		_ = written.Close()
	}()
	lines := bufio.NewScanner(stderr)
	address := ""
	for address == "" && lines.Scan() {
		address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(lines.Text())
	}
	require.NotEmpty(t, address)
	go func() { _, _ = io.Copy(io.Discard, stderr) }() // so that serve can write
	for get(t, ctx, address+"/readyz", nil) != http.StatusOK {
		require.NoError(t, ctx.Err())
	}
	var report strings.Builder
	require.Equal(t, http.StatusOK, get(t, ctx, address+"/report.json", &report))
	cancel()
	<-done
	return report.String()
}
