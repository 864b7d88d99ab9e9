package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
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
