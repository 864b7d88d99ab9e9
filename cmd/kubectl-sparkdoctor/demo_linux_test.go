package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/require"
)

// TestScreenOfDemo is what a person sees first, on a terminal of 80 columns: about two screens, and no line but a command is cut by the
// terminal.
func TestScreenOfDemo(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	code, text := onScreen(t, 80, 50, "demo")
	require.Zero(t, code, text)
	same(t, filepath.Join("testdata", "screens", "demo.80.txt"), text)
	require.LessOrEqual(t, strings.Count(text, "\n"), 80, "two screens of 40 lines")
	for line := range strings.Lines(text) {
		if strings.Contains(line, " kubectl sparkdoctor ") {
			continue // to be copied, it stands whole
		}
		require.LessOrEqual(t, twwidth.Width(strings.TrimSuffix(line, "\n")), 80, line)
	}
}
