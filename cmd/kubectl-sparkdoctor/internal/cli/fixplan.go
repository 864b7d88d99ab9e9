package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// planAgain reads a plan file, runs the checks of its findings, and resolves those of its fixes that they still wish. The
// file only chooses, and bounds, what is written: everything that is shown and sent comes from the cluster.
func (o *fixOptions) planAgain(ctx context.Context, w *writer, uid string) (fix.Plan, error) {
	file, err := o.readPlan(ctx, uid)
	if err != nil {
		return fix.Plan{}, err
	}
	d, err := o.findAgain(ctx, w, file)
	if err != nil {
		return fix.Plan{}, err
	}
	var resolved []fix.Resolved
	left := map[int]bool{} // fixes that are not applied
	for _, f := range file.Fixes {
		list, err := o.again(ctx, w, d, f)
		if at := slices.IndexFunc(f.After, func(id int) bool { return left[id] }); at >= 0 && err == nil {
			err = &fix.Stale{Reason: fmt.Sprintf("it waits for fix %d", f.After[at])}
		}
		switch {
		case isDone(err):
			w.print(fix.Flat(fmt.Sprintf("fix %d of %s already done: %v", f.ID, o.plan, err)) + "\n")
		case isStale(err) || isRefused(err):
			left[f.ID], w.moved = true, true
			w.print(fix.Flat(fmt.Sprintf("fix %d of %s %s: %s: %s: %v", f.ID, o.plan, statusOf(err), f.Traits().Target, f.Title, err)) + "\n")
		case err != nil:
			return fix.Plan{}, err
		}
		if err == nil {
			resolved = append(resolved, list...)
		}
	}
	cluster := fix.Cluster{UID: uid, Server: d.source.Server, Context: d.source.Context}
	return fix.NewPlan(cluster, d.snapshot.TakenAt, resolved, nil), nil
}

// readPlan reads a plan file, and refuses that of another cluster.
func (o *fixOptions) readPlan(ctx context.Context, uid string) (fix.Plan, error) {
	in, err := collect.Open(ctx, o.plan)
	if err != nil {
		return fix.Plan{}, err
	}
	defer func() { _ = in.Close() }()
	plan, err := fix.ReadPlan(in)
	switch {
	case isRefused(err):
		return fix.Plan{}, refusal("%s: %v", o.plan, err)
	case err != nil:
		return fix.Plan{}, fmt.Errorf("%s %w", o.plan, err)
	case plan.Cluster.UID != uid:
		return fix.Plan{}, refusal("%s was made for another cluster (%s)", o.plan, plan.Cluster.Server)
	}
	for i, f := range plan.Fixes {
		for n, finding := range f.Findings {
			if _, err := checks.Lookup(checks.All(), finding.Check); err != nil {
				return fix.Plan{}, refusal("%s: fixes[%d].findings[%d].check: %v", o.plan, i, n, err)
			}
		}
	}
	return plan, nil
}

// findAgain runs the checks of a plan's findings. What is missing is fetched again when a fix is resolved.
func (o *fixOptions) findAgain(ctx context.Context, w *writer, plan fix.Plan) (diagnosis, error) {
	var findings []fix.Finding
	for _, f := range plan.Fixes {
		findings = append(findings, f.Findings...)
	}
	scan, err := o.checking(ctx, findings)
	if err != nil {
		return diagnosis{}, err
	}
	in, err := scan.read(ctx, w.streams)
	if err != nil {
		return diagnosis{}, err
	}
	in.confirm = nil
	return scan.judge(ctx, in)
}

// again resolves a fix of a plan for each of its findings that is still there. The error is Done, Stale or Refused, or what
// went wrong.
func (o *fixOptions) again(ctx context.Context, w *writer, d diagnosis, f fix.Fix) ([]fix.Resolved, error) {
	var out []fix.Resolved
	var last error
	for _, finding := range f.Findings {
		candidates, err := candidatesOf(d, finding)
		if err != nil {
			last = err
			continue
		}
		c, err := f.Again(candidates)
		if err != nil {
			last = err
			continue
		}
		c.Named = true
		if reason, advice := o.limits.Refuse(c); reason != "" {
			return nil, refusal("fix %d of %s: %s: %s", f.ID, o.plan, reason, advice)
		}
		fresh, err := w.client.Fetch(ctx, fix.TraitsOf(c.Intent).Reads)
		if err != nil {
			return nil, err
		}
		r := f.ResolvedWithin(c, fresh)
		if r.Err != nil {
			return nil, r.Err
		}
		out = append(out, r)
	}
	if len(out) > 0 {
		return out, nil
	}
	fresh, err := w.client.Fetch(ctx, []fix.Read{{Ref: f.Traits().Target}})
	if err != nil {
		return nil, err
	}
	return nil, f.Gone(fresh, last)
}

// candidatesOf returns what the checks wish for a finding now; the error is Stale if it is not found.
func candidatesOf(d diagnosis, finding fix.Finding) ([]fix.Candidate, error) {
	for _, r := range d.results {
		if r.Check.ID != finding.Check {
			continue
		}
		for i := range r.Findings {
			if g := &r.Findings[i]; g.Fingerprint() == finding.Name {
				return checks.Candidates(d.snapshot, d.results, g), nil
			}
		}
		if unseen := blind(r); unseen != "" {
			return nil, &fix.Stale{Reason: finding.Check + ": " + unseen}
		}
	}
	return nil, &fix.Stale{Reason: finding.Check + " does not find it any more"}
}

func isStale(err error) bool {
	var stale *fix.Stale
	return errors.As(err, &stale)
}

func isRefused(err error) bool {
	var refused *fix.Refused
	return errors.As(err, &refused)
}

// statusOf is the word for a fix that is not applied.
func statusOf(err error) string {
	if isRefused(err) {
		return "refused"
	}
	return "stale"
}
