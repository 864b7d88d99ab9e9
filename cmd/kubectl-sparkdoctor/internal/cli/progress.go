package cli

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/screen"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/config"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// talk tells people on stderr what a scan tells its observer.
type talk struct {
	streams    genericiooptions.IOStreams
	configFile string // empty: there is none
	notRead    string // likewise
	progress   *progress
}

// Reading begins a reading.
func (t *talk) Reading() {
	if t.configFile != "" {
		say(t.streams, "configuration: %s", report.Escape(shown(t.configFile)))
	}
	if t.notRead != "" {
		say(t.streams, "%s is not read: the configuration is called %s", report.Escape(shown(t.notRead)), config.FileName)
	}
	t.progress = newProgress(screen.Of(t.streams.ErrOut))
}

// Progress counts on.
func (t *talk) Progress(p collect.Progress) { t.progress.update(p, time.Now()) }

// Read ends a reading.
func (t *talk) Read() { t.progress.clear() }

// Note writes a line, in place of the one that says how far a reading is.
func (t *talk) Note(text string) {
	t.progress.clear()
	say(t.streams, "%s", report.Escape(text))
}

// progress says in one line of a terminal how far a reading is, and nothing anywhere else.
type progress struct {
	mu      sync.Mutex
	on      *screen.Screen // nil: no terminal
	items   map[snapshot.View]int
	done    map[snapshot.View]bool
	of      int
	written time.Time
}

func newProgress(on *screen.Screen) *progress {
	return &progress{on: on, items: map[snapshot.View]int{}, done: map[snapshot.View]bool{}}
}

// between is the time between two lines: more would flicker.
const between = 100 * time.Millisecond

func (p *progress) update(e collect.Progress, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of = max(p.of, e.Of)
	p.items[e.View] = max(p.items[e.View], e.Items)
	if e.Done {
		p.done[e.View] = true
	}
	if p.on == nil || now.Sub(p.written) < between {
		return
	}
	p.written = now
	p.on.Line(p.line(e.View))
}

// line begins with what counts: a narrow terminal shows no more of it than that.
func (p *progress) line(at snapshot.View) string {
	text := fmt.Sprintf("reading: %d of %s", len(p.done), phrase.Counted(p.of, "list"))
	total := 0
	for _, n := range p.items {
		total += n
	}
	if total > 0 {
		text += ", " + phrase.Counted(total, "object")
	}
	if at != "" {
		text += ", now " + string(at)
	}
	return text
}

// clear removes the line, so that what follows starts in column 0.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.on != nil && !p.written.IsZero() {
		p.on.Line("")
	}
}
