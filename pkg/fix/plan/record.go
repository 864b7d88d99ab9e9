package plan

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// Header is the first line of a record: which cluster, and what was planned.
type Header struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"` // FixRecord
	Cluster    Cluster   `json:"cluster"`
	Started    time.Time `json:"started"`
	Tool       string    `json:"tool,omitempty"`
	Fixes      []Planned `json:"fixes"`
}

// Planned names a fix of the plan.
type Planned struct {
	ID       int       `json:"id"`
	Title    string    `json:"title"`
	Findings []Finding `json:"findings"`
	Undo     fix.Undo  `json:"undo"`
}

// Entry is a further line. One without an end is written, and on disk, before the request is sent; the one with the
// same number and an end follows it. A request without an end may have been carried out.
type Entry struct {
	Number int       `json:"number"` // of the request, from 1
	Fix    int       `json:"fix"`
	Title  string    `json:"title,omitempty"` // of the fix
	Step   *fix.Step `json:"step,omitempty"`  // with the old and new value of each field that is written
	At     time.Time `json:"at"`
	End    End       `json:"end,omitempty"`
	Error  string    `json:"error,omitempty"`

	allowed fix.Allowance // by the table
}

// End is how a request ended.
type End string

const (
	Written End = "written"
	Failed  End = "failed"  // the server said no
	Unknown End = "unknown" // there was no answer
	// AlreadySo follows the end of a request that failed: another client had made the change.
	AlreadySo End = "alreadySo"
)

// Record is what was done.
type Record struct {
	Header
	Entries []Entry
	// Torn is a last line that is not whole: the machine stopped while a request or its end was noted, and how that ended is unknown.
	Torn bool
}

// HeaderOf is the first line of the record of a plan.
func HeaderOf(p Plan, started time.Time, tool string) Header {
	h := Header{APIVersion: APIVersion, Kind: "FixRecord", Cluster: p.Cluster, Started: started, Tool: tool, Fixes: []Planned{}}
	for _, f := range p.Applicable() {
		h.Fixes = append(h.Fixes, Planned{ID: f.ID, Title: f.Title, Findings: f.Findings, Undo: f.Undo})
	}
	return h
}

// recorded is a step as it may be kept: without values that may quote secrets.
func recorded(s fix.Step) *fix.Step {
	changes := make([]fix.Change, 0, len(s.Changes))
	for _, c := range s.Changes {
		if c.Hidden {
			c.Old, c.New = nil, nil
		}
		changes = append(changes, c)
	}
	s.Changes = changes
	return &s
}

// Begin is the line before a request.
func Begin(number int, f Fix, s fix.Step, at time.Time) Entry {
	return Entry{Number: number, Fix: f.ID, Title: f.Title, Step: recorded(s), At: at}
}
