package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// Plan is what a gate says of every release to which operators can be upgraded.
type Plan struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"` // UpgradePlan
	Metadata   Metadata `json:"metadata"`
	Tool       Tool     `json:"tool"`
	Facts      Facts    `json:"facts"`
	Verdict    string   `json:"verdict"` // GO where each operator has somewhere to go or is at the newest release
	Only       []string `json:"only,omitempty"`
	// Operators are in order of cluster and controller; a cluster that could not be read has one with an error.
	Operators []PlanRow `json:"operators"`
}

// Facts say how far the facts of a build go.
type Facts struct {
	AsOf   string `json:"asOf"`
	Newest string `json:"newest"`
	Next   string `json:"next,omitempty"` // what is unreleased and known, too; no plan names it as a target
}

// PlanRow is one operator with the releases that it can be upgraded to.
type PlanRow struct {
	Cluster    string       `json:"cluster,omitempty"`    // of several
	Controller string       `json:"controller,omitempty"` // NAMESPACE/NAME; none: only somebody said what is installed
	Installed  string       `json:"installed,omitempty"`
	Targets    []PlanTarget `json:"targets"`
	Take       string       `json:"take,omitempty"` // the release to go to
	Because    string       `json:"because"`        // why that one, or why none
	Command    string       `json:"command,omitempty"`
	Error      string       `json:"error,omitempty"` // nothing could be judged
	NoOperator bool         `json:"noOperator,omitempty"`
}

// PlanTarget is the verdict on one release.
type PlanTarget struct {
	To       string        `json:"to"`
	Verdict  string        `json:"verdict"`
	Because  string        `json:"because"`
	Findings FindingCounts `json:"findings"`
	Checks   []string      `json:"checks"`  // whose findings make it a no-go
	Unasked  int           `json:"unasked"` // checks that could not judge, or only in part
}

// NewPlan joins the rows of all clusters.
func NewPlan(tool Tool, at time.Time, rows []PlanRow) *Plan {
	p := &Plan{
		APIVersion: APIVersion, Kind: "UpgradePlan", Metadata: Metadata{CreationTimestamp: at}, Tool: tool,
		Facts: Facts{AsOf: operator.AsOf(), Newest: operator.Newest().String(), Next: operator.NextText()}, Operators: rows, Verdict: VerdictGo,
	}
	for i := range rows {
		switch outcome := rows[i].outcome(); {
		case outcome == VerdictNoGo:
			p.Verdict = VerdictNoGo
		case outcome == VerdictIncomplete && p.Verdict == VerdictGo:
			p.Verdict = VerdictIncomplete
		}
	}
	return p
}

// Failed reports whether nothing could be judged at all.
func (p *Plan) Failed() bool {
	return len(p.Operators) > 0 && !slices.ContainsFunc(p.Operators, func(r PlanRow) bool { return r.Error == "" })
}

// Targets are all releases that rows were asked about, oldest first.
func (p *Plan) Targets() []string {
	seen := map[string]bool{}
	for i := range p.Operators {
		for _, t := range p.Operators[i].Targets {
			seen[t.To] = true
		}
	}
	var out []string
	for _, v := range operator.Releases() {
		if seen[v.String()] {
			out = append(out, v.String())
		}
	}
	return out
}

// HopTargets are those of the targets by which breaks are told, and where there are none, all.
func (p *Plan) HopTargets() []string {
	all := p.Targets()
	var out []string
	for _, v := range operator.Hops() {
		if slices.Contains(all, v.String()) {
			out = append(out, v.String())
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// FactsText says how far the facts go.
func (p *Plan) FactsText() string {
	return "facts as of " + p.Facts.AsOf + ", operator up to " + p.Facts.Newest
}

// PlanTarget is the verdict of a gate in a few words. Decide comes before it.
func (r *Report) PlanTarget(failOn string) PlanTarget {
	t := PlanTarget{To: r.Gate.To, Verdict: r.Gate.Verdict, Because: r.Gate.Because, Findings: r.Summary.Findings, Checks: []string{}}
	for i := range r.Items {
		if item := &r.Items[i]; item.Judged() && failOn != "none" && Rank(item.Severity) <= Rank(failOn) {
			t.Checks = append(t.Checks, item.Check)
		}
	}
	slices.Sort(t.Checks)
	t.Checks = slices.Compact(t.Checks)
	for _, c := range r.Checks {
		if r.incomplete(c) {
			t.Unasked++
		}
	}
	return t
}

// Unknown is a row of which no release can be judged, and why.
func (r *PlanRow) Unknown(why string) { r.Because, r.Error = why, why }

// Choose takes the newest release with a go. Where there is none it says what stands in the way of the one that is nearest to it.
func (r *PlanRow) Choose() {
	n := len(r.Targets)
	if n == 0 {
		r.Because = fmt.Sprintf("no newer release is known (facts as of %s)", operator.AsOf())
		return
	}
	newest := &r.Targets[n-1]
	for i := n - 1; i >= 0; i-- {
		t := &r.Targets[i]
		if t.Verdict != VerdictGo {
			continue
		}
		r.Take, r.Because = t.To, "the newest release, and a go"
		if i < n-1 {
			r.Because = fmt.Sprintf("the newest release that is a go: %s is not (%s)", newest.To, newest.obstacle())
		}
		if t.Findings.Warning > 0 {
			r.Because += "; it has " + phrase.Counted(t.Findings.Warning, "warning")
		}
		return
	}
	near := r.nearest()
	r.Because = fmt.Sprintf("no release is safe to upgrade to yet; nearest is %s: %s", near.To, near.obstacle())
}

// Nearest is the release that the row is about: the one to take, or the one with the fewest errors.
func (r *PlanRow) Nearest() string {
	if r.Take != "" || len(r.Targets) == 0 {
		return r.Take
	}
	return r.nearest().To
}

// nearest has the fewest errors; of several it is the newest.
func (r *PlanRow) nearest() *PlanTarget {
	best := len(r.Targets) - 1
	for i := best; i >= 0; i-- {
		if r.Targets[i].Findings.Error < r.Targets[best].Findings.Error {
			best = i
		}
	}
	return &r.Targets[best]
}

// obstacle is why a release is no go.
func (t *PlanTarget) obstacle() string {
	if len(t.Checks) > 0 {
		return phrase.Counted(t.Findings.Error, "error") + " of " + strings.Join(t.Checks, ", ")
	}
	return t.Because
}

// outcome is the verdict on a row.
func (r *PlanRow) outcome() string {
	switch {
	case r.NoOperator:
		return VerdictGo
	case r.Error != "":
		return VerdictIncomplete
	case r.Take != "" || len(r.Targets) == 0:
		return VerdictGo
	case slices.ContainsFunc(r.Targets, func(t PlanTarget) bool { return t.Verdict == VerdictIncomplete }):
		return VerdictIncomplete
	default:
		return VerdictNoGo
	}
}

// Target finds the verdict on a release; nil where it was not asked about.
func (r *PlanRow) Target(to string) *PlanTarget {
	for i := range r.Targets {
		if r.Targets[i].To == to {
			return &r.Targets[i]
		}
	}
	return nil
}
