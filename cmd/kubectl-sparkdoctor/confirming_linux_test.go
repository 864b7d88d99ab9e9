package main

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// orphaned serves a Spark application whose owner is gone, in a namespace.
func orphaned(t *testing.T, namespace string) *apiServer {
	t.Helper()
	s := exampleCluster(t)
	s.add(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: quiet}")
	owned := strings.Replace(application(namespace, "etl", "2026-11-19T14:00:00Z", completed), "metadata: {",
		"metadata: {ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: Workflow, name: gone, uid: uid-gone}], ", 1)
	s.add(t, owned)
	return s
}

// onScreen runs the program with its output on a terminal of some columns and rows, and returns all that the terminal was sent.
func onScreen(t *testing.T, columns, rows uint16, args ...string) (int, string) {
	t.Helper()
	screen, terminal := newTerminal(t)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}))
	said := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(screen) // ends with an error when the program's end is closed (pty(7))
		said <- string(all)
	}()
	code := cli.Run(t.Context(), args, genericiooptions.IOStreams{In: strings.NewReader(""), Out: terminal, ErrOut: io.Discard})
	require.NoError(t, terminal.Close())
	return code, strings.ReplaceAll(<-said, "\r\n", "\n")
}

// displayed is what a terminal of 80 columns shows of text that moves up, goes to the beginning of a line and erases from there
// (ECMA-48: CUU, ED, EL).
func displayed(t *testing.T, text string) string {
	t.Helper()
	var above []string
	line := ""
	for text != "" {
		switch {
		case strings.HasPrefix(text, "\x1b[J"), strings.HasPrefix(text, "\x1b[K"):
			line, text = "", text[3:]
		case strings.HasPrefix(text, "\x1b["):
			up, rest, found := strings.Cut(text[2:], "A")
			require.True(t, found, "%q", text)
			n := 0
			for _, digit := range up {
				n = 10*n + int(digit-'0')
			}
			require.LessOrEqual(t, n, len(above), "it goes above what it wrote")
			above, text = above[:len(above)-n], rest
		case text[0] == '\n':
			above, line, text = append(above, line), "", text[1:]
		case text[0] == '\r':
			text = text[1:]
		default:
			c, size := utf8.DecodeRuneInString(text)
			if utf8.RuneCountInString(line) == 80 {
				above, line = append(above, line), ""
			}
			line, text = line+string(c), text[size:]
		}
	}
	return strings.Join(append(above, line), "\n")
}

// TestWhatIsKnownIsShownAtOnce: a person sees the findings while they are confirmed, and then the confirmed ones in their place. A
// pipe gets these only.
func TestWhatIsKnownIsShownAtOnce(t *testing.T) {
	args := []string{"scan", "--checks", "SD2002", "--color", "never", "--kubeconfig", orphaned(t, "quiet").kubeconfig(t, ""), "-n", "quiet",
		"--confirm-after", "20ms"}
	piped := run(t, args...)
	require.Contains(t, piped.stderr, "1 finding rests on something missing; rechecking in 20ms in case a controller is catching up")
	require.NotContains(t, piped.stdout, "confirming")

	code, text := onScreen(t, 80, 50, args...)
	require.Equal(t, piped.code, code)
	before, after, found := strings.Cut(text, "confirming 1 finding: rechecking in 0 s (--confirm-after 0 to skip)")
	require.True(t, found, text)
	require.Contains(t, before, `confirming: owner Workflow "gone" does not exist`)
	require.NotContains(t, after, "confirming: ")
	require.Equal(t, displayed(t, piped.stdout), displayed(t, text), "in the end the terminal shows what a pipe gets")

	code, text = onScreen(t, 80, 12, args...)
	require.Equal(t, piped.code, code)
	require.NotContains(t, strings.SplitAfter(text, "rechecking")[0], "SD2002 dangling-owner", "the report is higher than the terminal")
	require.Contains(t, text, "confirming: owner")
	require.Equal(t, displayed(t, piped.stdout), displayed(t, text))

	code, text = onScreen(t, 80, 50, append(args, "-o", "json")...)
	require.Equal(t, piped.code, code)
	require.NotContains(t, text, "confirming")
	require.True(t, strings.HasPrefix(text, "{"), text)
}

// TestConfirmedAwayInPlace: a finding that was shown and does not hold is gone from the screen, and from the exit code.
func TestConfirmedAwayInPlace(t *testing.T) {
	s := orphaned(t, "quiet")
	args := []string{"scan", "--checks", "SD2002", "-n", "quiet", "--color", "never", "--kubeconfig", s.kubeconfig(t, ""),
		"--confirm-after", "20ms", "--fail-on", "info"}
	require.Equal(t, 1, run(t, args...).code)
	s.goneWhenNamed = "sparkapplications/etl" // it is listed, and deleted when it is looked at again
	code, text := onScreen(t, 80, 50, args...)
	require.Zero(t, code, text)
	require.Contains(t, text, `confirming: owner Workflow "gone"`)
	require.Contains(t, displayed(t, text), "No findings\n")
	require.NotContains(t, displayed(t, text), "gone")
}

// TestInterruptedWhileConfirming leaves on the screen what is known.
func TestInterruptedWhileConfirming(t *testing.T) {
	screen, terminal := newTerminal(t)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 80}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	said := make(chan string, 1)
	go func() {
		var all strings.Builder
		for part := make([]byte, 4096); ; {
			n, err := screen.Read(part)
			all.Write(part[:n])
			if strings.Contains(all.String(), "rechecking in") {
				cancel()
			}
			if err != nil {
				said <- all.String()
				return
			}
		}
	}()
	code := cli.Run(ctx, []string{"scan", "--checks", "SD2002", "--color", "never", "--kubeconfig", orphaned(t, "quiet").kubeconfig(t, ""),
		"--confirm-after", "1h"}, genericiooptions.IOStreams{In: strings.NewReader(""), Out: terminal, ErrOut: io.Discard})
	require.NoError(t, terminal.Close())
	require.Equal(t, 130, code)
	shown := displayed(t, strings.ReplaceAll(<-said, "\r\n", "\n"))
	require.Contains(t, shown, "confirming: owner Workflow")
	require.Contains(t, shown, "rechecking in 60 min")
}

// TestOnlyWhatIsInScopeIsWaitedFor: an orphan elsewhere does not delay a scan of a namespace or an object.
func TestOnlyWhatIsInScopeIsWaitedFor(t *testing.T) {
	s := orphaned(t, "other")
	s.add(t, application("quiet", "well", "2026-11-19T14:00:00Z", completed))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // then the test fails: the wait is interrupted
	defer cancel()
	config := s.kubeconfig(t, "")
	for _, args := range [][]string{{"-n", "quiet"}, {"sparkapplication/well", "-n", "quiet"}} {
		got := runFor(ctx, append([]string{"scan", "--checks", "SD2002", "--kubeconfig", config, "--confirm-after", "1h"}, args...)...)
		require.Zero(t, got.code, got.stdout+got.stderr)
		require.NotContains(t, got.stderr, "rechecking")
	}
	require.Equal(t, 1, runFor(ctx, "scan", "--checks", "SD2002", "--kubeconfig", config, "--confirm-after", "1ms", "--fail-on", "info").code)
}
