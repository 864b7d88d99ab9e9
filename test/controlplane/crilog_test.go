package controlplane

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

// TestOperatorLogs reads what an operator's process prints as the log of its pod, with the kubelet's own limits, and
// that of the container before a restart.
func TestOperatorLogs(t *testing.T) {
	cp, op := withOperator(t, "2.5.1")
	ctx := t.Context()
	read := func(o corev1.PodLogOptions) string {
		pods, err := op.Pods(ctx, webhook)
		require.NoError(t, err)
		text, err := cp.Client.CoreV1().Pods(op.Namespace).GetLogs(pods[0].Name, &o).DoRaw(ctx)
		require.NoError(t, err)
		return string(text)
	}
	all := read(corev1.PodLogOptions{Timestamps: true})
	require.Contains(t, all, "Serving webhook server")
	for line := range strings.Lines(all) {
		at, _, _ := strings.Cut(line, " ")
		written, err := time.Parse(time.RFC3339Nano, at)
		require.NoError(t, err, line)
		require.WithinDuration(t, time.Now(), written, time.Hour)
	}
	require.Equal(t, 2, strings.Count(read(corev1.PodLogOptions{TailLines: new(int64(2))}), "\n"))
	require.Len(t, read(corev1.PodLogOptions{LimitBytes: new(int64(100))}), 100)

	require.NoError(t, op.StopWebhook(ctx))
	require.Contains(t, read(corev1.PodLogOptions{}), "Shutting down webhook server", "the log of a container that ended")
	require.NoError(t, op.StartWebhook(ctx))
	require.NotContains(t, read(corev1.PodLogOptions{}), "Shutting down webhook server", "a container has a log of its own")
	require.Contains(t, read(corev1.PodLogOptions{Previous: true}), "Shutting down webhook server")
}
