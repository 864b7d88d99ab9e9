package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// progress is one line on a terminal that is written over and over, and nothing anywhere else.
type progress struct {
	mu      sync.Mutex
	w       io.Writer
	show    bool
	items   map[snapshot.View]int
	done    map[snapshot.View]bool
	written time.Time
	glimpse func(*snapshot.Batch) string
	first   string // what the glimpse showed first
}

func newProgress(w io.Writer, glimpse func(*snapshot.Batch) string) *progress {
	return &progress{w: w, show: isTerminal(w), items: map[snapshot.View]int{}, done: map[snapshot.View]bool{}, glimpse: glimpse}
}

func (p *progress) update(e collect.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.items[e.View] = max(p.items[e.View], e.Items)
	p.done[e.View] = p.done[e.View] || e.Done
	if !p.show {
		return
	}
	fresh := false
	if e.View == snapshot.SparkApplications && e.Batch != nil && p.first == "" {
		p.first = p.glimpse(e.Batch)
		fresh = p.first != ""
	}
	if !fresh && time.Since(p.written) < 100*time.Millisecond {
		return
	}
	p.written = time.Now()
	total := 0
	for _, n := range p.items {
		total += n
	}
	line := fmt.Sprintf("reading: %d objects, views done: %d, now %s", total, len(p.done), e.View)
	if p.first != "" {
		line = fmt.Sprintf("reading: %d objects, views done: %d; first: %s", total, len(p.done), report.Escape(p.first))
	}
	_, _ = fmt.Fprint(p.w, "\r\x1b[K"+oneRow(line))
}

// oneRow cuts a line, for one that wraps could not be written over.
func oneRow(line string) string {
	const columns = 119
	if runes := []rune(line); len(runes) > columns {
		return string(runes[:columns]) + "…"
	}
	return line
}

// clear removes the line, so that what follows starts in column 0.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.show && !p.written.IsZero() {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// missing names the views that were not read to their end.
func (p *progress) missing(needs []snapshot.Need) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for _, n := range needs {
		if !p.done[n.View] {
			names = append(names, string(n.View))
		}
	}
	if len(names) == 0 {
		return "what the listings name (owners, confirmations)"
	}
	return strings.Join(names, ", ")
}
