package report

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/runbook"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// The verdicts of a gate.
const (
	VerdictGo         = "GO"
	VerdictNoGo       = "NO-GO"
	VerdictIncomplete = "INCOMPLETE"
)

// Gate is the verdict on an upgrade of the operator, and its runbook.
type Gate struct {
	From       string     `json:"from"`      // of 1.x the chart where it is known, else the application: as --from takes it
	Installed  string     `json:"installed"` // what it is called: of 1.x by chart and application
	To         string     `json:"to"`
	Hops       []string   `json:"hops"`                 // by which breaks are told; the last is to
	Controller string     `json:"controller,omitempty"` // NAMESPACE/NAME; none: only somebody said what is installed
	Verdict    string     `json:"verdict"`              // GO, NO-GO or INCOMPLETE
	Because    string     `json:"because"`              // what the verdict rests on, in a few words
	Only       []string   `json:"only,omitempty"`       // to which part flags narrow the question
	Values     []string   `json:"values,omitempty"`     // of the target's chart that are not known, and decide whether there is an error
	Runbook    []GateStep `json:"runbook"`
}

// GateStep is a step of the runbook.
type GateStep struct {
	When     string         `json:"when"` // before, during, after or rollback
	Do       string         `json:"do"`
	Because  string         `json:"because"`
	Check    string         `json:"check,omitempty"` // none: every upgrade has it
	Hop      string         `json:"hop,omitempty"`
	Objects  []snapshot.Ref `json:"objects,omitempty"`
	Lines    []string       `json:"lines,omitempty"` // to write into a file, which the first one names
	Commands []string       `json:"commands,omitempty"`
}

// GateOf is what the checks said of an upgrade. The verdict is up to Decide.
func GateOf(u *check.Upgrade, results []check.Result) *Gate {
	g := &Gate{From: u.Installed().ChartOrApplication(), Installed: u.Installed().String(), To: u.To.String(), Runbook: []GateStep{}}
	for _, h := range u.Hops {
		g.Hops = append(g.Hops, h.String())
	}
	if u.Installation != nil {
		g.Controller = u.Installation.Controller.Namespace + "/" + u.Installation.Controller.Name
	}
	for i := range results {
		g.Values = append(g.Values, results[i].Values...)
	}
	slices.Sort(g.Values)
	g.Values = slices.Compact(g.Values)
	for _, t := range runbook.Of(u, results) {
		step := GateStep{When: t.When.String(), Do: t.Do, Because: t.Because, Check: t.Check, Objects: t.Objects, Lines: t.Lines,
			Commands: t.Commands}
		if !t.Hop.IsZero() {
			step.Hop = t.Hop.String()
		}
		g.Runbook = append(g.Runbook, step)
	}
	return g
}

// Decide sets the verdict of a gate by what fails a run.
func (r *Report) Decide(failOn string, allowIncomplete bool) {
	r.Gate.Verdict = r.Outcome(failOn, allowIncomplete)
	r.Gate.Because = r.because(failOn)
	r.Conclude()
}

// Outcome is what the exit code of a run says: a finding that counts is a no-go, and nothing is a go that could not be
// looked at.
func (r *Report) Outcome(failOn string, allowIncomplete bool) string {
	switch {
	case failOn != "none" && r.AtLeast(failOn) > 0:
		return VerdictNoGo
	case r.Incomplete() && !allowIncomplete:
		return VerdictIncomplete
	default:
		return VerdictGo
	}
}
