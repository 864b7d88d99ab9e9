package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// TestPlantedServe holds the same of what serve answers.
func TestPlantedServe(t *testing.T) {
	s, p := plantedCluster(t)
	kubeconfig := s.kubeconfig(t, "me:"+p.secret("server of the kubeconfig")+"@")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stderr, written := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- cli.Run(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--interval", "1h", "--confirm-after", "1ms", "--logs", "--kubeconfig",
			kubeconfig}, genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: written})
		_ = written.Close()
	}()
	lines := bufio.NewScanner(stderr)
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	server := ""
	for server == "" && lines.Scan() {
		p.found(t, "stderr of serve", lines.Text())
		server = address.FindString(lines.Text())
	}
	require.NotEmpty(t, server)
	read := make(chan struct{})
	go func() {
		for lines.Scan() { // so that serve can write
			p.found(t, "stderr of serve", lines.Text())
		}
		close(read)
	}()
	for get(t, ctx, server+"/readyz", nil) != http.StatusOK {
		require.NoError(t, ctx.Err())
	}
	for _, path := range []string{"/", "/report.json", "/metrics", "/healthz", "/readyz", "/nothing?token=" + p.secret("path")} {
		var body strings.Builder
		get(t, ctx, server+path, &body)
		p.found(t, "serve "+path, body.String())
	}
	var report strings.Builder
	require.Equal(t, http.StatusOK, get(t, ctx, server+"/report.json", &report))
	require.Contains(t, report.String(), "[redacted]")
	cancel()
	<-done
	<-read
}

func get(t *testing.T, ctx context.Context, url string, body io.Writer) int { //nolint:revive // t comes first in tests
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	if body == nil {
		body = io.Discard
	}
	_, err = io.Copy(body, answer.Body)
	require.NoError(t, err)
	return answer.StatusCode
}

// TestPlantedFailingServe: a scan of serve that fails is said on stderr, with the address to which a proxy redirects.
func TestPlantedFailingServe(t *testing.T) {
	const token = "ghp_pl4ntedHunter2pl4ntedHunter2pl4ntedH" // as redact.Text knows them
	s, p := plantedCluster(t)
	s.answer = func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, "http://"+token+".example.com/", http.StatusFound)
		return true
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stderr, written := io.Pipe()
	done := make(chan int, 1)
	kubeconfig := s.kubeconfig(t, "")
	go func() {
		done <- cli.Run(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--interval", "1h", "--kubeconfig", kubeconfig},
			genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: written})
		_ = written.Close()
	}()
	lines, said := bufio.NewScanner(stderr), ""
	for !strings.Contains(said, "error: ") && lines.Scan() {
		said = lines.Text()
		p.found(t, "stderr of serve", said)
		require.NotContains(t, said, token)
	}
	cancel()
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	<-done
	require.Contains(t, said, "your credentials would go there", "a failed scan is said")
}
