package catalog_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// The logs were written by containers of a real node, by real JVMs and by the real API server's answers to them.
func TestLogsOfARealNode(t *testing.T) {
	for recording, want := range map[string]string{
		"quota-used-up":            "quota-exceeded-objects",
		"driver-not-permitted":     "rbac-denied",
		"healthy-completed":        "",
		"healthy-running":          "",
		"healthy-executor-drained": "",
		"healthy-native-sidecar":   "",
	} {
		files, err := filepath.Glob("../../../test/node/recordings/" + recording + "/logs/*")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		got := ""
		for _, file := range files {
			text, err := os.ReadFile(file) //nolint:gosec // of the repository
			require.NoError(t, err)
			for _, line := range strings.Split(string(text), "\n") {
				if m, ok := catalog.Line(line); ok {
					got = m.Signature.ID
				}
			}
		}
		require.Equal(t, want, got, recording)
	}
}
