package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
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
	From       string   `json:"from"`      // of 1.x the chart where it is known, else the application: as --from takes it
	Installed  string   `json:"installed"` // what it is called: of 1.x by chart and application
	To         string   `json:"to"`
	Unreleased string   `json:"unreleased,omitempty"` // what To is, where it is no release: where it was read, and when
	Hops       []string `json:"hops"`                 // the releases on the way, at which breaks are reported; the last is To
	Controller string   `json:"controller,omitempty"` // NAMESPACE/NAME; empty: only --from says what is installed
	Verdict    string   `json:"verdict"`              // GO, NO-GO or INCOMPLETE
	Because    string   `json:"because"`              // what the verdict rests on, in a few words
	Only       []string `json:"only,omitempty"`       // to which part flags narrow the question
	Values     []string `json:"values,omitempty"`     // of the target's chart that are not known, and decide whether there is an error
	// Release is what Helm keeps of the installation, without its values; nil: it was not asked for.
	Release *HelmRelease `json:"helmRelease,omitempty"`
	Runbook []GateStep   `json:"runbook"`
	// ApplicationsOnly says that the runbook leaves out the steps of operators: the input is a repository of applications.
	ApplicationsOnly bool `json:"applicationsOnly,omitempty"`

	failOn       string // the severity that fails it; empty: of a report that was read from a file
	contradicted bool   // values were given, and are not of this installation
	foreign      bool   // values were given, and are of other charts
}

// HelmRelease is the newest revision of a release of Helm, and those before it.
type HelmRelease struct {
	Name         string         `json:"name"`
	Namespace    string         `json:"namespace"`
	Revision     int            `json:"revision"`
	Status       string         `json:"status"`
	Chart        string         `json:"chart"` // NAME-VERSION, as helm list shows it
	Umbrella     bool           `json:"umbrella,omitempty"`
	OperatorAt   string         `json:"operatorAt,omitempty"` // the path of the operator's values in those of an umbrella chart
	Values       int            `json:"values"`               // how many of the operator's chart are set at their first level; never which
	HistoryTotal int            `json:"historyTotal"`
	History      []HelmRevision `json:"history"` // the newest ten
}

// HelmRevision is one revision of a release.
type HelmRevision struct {
	Revision int    `json:"revision"`
	Status   string `json:"status"`
}

// releaseOf is what a report shows of a release.
func releaseOf(r *helm.Release) *HelmRelease {
	if r == nil {
		return nil
	}
	out := &HelmRelease{Name: r.Name, Namespace: r.Namespace, Revision: r.Revision, Status: r.Status, Chart: r.Chart + "-" + r.ChartVersion,
		Umbrella: r.Umbrella(), Values: len(r.OfOperator()), HistoryTotal: len(r.History), History: []HelmRevision{}}
	if r.Umbrella() {
		out.OperatorAt = strings.Join(r.Operator[1:], ".")
	}
	for _, one := range r.History[max(0, len(r.History)-shownRevisions):] {
		out.History = append(out.History, HelmRevision{Revision: one.Number, Status: one.Status})
	}
	return out
}

// shownRevisions is how many Helm keeps by default (--history-max).
const shownRevisions = 10

// Text is the release in a line.
func (r *HelmRelease) Text() string {
	text := fmt.Sprintf("%s/%s revision %d, %s, chart %s", r.Namespace, r.Name, r.Revision, r.Status, r.Chart)
	if r.Umbrella {
		text += " (umbrella chart, the operator's values are below " + r.OperatorAt + ")"
	}
	return text
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
	if u.To.Unreleased {
		g.Unreleased = operator.NextText()
	}
	for _, h := range u.Hops {
		g.Hops = append(g.Hops, h.String())
	}
	if u.Installation != nil {
		g.Controller = u.Installation.Controller.Namespace + "/" + u.Installation.Controller.Name
	}
	g.Release, g.contradicted = releaseOf(u.Release), len(u.Contradictions) > 0
	g.foreign, g.ApplicationsOnly = u.ForeignValues, u.Applications
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
	r.Gate.Because, r.Gate.failOn = r.because(failOn), failOn
	r.Conclude()
}

// Outcome is what the exit code of a run says: a finding that counts is a no-go, and nothing is a go that could not be
// looked at. A gate of which no check could judge is none even if the user allows it to be incomplete.
func (r *Report) Outcome(failOn string, allowIncomplete bool) string {
	switch {
	case failOn != "none" && r.AtLeast(failOn) > 0:
		return VerdictNoGo
	case r.Incomplete() && !allowIncomplete, r.Gate != nil && r.Judged() == 0:
		return VerdictIncomplete
	default:
		return VerdictGo
	}
}
