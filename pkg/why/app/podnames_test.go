package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPodNameOf: a name may hold what ends others.
func TestPodNameOf(t *testing.T) {
	for pod, want := range map[string]PodName{
		"etl-driver":                        {Prefix: "etl", Driver: true},
		"etl-9f2c1ab34d5e6f70-exec-12":      {Prefix: "etl-9f2c1ab34d5e6f70", Executor: "12"},
		"my-exec-report-driver":             {Prefix: "my-exec-report", Driver: true},
		"my-exec-1-0123456789abcdef-exec-2": {Prefix: "my-exec-1-0123456789abcdef", Executor: "2"},
		"my-exec-report":                    {},
		"etl":                               {},
	} {
		require.Equal(t, want, PodNameOf(pod), pod)
	}
}

func TestPodOf(t *testing.T) {
	for pod, is := range map[string]bool{
		"etl-driver": true, "etl-0-driver": true, "etl-0-exec-1": true, "etl-0123456789abcdef-exec-1": true,
		"etl-2-x-driver": false, "etl-more-driver": false, "etl-exec-1": false, "etl-server": false, "other-driver": false,
	} {
		require.Equal(t, is, podOf("SparkApplication", "etl", pod), pod)
	}
	require.True(t, podOf(connect, "etl", "etl-server"))
	require.True(t, podOf(connect, "etl", "etl-exec-1"))
	require.False(t, podOf(connect, "etl", "etl-driver"))
}

func TestRunOf(t *testing.T) {
	require.True(t, RunOf("nightly", "nightly-1717400000"))
	require.False(t, RunOf("nightly", "nightly-full"))
	require.False(t, RunOf("nightly", "nightly"))
}
