package screen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// Paged collects what a command writes to a terminal. A pager shows it if it has more lines than the terminal.
type Paged struct {
	bytes.Buffer
	file  *os.File
	pager string
}

// PagedOf is what to write to instead of a terminal; nil: it is none, or no pager is set, or the writer collects already.
func PagedOf(w io.Writer) *Paged {
	file, is := w.(*os.File)
	pager := pagerOf(os.LookupEnv)
	if !is || pager == "" || Of(file) == nil {
		return nil
	}
	return &Paged{file: file, pager: pager}
}

// pagerOf is the pager that is set. One variable is for this program alone; that it is empty there says that there is none.
func pagerOf(lookup func(string) (string, bool)) string {
	pager, set := lookup("SPARKDOCTOR_PAGER")
	if !set {
		pager, _ = lookup("PAGER")
	}
	if pager = strings.TrimSpace(pager); pager == "cat" {
		return ""
	}
	return pager
}

// FileOf is the file behind a writer; nil: there is none.
func FileOf(w io.Writer) *os.File {
	switch w := w.(type) {
	case *os.File:
		return w
	case *Paged:
		return w.file
	default:
		return nil
	}
}

// Show writes what was collected. A pager that does not run is named by missing, and the terminal gets the text without it.
func (p *Paged) Show() (missing, err error) {
	columns, rows, sizeErr := term.GetSize(int(p.file.Fd()))
	text := p.String()
	if sizeErr == nil && columns > 0 && rows > 0 && rowsOf(text, columns) > rows {
		if _, forced := forcedLinks(os.LookupEnv); !forced {
			text = withoutLinks(text)
		}
		if missing = p.page(text); missing == nil {
			return nil, nil
		}
	}
	_, err = p.WriteTo(p.file)
	return missing, err
}

// notFound is how a POSIX shell exits that does not find a command.
const notFound = 127

// page runs the pager to its end. How it ends says nothing about the command: most readers leave it before its last line.
func (p *Paged) page(text string) error {
	argv, shell := argvOf(p.pager, runtime.GOOS)
	cmd := exec.CommandContext(context.Background(), argv[0], argv[1:]...) // #nosec G204 -- of the user who runs this program
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), p.file, os.Stderr
	cmd.Env = withLess(os.Environ())
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("the pager %q does not start: %w", p.pager, err)
	}
	// Ctrl-C is for the pager, which stops a search and stays. It goes to this program as well, whose work is done.
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	var exit *exec.ExitError
	if err := cmd.Wait(); shell && errors.As(err, &exit) && exit.ExitCode() == notFound {
		return fmt.Errorf("the pager %q does not start", p.pager)
	}
	return nil
}

// argvOf are the program and its arguments. What has characters of a shell is for a shell, as in prepare_shell_cmd of git
// (run-command.c@0045df3dbb8a); Windows has none.
func argvOf(pager, system string) (argv []string, shell bool) {
	if system != "windows" && strings.ContainsAny(pager, "|&;<>()$`\\\"'*?[#~=%") {
		return []string{"sh", "-c", pager}, true
	}
	return strings.Fields(pager), false
}

// withLess has less show colors, leave the text on the terminal, and not ask for a key where it fits, as git does (setup_pager_env in its
// pager.c@01b9d5dee0b5); but not against the user's own LESS.
func withLess(env []string) []string {
	for _, entry := range env {
		if strings.HasPrefix(entry, "LESS=") {
			return env
		}
	}
	return append(env, "LESS=FRX")
}
