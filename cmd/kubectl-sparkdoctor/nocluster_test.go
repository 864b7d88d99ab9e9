package main

import (
	"bufio"
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// TestClusterThatRefuses: a cluster that answers, or whose certificate is not trusted, is one. No error of it leads elsewhere.
func TestClusterThatRefuses(t *testing.T) {
	answers := func(code int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, http.StatusText(code), code) })
	}
	untrusted := httptest.NewUnstartedServer(answers(http.StatusOK))
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshakes that the client gives up
	untrusted.StartTLS()
	for name, server := range map[string]*httptest.Server{
		"certificate":  untrusted,
		"forbidden":    httptest.NewServer(answers(http.StatusForbidden)),
		"unauthorized": httptest.NewServer(answers(http.StatusUnauthorized)),
	} {
		t.Cleanup(server.Close)
		t.Run(name, func(t *testing.T) {
			config := kubeconfigOf(t, server.URL)
			for _, args := range [][]string{{"scan"}, {"why", "etl"}, {"fix", "--dry-run"}, {"gate", "--to", "2.5.2"}} {
				got := run(t, append(args, "--kubeconfig", config)...)
				require.Equal(t, 2, got.code, got.stdout+got.stderr)
				require.Contains(t, got.stderr, "error: ")
				require.NotContains(t, got.stderr, "without a cluster")
			}
		})
	}
}

// TestServeWithoutCluster: serve keeps running without a cluster, and prints once what it tried.
func TestServeWithoutCluster(t *testing.T) {
	config := kubeconfigOf(t, "http://127.0.0.1:1")
	said, stderr := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan int, 1)
	go func() {
		done <- cli.Run(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--kubeconfig", config},
			genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: stderr})
		_ = stderr.Close()
	}()
	var lines []string
	for in := bufio.NewScanner(said); in.Scan(); {
		if lines = append(lines, in.Text()); strings.HasPrefix(in.Text(), "without a cluster: ") {
			cancel()
		}
	}
	require.Equal(t, 130, <-done)
	require.Len(t, lines, 4)
	require.Equal(t, `tried: context "test" of `+config, lines[2])
	require.Equal(t, `without a cluster: "kubectl sparkdoctor scan -f FILE" reads a dump; "kubectl sparkdoctor demo" shows an example`, lines[3])
}

// kubeconfigOf leads to a server without credentials.
func kubeconfigOf(t *testing.T, server string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, os.WriteFile(path, []byte(`{"apiVersion": "v1", "kind": "Config", "current-context": "test",
"clusters": [{"name": "test", "cluster": {"server": "`+server+`"}}], "users": [{"name": "test", "user": {}}],
"contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}]}`), 0o600))
	return path
}
