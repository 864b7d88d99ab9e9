package cli

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/screen"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// say writes a line for people to stderr.
func say(streams genericiooptions.IOStreams, format string, args ...any) {
	_, _ = fmt.Fprintln(streams.ErrOut, snapshot.Redact(fmt.Sprintf(format, args...)))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// paged runs what writes the result. On a terminal a pager shows it, if one is set and the result is longer than the terminal. A pager
// changes nothing of how a command ends.
func paged(streams genericiooptions.IOStreams, write func(genericiooptions.IOStreams) error) error {
	p := screen.PagedOf(streams.Out)
	if p == nil {
		return write(streams)
	}
	collecting := streams
	collecting.Out = p
	err := write(collecting)
	missing, showErr := p.Show()
	if missing != nil {
		say(streams, "%s", report.Escape(missing.Error()))
	}
	if err == nil {
		err = showErr
	}
	return err
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(w io.Writer) bool {
	f := screen.FileOf(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// widthOf returns the columns of a terminal, 0 for anything else.
func widthOf(w io.Writer) int {
	f := screen.FileOf(w)
	if f == nil {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
