package fix

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
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
	Undo     Undo      `json:"undo"`
}

// Entry is a further line. One without an end is written, and on disk, before the request is sent; the one with the
// same number and an end follows it. A request without an end may have been carried out.
type Entry struct {
	Number int       `json:"number"` // of the request, from 1
	Fix    int       `json:"fix"`
	Title  string    `json:"title,omitempty"` // of the fix
	Step   *Step     `json:"step,omitempty"`  // with the old and new value of each field that is written
	At     time.Time `json:"at"`
	End    End       `json:"end,omitempty"`
	Error  string    `json:"error,omitempty"`
}

// End is how a request ended.
type End string

const (
	Written End = "written"
	Failed  End = "failed"  // the server said no
	Unknown End = "unknown" // there was no answer
)

// Record is what was done.
type Record struct {
	Header
	Entries []Entry
}

// HeaderOf is the first line of the record of a plan.
func HeaderOf(p Plan, started time.Time, tool string) Header {
	h := Header{APIVersion: APIVersion, Kind: "FixRecord", Cluster: p.Cluster, Started: started, Tool: tool, Fixes: []Planned{}}
	for _, f := range p.Applicable() {
		h.Fixes = append(h.Fixes, Planned{ID: f.ID, Title: f.Title, Findings: f.Findings, Undo: f.Undo})
	}
	return h
}

// recorded is the step as it may be kept: without values that may quote secrets.
func (s Step) recorded() *Step {
	changes := make([]Change, 0, len(s.Changes))
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
func Begin(number int, f Fix, s Step, at time.Time) Entry {
	return Entry{Number: number, Fix: f.ID, Title: f.Title, Step: s.recorded(), At: at}
}

// maxLine bounds a line of a record: a request removes 4,900 entries of executors.
const maxLine = 16 << 20

// ReadRecord reads a record. A last line that was cut off is of a request that was never sent.
func ReadRecord(r io.Reader) (Record, error) {
	lines := bufio.NewReaderSize(r, 1<<20)
	var out Record
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if n == 1 {
				return Record{}, errors.New("is empty, or was cut off before anything was written")
			}
			return out, nil
		}
		if err != nil {
			return Record{}, err
		}
		if len(line) > maxLine {
			return Record{}, fmt.Errorf("line %d is no line of a record", n)
		}
		if n == 1 {
			if err := json.Unmarshal(line, &out.Header); err != nil || out.Kind != "FixRecord" {
				return Record{}, errors.New("is no record of sparkdoctor")
			}
			if out.APIVersion != APIVersion {
				return Record{}, fmt.Errorf("is a record of version %q, and this build reads %s", out.APIVersion, APIVersion)
			}
			continue
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return Record{}, fmt.Errorf("line %d: %w", n, err)
		}
		out.Entries = append(out.Entries, e)
	}
}

// Undo returns what takes a record back, the last fix first, and what cannot be, with the reason.
func (r Record) Undo() ([]Candidate, []Left) {
	failed := map[int]bool{} // requests that the server refused
	for _, e := range r.Entries {
		failed[e.Number] = failed[e.Number] || e.End == Failed
	}
	var back []Candidate
	var left []Left
	done := map[string]bool{}
	for i := len(r.Entries) - 1; i >= 0; i-- {
		e := r.Entries[i]
		if e.Step == nil || failed[e.Number] {
			continue
		}
		key := fmt.Sprint(e.Fix, e.Title, e.Step.Target.Key(), e.Step.Subresource)
		if done[key] {
			continue
		}
		done[key] = true
		planned := r.planned(e.Fix, e.Title)
		finding := planned.finding(e.Step.Target)
		if !e.Step.Undo.Exact {
			left = append(left, Left{Finding: finding, Title: planned.Title, Reason: e.Step.Undo.Reason})
			continue
		}
		restore := Restore{Object: e.Step.Target, Subresource: e.Step.Subresource, Hold: e.Step.Hold, Was: planned.Title}
		for _, other := range r.Entries {
			if other.Step != nil && !failed[other.Number] && other.Fix == e.Fix && other.Title == e.Title && e.Step.alike(*other.Step) {
				restore.Changes = append(restore.Changes, other.Step.Changes...)
			}
		}
		back = append(back, Candidate{Finding: finding, Intent: restore})
	}
	return back, left
}

// finding is what a fix was for, as the undo of what it wrote to one object names it.
func (p Planned) finding(object snapshot.Ref) Finding {
	f := Finding{Message: p.Title}
	if len(p.Findings) > 0 {
		f = p.Findings[0]
	}
	f.Name = fmt.Sprintf("fix-%d-%s", p.ID, object.Key())
	f.Object = object
	return f
}

// planned is the fix of an entry; one that was tried because another did not help is in no plan.
func (r Record) planned(id int, title string) Planned {
	for _, p := range r.Fixes {
		if p.ID == id && p.Title == title {
			return p
		}
	}
	return Planned{ID: id, Title: title}
}
