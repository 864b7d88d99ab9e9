package terminal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

func TestDiff(t *testing.T) {
	const text = "fix 1\n--- a\n+++ a\n@@ -1 +1 @@\n x\n-old \x1b[2J\n+new\n"
	var plain, painted strings.Builder
	require.NoError(t, terminal.Diff(&plain, text, terminal.Style{}))
	require.Equal(t, strings.Replace(text, "\x1b", `\x1b`, 1), plain.String())
	require.NoError(t, terminal.Diff(&painted, text, terminal.Style{Color: true}))
	require.Contains(t, painted.String(), "\x1b[32m+new\x1b[0m\n")
	require.Contains(t, painted.String(), "\n x\n")
	require.NotContains(t, painted.String(), "\x1b[2J")
}
