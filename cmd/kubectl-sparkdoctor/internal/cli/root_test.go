package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestErrorsAreEscaped holds that what an error quotes cannot speak to the terminal.
func TestErrorsAreEscaped(t *testing.T) {
	streams, _, out, errOut := genericiooptions.NewTestIOStreams()
	require.Equal(t, exitFailure, Run(t.Context(), []string{"scan", "-f", "no\x1b[31m\u202e.yaml"}, streams))
	require.Empty(t, out.String())
	require.Equal(t, `error: no\x1b[31m\u202e.yaml: no such file or directory`+"\n", errOut.String())
}
