package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProgramLogsNoSecrets runs the program with a credential plugin that fails when it is asked again: client-go logs what
// it printed, by itself (plugin/pkg/client/auth/exec/exec.go).
func TestProgramLogsNoSecrets(t *testing.T) {
	const secret = "pl4ntedHunter2"
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	plugin, kubeconfig := filepath.Join(dir, "plugin"), filepath.Join(dir, "kubeconfig")
	script := `#!/bin/sh
kind=ExecCredential
[ -e "$0.asked" ] && kind="password=` + secret + `"
touch "$0.asked"
echo "{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"$kind\", \"status\": {\"token\": \"t\"}}"
`
	require.NoError(t, os.WriteFile(plugin, []byte(script), 0o700)) // #nosec G306 -- it is run
	require.NoError(t, os.WriteFile(kubeconfig, fmt.Appendf(nil, `{apiVersion: v1, kind: Config, current-context: c,
  clusters: [{name: c, cluster: {server: %q, insecure-skip-tls-verify: true}}], contexts: [{name: c, context: {cluster: c, user: u}}],
  users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: %q, interactiveMode: Never}}}]}`,
		server.URL, plugin), 0o600))

	// #nosec G204 -- TestMain puts it there
	command := exec.CommandContext(t.Context(), "kubectl-sparkdoctor", "scan", "--kubeconfig", kubeconfig)
	said, err := command.CombinedOutput()

	require.Error(t, err)
	require.Contains(t, string(said), "refreshing credentials", "client-go logs")
	require.NotContains(t, string(said), secret)
}

// TestVerboseLogHasNoSecrets: -v shows requests as kubectl's does, whatever secrets the cluster holds, and never bodies.
func TestVerboseLogHasNoSecrets(t *testing.T) {
	s, p := plantedCluster(t)
	kubeconfig := s.kubeconfig(t, "me:"+p.secret("server of the kubeconfig")+"@")
	// #nosec G204 -- TestMain puts it there
	command := exec.CommandContext(t.Context(), "kubectl-sparkdoctor", "scan", "-v", "9", "--confirm-after", "0", "-o", "name",
		"--token", p.secret("token"), "--kubeconfig", kubeconfig)
	var stderr strings.Builder
	command.Stderr = &stderr
	_ = command.Run() // there are findings
	require.Contains(t, stderr.String(), "/apis/sparkoperator.k8s.io/v1beta2/sparkapplications")
	p.found(t, "stderr with -v 9", stderr.String())
	require.NotContains(t, stderr.String(), "tls.crt")
}
