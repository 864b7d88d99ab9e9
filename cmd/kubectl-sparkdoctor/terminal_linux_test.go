package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// TestProgressOnATerminal holds that a terminal, also a narrow one, sees how many lists are read, in one line that is removed at the
// end, and that anything else sees none of it.
func TestProgressOnATerminal(t *testing.T) {
	server := exampleCluster(t)
	args := []string{"scan", "--checks", "SD3001,SD4002", "--kubeconfig", server.kubeconfig(t, "")}
	t.Setenv("TERM", "xterm")
	for columns, begins := range map[uint16]string{12: `^reading: 0…$`, 24: `^reading: 0 of \d lists$`, 80: `^reading: 0 of \d lists$`} {
		screen, terminal := newTerminal(t)
		require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
		said := make(chan string, 1)
		go func() {
			all, _ := io.ReadAll(screen) // ends with an error when the program's end is closed (pty(7))
			said <- string(all)
		}()
		require.Zero(t, cli.Run(t.Context(), args, genericiooptions.IOStreams{In: strings.NewReader(""), Out: &strings.Builder{},
			ErrOut: terminal}))
		require.NoError(t, terminal.Close())
		const replace = "\r\x1b[K"
		lines := strings.Split(<-said, replace)
		require.Empty(t, lines[0])
		require.Regexp(t, begins, lines[1])
		last := len(lines) - 1
		for _, line := range lines[1:last] {
			line, _, noted := strings.Cut(line, "\r\n")
			require.True(t, noted || utf8.RuneCountInString(line) < int(columns), "it goes on in the next row: %q", line)
			require.NotContains(t, line, "views")
		}
		require.NotContains(t, lines[last], "reading:")
	}

	var stderr strings.Builder
	require.Zero(t, cli.Run(t.Context(), args, genericiooptions.IOStreams{In: strings.NewReader(""), Out: &strings.Builder{},
		ErrOut: &stderr}))
	require.NotContains(t, stderr.String(), "reading:")
}

// newTerminal returns both ends of a pseudo-terminal: what a person sees, and what a program writes to (pty(7)).
func newTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = screen.Close() })
	fd := int(screen.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = terminal.Close() })
	return screen, terminal
}

// TestConversation: a person sees each change in a line, beside the cluster, and the diff when asked for it.
func TestConversation(t *testing.T) {
	screen, terminal := newTerminal(t)
	_, err := screen.WriteString("d\nn\n")
	require.NoError(t, err)
	var out, stderr strings.Builder
	code := cli.Run(t.Context(), []string{"fix", "SD3001", "--kubeconfig", prunable(t).kubeconfig(t, "")},
		genericiooptions.IOStreams{In: terminal, Out: &out, ErrOut: &stderr})
	require.Equal(t, 4, code, stderr.String())
	require.Regexp(t, `^1 fix in context test \(http://127\.0\.0\.1:\d+\):
  1  streaming/clicks status\.executorState 20000 → 100 entries, 946 → 5 KiB  safe, undo `, out.String())
	require.Contains(t, stderr.String(), "Apply 1 fix to 1 object in context test (")
	require.Contains(t, stderr.String(), "declined, nothing was applied")
	_, diff, found := strings.Cut(out.String(), "\nfix 1 (safe")
	require.True(t, found, "the diff comes when it is asked for: %s", out.String())
	require.Contains(t, diff, `-    clicks-8f1d2c9b7a6e5f40-exec-1: COMPLETED`)
}
