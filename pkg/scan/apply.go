package scan

import (
	"context"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// Applying says how a plan is applied.
type Applying struct {
	Journal *apply.Journal
	Refused map[int]error                 // of Allowed
	Tell    func(plan.Fix, apply.Outcome) // called as each fix ends, one at a time; nil: not called
	// Otherwise shows what is tried next because a fix did not help; an error ends the repair. Nil: nothing is shown.
	Otherwise func(plan.Plan) error
}

// Applied is how a plan ended.
type Applied struct {
	Outcomes []apply.Outcome // of the fixes, in the plan's order
	Endings  []Ending        // of the findings, as the checks see them now
}

// verifier looks again at what a plan was for.
type verifier = func(context.Context, []plan.Finding) ([]Ending, error)

// Apply carries a plan out and looks again. An error is one of looking; what failed to be written is in the outcomes.
func (r Repair) Apply(ctx context.Context, p plan.Plan, a Applying) (Applied, error) {
	return r.apply(ctx, p, a, r.verify)
}

// Apply carries a plan out. There is nothing to look at: the server has said that the values are written.
func (w Writer) Apply(ctx context.Context, p plan.Plan, a Applying) (Applied, error) {
	return w.apply(ctx, p, a, func(context.Context, []plan.Finding) ([]Ending, error) { return nil, nil })
}

// apply repairs admission first and looks whether that helped; what must pass the webhooks comes only then.
func (w Writer) apply(ctx context.Context, p plan.Plan, a Applying, verify verifier) (Applied, error) {
	runner := &apply.Runner{Client: w.Client, Journal: a.Journal, Now: now, Tell: a.Tell, Refused: a.Refused}
	heals := func(f plan.Fix) bool { return f.Traits().Order <= fix.Webhook }
	runner.Run(ctx, p, heals)
	endings, err := verify(ctx, appliedFindings(p, runner.Outcomes(p), heals))
	if err != nil {
		return Applied{}, err
	}
	if endings, err = w.otherwise(ctx, p, endings, a, verify); err != nil {
		return Applied{}, err
	}
	for _, e := range endings {
		for _, f := range p.Fixes {
			if heals(f) && e.State != Resolved && isFor(f, e.Finding) {
				runner.Unhealed(f.ID, string(e.State)+": "+e.Reason)
			}
		}
	}
	rest := func(f plan.Fix) bool { return !heals(f) }
	runner.Run(ctx, p, rest)
	others, err := verify(ctx, appliedFindings(p, runner.Outcomes(p), rest))
	if err != nil {
		return Applied{}, err
	}
	return Applied{runner.Outcomes(p), append(endings, others...)}, nil
}

// otherwise carries out what a plan said it would try if a fix does not help, and looks again.
func (w Writer) otherwise(ctx context.Context, p plan.Plan, endings []Ending, a Applying, verify verifier) ([]Ending, error) {
	var resolved []plan.Resolved
	for _, f := range p.Fixes {
		second := f.Traits().Otherwise
		if second == nil {
			continue
		}
		for _, e := range endings {
			if e.State != Resolved && isFor(f, e.Finding) {
				resolved = append(resolved, w.resolve(ctx, plan.Candidate{Finding: e.Finding, Intent: second}))
			}
		}
	}
	if len(resolved) == 0 {
		return endings, nil
	}
	second := plan.NewPlan(p.Cluster, now(), resolved, nil)
	if a.Otherwise != nil {
		if err := a.Otherwise(second); err != nil {
			return nil, err
		}
	}
	all := func(plan.Fix) bool { return true }
	runner := &apply.Runner{Client: w.Client, Journal: a.Journal, Now: now, Tell: a.Tell}
	runner.Run(ctx, second, all)
	looked, err := verify(ctx, appliedFindings(second, runner.Outcomes(second), all))
	if err != nil {
		return nil, err
	}
	for i, e := range endings {
		for _, l := range looked {
			if l.Finding.Name == e.Finding.Name {
				endings[i] = l
			}
		}
	}
	return endings, nil
}

// isFor reports whether a fix is for a finding.
func isFor(f plan.Fix, finding plan.Finding) bool {
	return slices.ContainsFunc(f.Findings, func(g plan.Finding) bool { return g.Name == finding.Name })
}
