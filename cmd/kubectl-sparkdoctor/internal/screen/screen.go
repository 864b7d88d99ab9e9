// Package screen shows a text on a terminal that a later one replaces in place. Pipes and files see none of it.
package screen

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"golang.org/x/term"
)

// Screen is a terminal.
type Screen struct {
	file  *os.File
	shown bool // anything
	rows  int  // that are shown above the line of the cursor
}

// Of returns the terminal behind a writer; nil: there is none, or none that takes orders.
func Of(w io.Writer) *Screen {
	f := FileOf(w)
	if f == nil || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &Screen{file: f}
}

// margin are the rows that stay free for the countdown and the line behind it.
const margin = 2

// Show writes the first of some texts that fits: what has scrolled off a terminal cannot be replaced.
func (s *Screen) Show(texts ...string) {
	columns, height, err := term.GetSize(int(s.file.Fd()))
	if err != nil || columns < 1 {
		return // it does not say how large it is
	}
	for _, text := range texts {
		if rows := rowsOf(text, columns); rows+margin <= height {
			s.rows = rows
			_, _ = io.WriteString(s.file, text)
			return
		}
	}
}

// rowsOf is how many rows a text takes whose lines may be longer than the terminal is wide.
func rowsOf(text string, columns int) int {
	n := 0
	for line := range strings.Lines(text) {
		n += max(1, (twwidth.Width(strings.TrimSuffix(line, "\n"))+columns-1)/columns)
	}
	return n
}

// Line replaces the line of the cursor. It cuts the text at the terminal's width, since of a line that wraps only the last row could be
// replaced later. The last column stays free: some terminals go to the next row as soon as it is written.
func (s *Screen) Line(text string) {
	columns, _, err := term.GetSize(int(s.file.Fd()))
	if err != nil || columns < 1 {
		columns = 80
	}
	_, _ = fmt.Fprint(s.file, "\r\x1b[K"+cut(text, columns-1))
}

// cut shortens a text to so many columns, and says so.
func cut(text string, columns int) string {
	if twwidth.Width(text) <= columns {
		return text
	}
	return twwidth.Truncate(text, columns, "…")
}

// CountDown says once a second in one line how long it will take. If the context ends before, everything that is shown stays.
func (s *Screen) CountDown(ctx context.Context, of time.Duration, line func(left time.Duration) string) error {
	s.shown = true
	end := time.Now().Add(of)
	ticks := time.NewTicker(time.Second)
	defer ticks.Stop()
	for {
		left := max(0, time.Until(end))
		s.Line(line(left.Round(time.Second)))
		if left == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			_, _ = fmt.Fprintln(s.file)
			return ctx.Err()
		case <-time.After(left):
		case <-ticks.C:
		}
	}
}

// Erase removes what is shown, so that what follows takes its place.
func (s *Screen) Erase() {
	if s == nil || !s.shown {
		return
	}
	up := ""
	if s.rows > 0 {
		up = fmt.Sprintf("\x1b[%dA", s.rows)
	}
	_, _ = fmt.Fprint(s.file, "\r"+up+"\x1b[J")
	s.shown, s.rows = false, 0
}
