package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// findingOutcome is how a finding is after its fix.
type findingOutcome struct {
	finding fix.Finding
	state   string // resolved, unchanged, worse, not verified
	reason  string
}

// lookAgain is when findings that were still there are looked at again: controllers need a moment.
func lookAgain() []time.Duration {
	return []time.Duration{0, 3 * time.Second, 7 * time.Second, 20 * time.Second}
}

// verify runs the checks again that found what was fixed, for as long as one of the findings is still there, but no
// longer than about half a minute.
func (o *fixOptions) verify(ctx context.Context, streams genericiooptions.IOStreams, findings []fix.Finding) ([]findingOutcome, error) {
	if len(findings) == 0 {
		return nil, nil
	}
	scan, err := o.checking(ctx, findings)
	if err != nil {
		return nil, err
	}
	var out []findingOutcome
	for _, after := range lookAgain() {
		if err := pause(ctx, after); err != nil {
			return nil, err
		}
		in, err := scan.read(ctx, streams)
		if err != nil {
			return nil, err
		}
		in.confirm = nil // what is still missing is looked at again anyway
		d, err := scan.judge(ctx, in)
		if err != nil {
			return nil, err
		}
		out = outcomesOf(findings, d)
		if !slices.ContainsFunc(out, func(v findingOutcome) bool { return v.state == "unchanged" || v.state == "worse" }) {
			break
		}
	}
	return out, nil
}

// checking is a scan with just the checks that found what was fixed, and what decides about them.
func (o *fixOptions) checking(ctx context.Context, findings []fix.Finding) (*scanOptions, error) {
	flags := o.scanFlags
	flags.checks, flags.skip = nil, nil
	for _, f := range findings {
		if !slices.Contains(flags.checks, f.Check) {
			flags.checks = append(flags.checks, f.Check)
		}
	}
	for _, id := range checks.AdmissionChecks() {
		if !slices.Contains(flags.checks, id) {
			flags.checks = append(flags.checks, id) // they say whether SD1001 is an error
		}
	}
	return flags.options(ctx, nil)
}

// appliedFindings are those of which any fix of a part was carried out, or had nothing left to do.
func appliedFindings(plan fix.Plan, outcomes []apply.Outcome, part func(fix.Fix) bool) []fix.Finding {
	var out []fix.Finding
	for _, o := range outcomes {
		f := plan.Fixes[o.Fix-1]
		if !part(f) || o.Status != apply.Applied && o.Status != apply.AlreadyDone && o.Writes == 0 {
			continue
		}
		for _, finding := range f.Findings {
			if !slices.ContainsFunc(out, func(g fix.Finding) bool { return g.Name == finding.Name }) {
				out = append(out, finding)
			}
		}
	}
	return out
}

// outcomesOf says of each finding how it is now.
func outcomesOf(findings []fix.Finding, d diagnosis) []findingOutcome {
	results := d.results
	out := make([]findingOutcome, 0, len(findings))
	for _, f := range findings {
		at := slices.IndexFunc(results, func(r checks.Result) bool { return r.Check.ID == f.Check })
		if at < 0 || results[at].Status == checks.Skipped || results[at].Status == checks.NotApplicable {
			reason := "the check did not run"
			if at >= 0 {
				reason = results[at].Reason
			}
			out = append(out, findingOutcome{f, "not verified", reason})
			continue
		}
		now := slices.IndexFunc(results[at].Findings, func(g checks.Finding) bool { return g.Fingerprint() == f.Name })
		if now < 0 && results[at].Partial && !d.snapshot.Covers(snapshot.ViewOf(f.Object.GroupKind()), f.Object.Namespace) {
			out = append(out, findingOutcome{f, "not verified", "it could not be looked at again: " + blind(results[at])})
			continue
		}
		if now < 0 {
			out = append(out, findingOutcome{finding: f, state: "resolved"})
			continue
		}
		g := results[at].Findings[now]
		state := "unchanged"
		if worse(g.Severity, f.Severity) {
			state = "worse"
		}
		out = append(out, findingOutcome{f, state, g.Message})
	}
	return out
}

// worse reports whether a severity is above the one that a plan names.
func worse(now checks.Severity, before string) bool {
	return before == checks.Info.String() && now > checks.Info || before == checks.Warning.String() && now > checks.Warning
}

// end says how every finding ended and returns the exit code.
func (w *writer) end(plan fix.Plan, outcomes []apply.Outcome, endings []findingOutcome, record string) error {
	remains := len(plan.Left) > 0
	for _, v := range endings {
		text := fmt.Sprintf("%s %s: %s", v.finding.Check, v.finding.Object, v.state)
		if v.reason != "" {
			text += ": " + v.reason
		}
		w.print(fix.Flat(text) + "\n")
		remains = remains || v.state != "resolved"
	}
	wrote, failed, stale := 0, false, w.moved
	for _, o := range outcomes {
		wrote += o.Writes
		failed = failed || o.Status == apply.FailedFix
		stale = stale || o.Status == apply.StaleObject || o.Status == apply.Refused
		remains = remains || o.Status == apply.NotTried
	}
	if wrote > 0 && slices.ContainsFunc(plan.Fixes, func(f fix.Fix) bool { return f.Undo.Exact }) {
		say(w.streams, "to take back what can be: kubectl sparkdoctor undo %s", record)
	}
	switch {
	case failed:
		return &codeError{code: exitFindings}
	case stale:
		return &codeError{code: exitRefused}
	case remains:
		return &codeError{code: exitFindings}
	default:
		return nil
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
