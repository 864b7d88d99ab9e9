package scan

import (
	"context"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// State is how a finding is after its fix.
type State string

const (
	Resolved    State = "resolved"
	Unchanged   State = "unchanged"
	Worse       State = "worse"
	NotVerified State = "not verified"
)

// Ending is how a finding is after its fix, and why.
type Ending struct {
	Finding plan.Finding
	State   State
	Reason  string
}

// lookAgain is when findings that were still there are looked at again: controllers need a moment.
func lookAgain() []time.Duration {
	return []time.Duration{0, 3 * time.Second, 7 * time.Second, 20 * time.Second}
}

// verify runs the checks again that found what was fixed, for as long as one of the findings is still there, but no
// longer than about half a minute.
func (r Repair) verify(ctx context.Context, findings []plan.Finding) ([]Ending, error) {
	if len(findings) == 0 {
		return nil, nil
	}
	var out []Ending
	for _, after := range lookAgain() {
		if err := pause(ctx, after); err != nil {
			return nil, err
		}
		d, err := r.findAgain(ctx, findings)
		if err != nil {
			return nil, err
		}
		out = endingsOf(findings, d)
		if !slices.ContainsFunc(out, func(e Ending) bool { return e.State == Unchanged || e.State == Worse }) {
			break
		}
	}
	return out, nil
}

// appliedFindings are those of which any fix of a part was carried out, or had nothing left to do.
func appliedFindings(p plan.Plan, outcomes []apply.Outcome, part func(plan.Fix) bool) []plan.Finding {
	var out []plan.Finding
	for _, o := range outcomes {
		f := p.Fixes[o.Fix-1]
		done := o.Status == apply.Applied || o.Status == apply.AlreadySo || o.Writes != 0
		if !part(f) || !done {
			continue
		}
		for _, finding := range f.Findings {
			if !slices.ContainsFunc(out, func(g plan.Finding) bool { return g.Name == finding.Name }) {
				out = append(out, finding)
			}
		}
	}
	return out
}

// endingsOf says of each finding how it is now.
func endingsOf(findings []plan.Finding, d *Diagnosis) []Ending {
	results := d.Results
	out := make([]Ending, 0, len(findings))
	for _, f := range findings {
		at := slices.IndexFunc(results, func(r check.Result) bool { return r.Check.ID == f.Check })
		if at < 0 || results[at].Status == check.Skipped || results[at].Status == check.NotApplicable {
			reason := "the check did not run"
			if at >= 0 {
				reason = results[at].Reason
			}
			out = append(out, Ending{f, NotVerified, reason})
			continue
		}
		now := slices.IndexFunc(results[at].Findings, func(g check.Reported) bool { return g.Fingerprint() == f.Name })
		if now < 0 && results[at].Partial && !d.Snapshot.Covers(snapshot.ViewOf(f.Object.GroupKind()), f.Object.Namespace) {
			out = append(out, Ending{f, NotVerified, "it could not be looked at again: " + blind(results[at])})
			continue
		}
		if now < 0 {
			out = append(out, Ending{Finding: f, State: Resolved})
			continue
		}
		g := results[at].Findings[now]
		state := Unchanged
		if worse(g.Severity, f.Severity) {
			state = Worse
		}
		out = append(out, Ending{f, state, g.Message})
	}
	return out
}

// worse reports whether a severity is above the one that a plan names.
func worse(now check.Severity, before string) bool {
	switch before {
	case check.Info.String():
		return now > check.Info
	case check.Warning.String():
		return now > check.Warning
	default:
		return false
	}
}
