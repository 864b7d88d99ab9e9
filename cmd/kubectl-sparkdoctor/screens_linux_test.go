package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// capture is what a person sees on a terminal.
type capture struct {
	most  int    // lines
	begin string // what the last block, the verdict, begins with
	code  int
	args  func(t *testing.T) []string
}

// generatedScan scans a generated input as a whole cluster.
func generatedScan(name string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		text, file := generated()[name](), name+".yaml"
		t.Chdir(t.TempDir())
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return []string{"scan", "-f", file, "--complete", "--as-of", "2026-11-23T15:00:00Z"}
	}
}

// captures are the screens that README and docs speak of.
func captures() map[string]capture {
	return map[string]capture{
		"clean":         {8, "largest application: less than 1% of the size limit", 0, generatedScan("healthy")},
		"one-finding":   {12, "ERROR   SD2001 cross-namespace-owner: 1 finding", 1, generatedScan("one-fault")},
		"operator-down": {61, "Spark Operator 2.5.1 is down", 1, generatedScan("operator-down")},
		"fleet":         {120, "team-01 sparkapplication/job-00 and 59 more in 30 namespaces: owner", 1, generatedScan("faulty-fleet")},
		"namespace-user": {8, "largest application: less than 1% of the size limit", 0, func(t *testing.T) []string {
			t.Helper()
			config := namespaceUser(t).kubeconfig(t, "")
			return []string{"scan", "--scope", "namespace", "-n", "quiet", "--kubeconfig", config, "--confirm-after", "0s"}
		}},
	}
}

// TestScreens compares what a person sees at 80 and at 160 columns with what is kept. With UPDATE_SCRIPTS=1 the captures are
// rewritten; read them aloud before you keep them.
func TestScreens(t *testing.T) {
	kept, err := filepath.Abs(filepath.Join("testdata", "screens"))
	require.NoError(t, err)
	for name, c := range captures() {
		for _, columns := range []uint16{80, 160} {
			t.Run(fmt.Sprintf("%s at %d", name, columns), func(t *testing.T) {
				code, text := onScreen(t, columns, 50, append(c.args(t), "--color", "never")...)
				require.Equal(t, c.code, code, text)
				same(t, filepath.Join(kept, fmt.Sprintf("%s.%d.txt", name, columns)), text)
				lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
				require.LessOrEqual(t, len(lines), c.most)
				ending := text[strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n\n")+2:]
				require.True(t, strings.HasPrefix(ending, c.begin), ending)
				require.LessOrEqual(t, strings.Count(ending, "\n"), 12)
			})
		}
	}
}

// TestScreenOfFix is the screen at the prompt: the question, the cluster, and every change in a line.
func TestScreenOfFix(t *testing.T) {
	for _, columns := range []uint16{80, 160} {
		screen, terminal := newTerminal(t)
		require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: columns}))
		_, err := screen.WriteString("n\n")
		require.NoError(t, err)
		var both strings.Builder // a terminal shows the two as they are written
		code := cli.Run(t.Context(), []string{"fix", "SD3001", "--kubeconfig", prunable(t).kubeconfig(t, "")},
			genericiooptions.IOStreams{In: terminal, Out: &both, ErrOut: &both})
		require.Equal(t, 4, code, both.String())
		text := both.String()
		require.LessOrEqual(t, strings.Count(text, "\n"), 8)
		same(t, filepath.Join("testdata", "screens", fmt.Sprintf("fix.%d.txt", columns)), text)
	}
}

// same compares a capture with a file. What differs from run to run, addresses and directories, is named.
func same(t *testing.T, path, got string) {
	t.Helper()
	for pattern, name := range map[string]string{`http://127\.0\.0\.1:\d+`: "https://api.example.com", `/\S+/kubeconfig`: "KUBECONFIG"} {
		got = regexp.MustCompile(pattern).ReplaceAllString(got, name)
	}
	got = withoutCounts(got)
	if os.Getenv("UPDATE_SCRIPTS") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path) // #nosec G304 -- of the test
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
