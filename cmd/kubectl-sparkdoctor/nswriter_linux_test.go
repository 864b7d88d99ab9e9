package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamespaceUserWrites: who may not get kube-system repairs what is theirs. The record names the cluster by the UID of their namespace,
// and undo asks for the same UID.
func TestNamespaceUserWrites(t *testing.T) {
	s := prunable(t)
	s.add(t, "{apiVersion: v1, kind: Namespace, metadata: {name: streaming, uid: uid-of-streaming}}")
	s.deny, s.user = func(r *http.Request) bool { return r.URL.Path == "/api/v1/namespaces/kube-system" }, "dev"
	records := t.TempDir()
	to := []string{"--kubeconfig", s.kubeconfig(t, ""), "--record-dir", records, "--yes", "-n", "streaming"}

	got := run(t, append([]string{"fix", "SD3001", "--confirm-after", "0s"}, to...)...)
	require.Contains(t, got.stderr, "records name this cluster by the UID of namespace streaming, and nothing is written beyond it")
	require.Contains(t, got.stdout+got.stderr, "fix 1 applied: SparkApplication streaming/clicks")
	names, err := filepath.Glob(filepath.Join(records, "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, names, 1)
	record, err := os.ReadFile(names[0])
	require.NoError(t, err)
	require.Contains(t, string(record), `"cluster":{"uid":"uid-of-streaming","namespace":"streaming"`)

	got = run(t, append([]string{"undo", "--last"}, to...)...)
	require.NotContains(t, got.stderr, "another cluster")
	require.NotContains(t, got.stderr, "kube-system")
	other := filepath.Join(records, "other.jsonl")
	require.NoError(t, os.WriteFile(other, bytes.ReplaceAll(record, []byte("uid-of-streaming"), []byte("made-anew")), 0o600))
	require.Contains(t, run(t, append([]string{"undo", other}, to...)...).stderr, "the record is of another cluster")
}
