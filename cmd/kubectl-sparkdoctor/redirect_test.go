package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoCommandFollowsARedirect holds that whatever asks the API server asks nobody else.
func TestNoCommandFollowsARedirect(t *testing.T) {
	var strangers atomic.Int32
	stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
	t.Cleanup(stranger.Close)
	s := exampleCluster(t)
	s.add(t, `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system", "uid": "k"}}`)
	part := "" // of the server that redirects; empty: all of it
	s.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, part) {
			return false
		}
		http.Redirect(w, r, stranger.URL+r.URL.Path, http.StatusTemporaryRedirect)
		return true
	}
	config := s.kubeconfig(t, "")
	for _, args := range [][]string{
		{"scan"}, {"scan", "--contexts", "test"}, {"snapshot", "-o", filepath.Join(t.TempDir(), "a.tar.gz")}, {"gate", "--to", "2.5.2"},
		{"fix", "--yes"},
		{"fix", "--dry-run=server"}, {"__complete", "scan", "-n", ""},
	} {
		o := run(t, append(args[:1:1], append([]string{"--kubeconfig", config}, args[1:]...)...)...)
		if args[0] != "__complete" {
			require.Contains(t, []int{2, 3}, o.code, "%s: %s", args, o.stderr)
			require.Contains(t, o.stderr+o.stdout, "since your credentials would go there", "%s", args)
		}
	}
	part = "/pods"
	o := run(t, "scan", "--kubeconfig", config, "-o", "json", "--confirm-after", "0")
	require.Equal(t, 1, o.code, o.stderr)
	require.Contains(t, o.stdout, "since your credentials would go there", "the reason why a view could not be read")
	require.Zero(t, strangers.Load())
}
