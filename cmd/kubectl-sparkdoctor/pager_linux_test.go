package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// pagedOn runs the program on a terminal of some rows, with a pager that is set, and returns what the terminal and stderr got.
func pagedOn(t *testing.T, rows uint16, pager string, args ...string) (code int, shown, said string) {
	t.Helper()
	t.Setenv("SPARKDOCTOR_PAGER", pager)
	t.Setenv("TERM", "xterm")
	screen, terminal := newTerminal(t)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: 80}))
	all := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(screen) // ends with an error when the program's end is closed (pty(7))
		all <- string(text)
	}()
	var stderr strings.Builder
	code = cli.Run(t.Context(), args, genericiooptions.IOStreams{In: strings.NewReader(""), Out: terminal, ErrOut: &stderr})
	require.NoError(t, terminal.Close())
	return code, strings.ReplaceAll(<-all, "\r\n", "\n"), stderr.String()
}

// fakePager is a program that says that it is there, and how it was started, before it does something.
func fakePager(t *testing.T, does string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pager")
	script := "echo \"pager LESS=$LESS $1\"\n" + does + "\n"
	require.NoError(t, os.WriteFile(path, []byte(script), 0o600))
	return "sh " + path
}

// TestPager: what is longer than the terminal goes through the pager, with its colors, and the exit code stays.
func TestPager(t *testing.T) {
	for _, name := range []string{"NO_COLOR", "LESS"} {
		t.Setenv(name, "") // restored at the end
		require.NoError(t, os.Unsetenv(name))
	}
	cat := fakePager(t, "exec cat")
	demo := []string{"scan", "-f", "../../examples/demo"}
	_, direct, _ := pagedOn(t, 20, "", demo...)
	require.Contains(t, direct, "\x1b[31;1mERROR")

	code, shown, _ := pagedOn(t, 20, cat+" word", demo...)
	require.Equal(t, 1, code)
	require.Equal(t, "pager LESS=FRX word\n"+direct, shown)

	code, shown, _ = pagedOn(t, 200, cat, demo...)
	require.Equal(t, 1, code)
	require.Equal(t, direct, shown, "it fits")

	code, shown, said := pagedOn(t, 20, fakePager(t, "exit 3"), demo...)
	require.Equal(t, 1, code)
	require.Equal(t, "pager LESS=FRX \n", shown, "the reader has read enough")
	require.NotContains(t, said, "pager")

	for _, missing := range []string{"/no/such/pager", "no-such-pager-of-a-test -x"} {
		code, shown, said = pagedOn(t, 20, missing, demo...)
		require.Equal(t, 1, code)
		require.Equal(t, direct, shown)
		require.Regexp(t, `(?m)^the pager ".+" does not start: .*$`, said)
	}
}

// strippedOwner is a record of what cannot be taken back.
const strippedOwner = `{"apiVersion":"sparkdoctor.io/v1alpha1","kind":"FixRecord","cluster":{"uid":"k"},"started":"2026-11-21T14:00:00Z",` +
	`"fixes":[{"id":1,"title":"strip","findings":[{"name":"sd2001-0123456789ab","check":"SD2001","object":{},"severity":"info",` +
	`"message":"m"}],"undo":{"exact":false}}]}
{"number":1,"fix":1,"title":"strip","at":"2026-11-21T14:00:00Z","step":{"why":"","undo":{"exact":false},"target":{"apiVersion":"v1",` +
	`"kind":"ConfigMap","namespace":"team-a","name":"settings","uid":"u"},"changes":[{"path":["metadata","ownerReferences","[uid=g]"],` +
	`"old":{"apiVersion":"v1","kind":"ConfigMap","name":"gone","uid":"g"}}]}}
`

// TestPagerOfCommands: each command that only shows something is paged as a whole; a file and lines of a prompt are not.
func TestPagerOfCommands(t *testing.T) {
	cat := fakePager(t, "exec cat")
	s := prunable(t)
	record := filepath.Join(t.TempDir(), "record.jsonl")
	require.NoError(t, os.WriteFile(record, []byte(strippedOwner), 0o600))
	for _, args := range [][]string{
		{"rbac"}, {"undo", record, "--dry-run", "--kubeconfig", s.kubeconfig(t, "")},
		{"checks"}, {"explain", "SD2001"}, {"explain", "SD2001", "-f", "../../examples/demo"}, {"demo"},
		{"why", "etl", "-n", "payments", "-f", "../../examples/demo", "-o", "wide"},
		{"fix", "SD3001", "-f", "../../examples/demo", "--dry-run"},
	} {
		_, shown, _ := pagedOn(t, 4, cat, args...)
		require.True(t, strings.HasPrefix(shown, "pager "), "%q: %s", args, shown)
		require.Equal(t, 1, strings.Count(shown, "pager LESS"), "%q", args)
	}
	file := filepath.Join(t.TempDir(), "report.json")
	_, shown, _ := pagedOn(t, 200, cat, "scan", "-f", "../../examples/demo", "-o", "json="+file)
	require.NotContains(t, shown, "pager ")
	text, err := os.ReadFile(file) // #nosec G304 -- of the test
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "{"))

	_, shown, _ = pagedOn(t, 2, cat, "fix", "SD3001", "--kubeconfig", s.kubeconfig(t, ""))
	require.NotContains(t, shown, "pager ", "it asks before it writes")
}

// TestLinksOnATerminal: a terminal that is known to open links gets those of checks, a pager gets none, and neither does NO_COLOR.
func TestLinksOnATerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "") // restored at the end
	require.NoError(t, os.Unsetenv("NO_COLOR"))
	const opens = "\x1b]8;;https://"
	demo := []string{"scan", "-f", "../../examples/demo"}
	_, shown, _ := pagedOn(t, 20, "", demo...)
	require.NotContains(t, shown, opens)
	t.Setenv("TERM_PROGRAM", "WezTerm")
	for _, args := range [][]string{demo, {"explain", "SD2001"}} {
		_, shown, _ = pagedOn(t, 20, "", args...)
		require.Contains(t, shown, opens, "%q", args)
		_, shown, _ = pagedOn(t, 20, fakePager(t, "exec cat"), args...)
		require.NotContains(t, shown, opens, "%q", args)
	}
	_, shown, _ = pagedOn(t, 20, "", append(demo, "--color", "never")...)
	require.NotContains(t, shown, "\x1b")
	t.Setenv("NO_COLOR", "1")
	_, shown, _ = pagedOn(t, 20, "", demo...)
	require.NotContains(t, shown, "\x1b")
	t.Setenv("FORCE_HYPERLINK", "1")
	_, shown, _ = pagedOn(t, 20, "", demo...)
	require.Contains(t, shown, opens)
}
