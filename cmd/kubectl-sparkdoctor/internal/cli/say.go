package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
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

// talk tells people on stderr what a scan tells its observer.
type talk struct {
	streams    genericiooptions.IOStreams
	configFile string // empty: there is none
	progress   *progress
}

// Reading begins a reading.
func (t *talk) Reading() {
	if t.configFile != "" {
		say(t.streams, "configuration: %s", report.Escape(shown(t.configFile)))
	}
	t.progress = newProgress(t.streams.ErrOut)
}

// Progress counts on.
func (t *talk) Progress(p collect.Progress) { t.progress.update(p) }

// Read ends a reading.
func (t *talk) Read() { t.progress.clear() }

// Note writes a line.
func (t *talk) Note(text string) { say(t.streams, "%s", report.Escape(text)) }

// progress is one line on a terminal that is written over and over, and nothing anywhere else.
type progress struct {
	mu      sync.Mutex
	w       io.Writer
	show    bool
	items   map[snapshot.View]int
	done    map[snapshot.View]bool
	written time.Time
}

func newProgress(w io.Writer) *progress {
	return &progress{w: w, show: isTerminal(w), items: map[snapshot.View]int{}, done: map[snapshot.View]bool{}}
}

func (p *progress) update(e collect.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.items[e.View] = max(p.items[e.View], e.Items)
	p.done[e.View] = p.done[e.View] || e.Done
	if !p.show || time.Since(p.written) < 100*time.Millisecond {
		return
	}
	p.written = time.Now()
	total := 0
	for _, n := range p.items {
		total += n
	}
	line := fmt.Sprintf("reading: %d objects, views done: %d, now %s", total, len(p.done), e.View)
	_, _ = fmt.Fprint(p.w, "\r\x1b[K"+line)
}

// clear removes the line, so that what follows starts in column 0.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.show && !p.written.IsZero() {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf returns the columns of a terminal, 0 for anything else.
func widthOf(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
