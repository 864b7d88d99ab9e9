package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// review asks the API server about what findings say that an account may not do: roles only ever add, and another
// authorizer may allow what they do not. What it denies is proven, what it allows is no finding.
func (c Confirmer) review(ctx context.Context, results []Result) ([]Result, error) {
	answers, err := c.ask(ctx, questions(results))
	if err != nil {
		return nil, err
	}
	out := slices.Clone(results)
	for i := range out {
		r := &out[i]
		if !slices.ContainsFunc(r.Findings, func(f Reported) bool { return len(f.Reviews) > 0 }) {
			continue
		}
		var kept []Reported
		for _, f := range r.Findings {
			if f.holds(answers) {
				kept = append(kept, f)
			}
		}
		if r.Findings = kept; r.Status == Failed && len(kept) == 0 {
			r.Status = Passed
		}
	}
	return out, nil
}

// questions are what findings want to know, each once, up to maxConfirmed.
func questions(results []Result) []snapshot.Review {
	var out []snapshot.Review
	known := map[snapshot.Review]bool{}
	for _, r := range results {
		for _, f := range r.Findings {
			for _, q := range f.Reviews {
				if !known[q] && len(out) < maxConfirmed {
					known[q] = true
					out = append(out, q)
				}
			}
		}
	}
	return out
}

// ask returns what of a list is allowed; what there was no answer to is not in it. The first question goes alone, and nothing
// is asked after a failure: a user without the right to ask gets one refusal, and a slow server gets no more requests.
func (c Confirmer) ask(ctx context.Context, list []snapshot.Review) (map[snapshot.Review]bool, error) {
	answers := map[snapshot.Review]bool{}
	for from, to := 0, min(1, len(list)); from < to && len(answers) == from; from, to = to, min(to+fetchedAtOnce, len(list)) {
		part := list[from:to]
		var asked []snapshot.Update
		for _, q := range part {
			asked = append(asked, snapshot.Update{View: snapshot.AccessReviews, Ref: q.Ref()})
		}
		records, failed := c.fetch(ctx, asked)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for i, q := range part {
			if failed[i] == nil {
				answers[q] = records[i] != nil
			}
		}
	}
	return answers, nil
}

// holds reports whether a finding does after the API server was asked, and writes down what it said if it said all.
func (f *Finding) holds(answers map[snapshot.Review]bool) bool {
	if len(f.Reviews) == 0 {
		return true
	}
	var allowed []snapshot.Review
	for _, q := range f.Reviews {
		yes, answered := answers[q]
		if !answered {
			return true
		}
		if yes {
			allowed = append(allowed, q)
		}
	}
	if len(allowed) == len(f.Reviews) {
		return false
	}
	f.reviewed(allowed)
	return true
}

// reviewed writes down what the API server said.
func (f *Finding) reviewed(allowed []snapshot.Review) {
	f.Evidence = slices.Clone(f.Evidence)
	if len(allowed) == 0 {
		f.Certainty = Proven
		f.Evidence = append(f.Evidence, Evidence{Object: f.Object, Field: "access reviews",
			Value: fmt.Sprintf("the API server denies %d of %d", len(f.Reviews), len(f.Reviews))})
		return
	}
	for _, q := range allowed {
		f.Evidence = append(f.Evidence, Evidence{Object: f.Object, Field: "access review",
			Value: "another authorizer allows " + q.Request.String()})
	}
}
