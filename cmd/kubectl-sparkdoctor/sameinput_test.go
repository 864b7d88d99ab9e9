package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCommandsNameTheInput types what the answers about files say to type: each command of the program names the same files, and works.
func TestCommandsNameTheInput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a dump")
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples/demo")))
	input := []string{"-f", dir, "--complete", "--as-of", "2026-11-21T14:48:14Z"}
	typed := " -f '" + dir + "' --complete --as-of 2026-11-21T14:48:14Z"
	seen := map[string]bool{}
	for _, words := range [][]string{
		{"scan"}, {"scan", "-o", "wide"}, {"scan", "-o", "markdown"}, {"scan", "-o", "json"}, {"scan", "sparkapplication/etl", "-n", "payments"},
		{"why"}, {"why", "etl"}, {"why", "ledger"}, {"why", "etl", "-o", "markdown"}, {"fix", "--dry-run"},
		{"explain", "SD8001", "etl", "-n", "payments"},
	} {
		got := run(t, append(words, input...)...)
		require.NotEqual(t, 2, got.code, "%s: %s", words, got.stderr)
		for _, line := range ownCommands(got.stdout + got.stderr) {
			if reads := !strings.Contains(line, " --probe") && !strings.Contains(line, " rbac"); reads {
				require.Contains(t, line, typed, words)
				seen[line] = true
			}
		}
	}
	require.Greater(t, len(seen), 8)
	for line := range seen {
		line, forEach := strings.CutSuffix(strings.Replace(line, "NAMESPACE/NAME", "payments/etl", 1), " says more")
		require.False(t, forEach, line)
		got := run(t, shellWords(line)[2:]...)
		require.Contains(t, []int{0, 1, 3}, got.code, "%s: %s", line, got.stderr)
	}
}

// ownCommands are the commands of the program that stand at the end of a line.
func ownCommands(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		_, own, is := strings.Cut(line, "kubectl sparkdoctor ")
		if verb, _, _ := strings.Cut(own, " "); is && strings.Contains(" scan why explain fix gate ", " "+verb+" ") {
			out = append(out, strings.TrimRight("kubectl sparkdoctor "+own, "`\",\n"))
		}
	}
	return out
}

// shellWords splits a line as a shell does that knows single quotes only.
func shellWords(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		switch {
		case i%2 == 1:
			out = append(out, part)
		default:
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
