package checks

import (
	"context"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// review asks the API server about what findings say that an account may not do: roles only ever add, and another
// authorizer may allow what they do not. What it denies is proven, what it allows is no finding. Whoever may not ask learns
// nothing, and is not refused twice.
func (c Confirmer) review(ctx context.Context, results []Result) ([]Result, error) {
	out, asked := slices.Clone(results), 0
	for i := range out {
		r := &out[i]
		if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return len(f.Reviews) > 0 }) {
			continue
		}
		var kept []Finding
		for _, f := range r.Findings {
			allowed, all, err := c.allowed(ctx, f.Reviews, &asked)
			if err != nil {
				return nil, err
			}
			if len(f.Reviews) > 0 && len(allowed) == len(f.Reviews) {
				continue
			}
			if all && len(f.Reviews) > 0 {
				f.reviewed(allowed)
			}
			kept = append(kept, f)
		}
		if r.Findings = kept; r.Status == Failed && len(kept) == 0 {
			r.Status = Passed
		}
	}
	return out, nil
}

// allowed returns what of the questions is allowed, and whether there was an answer to all.
func (c Confirmer) allowed(ctx context.Context, list []snapshot.Review, asked *int) (allowed []snapshot.Review, all bool, err error) {
	for _, q := range list {
		if *asked++; *asked > maxConfirmed {
			return nil, false, nil
		}
		record, err := c.Fetch(ctx, snapshot.AccessReviews, q.Ref())
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case err != nil:
			*asked = maxConfirmed
			return nil, false, nil //nolint:nilerr // who may not ask goes on with what the roles say
		case record != nil:
			allowed = append(allowed, q)
		}
	}
	return allowed, true, nil
}

// reviewed writes down what the API server said.
func (f *Finding) reviewed(allowed []snapshot.Review) {
	f.Evidence = slices.Clone(f.Evidence)
	if len(allowed) == 0 {
		f.Certainty = Proven
		f.Evidence = append(f.Evidence, Evidence{Object: f.Object, Field: "access reviews", Value: fmt.Sprintf("the API server denies %d of %d", len(f.Reviews), len(f.Reviews))})
		return
	}
	for _, q := range allowed {
		f.Evidence = append(f.Evidence, Evidence{Object: f.Object, Field: "access review", Value: "another authorizer allows " + q.Request.String()})
	}
}
