package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/bench/plan"
)

// TestFollow holds that a list is read to its end, compressed or not, and that an item's text is not taken for the token.
func TestFollow(t *testing.T) {
	for _, encoding := range []string{"gzip", ""} {
		var asked []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			token := r.URL.Query().Get("continue")
			asked = append(asked, token)
			next := map[string]string{"": `"continue":"a=b+c",`, "a=b+c": `"continue":"last",`}[token]
			text := fmt.Sprintf(`{"kind":"PodList","metadata":{%s"resourceVersion":"1"},"items":[{"note":"\"continue\":\"no\""},%q]}`, next, strings.Repeat("x", 5000))
			if encoding == "" {
				fmt.Fprint(w, text)
				return
			}
			w.Header().Set("Content-Encoding", encoding)
			z := gzip.NewWriter(w)
			fmt.Fprint(z, text)
			z.Close()
		}))
		t.Cleanup(server.Close)
		file := filepath.Join(t.TempDir(), "plan.json")
		text, err := json.Marshal(plan.Plan{Server: server.URL, Rounds: []plan.Round{{Parallel: 1, Chains: [][]plan.Request{
			{{URI: "/api/v1/pods?limit=500", AcceptEncoding: encoding, Status: 200, Follow: true}},
		}}}})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o600))
		require.NoError(t, run([]string{file}))
		require.Equal(t, []string{"", "a=b+c", "last"}, asked, encoding)
	}
}

// TestAhead holds that the next request of a chain is made before the answer to the one before it ends.
func TestAhead(t *testing.T) {
	second := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("continue") != "" {
			close(second)
			return
		}
		fmt.Fprint(w, "the beginning")
		w.(http.Flusher).Flush()
		<-second
		fmt.Fprint(w, " and the end")
	}))
	t.Cleanup(server.Close)
	chain := []plan.Request{{URI: "/api/v1/pods", Status: 200}, {URI: "/api/v1/pods?continue=x", Status: 200}}
	require.NoError(t, follow(server.Client(), plan.Plan{Server: server.URL, Ahead: true}, chain))
	require.Error(t, follow(server.Client(), plan.Plan{Server: server.URL, Ahead: true}, []plan.Request{{URI: "/", Status: 404}}))
}
