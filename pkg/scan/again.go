package scan

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// Dropped is a fix of a plan file that is not applied. Its error is fix.Done, fix.Stale or fix.Refused.
type Dropped struct {
	Fix plan.Fix
	Err error
}

// NotAllowedError says that the limits do not allow a fix of a plan file.
type NotAllowedError struct {
	Fix            int // its id
	Reason, Advice string
}

func (e *NotAllowedError) Error() string {
	return fmt.Sprintf("fix %d: %s: %s", e.Fix, e.Reason, e.Advice)
}

// PlanAgain runs the checks of a plan file's findings, and resolves those of its fixes that they still wish. The file only
// chooses, and bounds, what is written: everything that is shown and sent comes from the cluster. What is dropped is returned
// with an error, too.
func (r Repair) PlanAgain(ctx context.Context, file plan.Plan) (plan.Plan, []Dropped, error) {
	if !r.of(file.Cluster) {
		return plan.Plan{}, nil, &OtherClusterError{file.Cluster.Server}
	}
	var findings []plan.Finding
	for i, f := range file.Fixes {
		for n, finding := range f.Findings {
			if _, err := check.Lookup(checks.All(), finding.Check); err != nil {
				return plan.Plan{}, nil, &fix.Refused{Reason: fmt.Sprintf("fixes[%d].findings[%d].check: %v", i, n, err)}
			}
			findings = append(findings, finding)
		}
	}
	d, err := r.findAgain(ctx, findings)
	if err != nil {
		return plan.Plan{}, nil, err
	}
	var resolved []plan.Resolved
	var dropped []Dropped
	left := map[int]bool{} // fixes that are not applied
	for _, f := range file.Fixes {
		list, err := r.again(ctx, d, f)
		if at := slices.IndexFunc(f.After, func(id int) bool { return left[id] }); at >= 0 && err == nil {
			err = &fix.Stale{Reason: fmt.Sprintf("it waits for fix %d", f.After[at])}
		}
		var done *fix.Done
		var stale *fix.Stale
		var refused *fix.Refused
		switch {
		case err == nil:
			resolved = append(resolved, list...)
		case errors.As(err, &done):
			dropped = append(dropped, Dropped{f, err})
		case errors.As(err, &stale), errors.As(err, &refused):
			left[f.ID] = true
			dropped = append(dropped, Dropped{f, err})
		default:
			return plan.Plan{}, dropped, err
		}
	}
	return plan.NewPlan(r.cluster(d), d.Snapshot.TakenAt, resolved, nil), dropped, nil
}

// findAgain runs the checks that found what is or was to be repaired, and those that say whether a write can pass the
// operator's webhooks: SD1001 is an error by them. What is missing is fetched again when a fix is resolved.
func (r Repair) findAgain(ctx context.Context, findings []plan.Finding) (*Diagnosis, error) {
	run, err := r.Scan.start(ofScan)
	if err != nil {
		return nil, err
	}
	run.selected = slices.DeleteFunc(run.selected, func(c check.Check) bool {
		return !slices.Contains(checks.AdmissionChecks(), c.ID) &&
			!slices.ContainsFunc(findings, func(f plan.Finding) bool { return f.Check == c.ID })
	})
	in, err := run.read(ctx)
	if err != nil {
		return nil, err
	}
	in.confirm = nil
	return run.judge(ctx, in)
}

// again resolves a fix of a plan for each of its findings that is still there. The error is Done, Stale or Refused, or what
// went wrong.
func (r Repair) again(ctx context.Context, d *Diagnosis, f plan.Fix) ([]plan.Resolved, error) {
	var out []plan.Resolved
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
		if reason, advice := r.Limits.Refuse(c); reason != "" {
			return nil, &NotAllowedError{f.ID, reason, advice}
		}
		fresh, err := r.Client.Fetch(ctx, fix.TraitsOf(c.Intent).Reads)
		if err != nil {
			return nil, err
		}
		resolved := f.ResolvedWithin(c, fresh)
		if resolved.Err != nil {
			return nil, resolved.Err
		}
		out = append(out, resolved)
	}
	if len(out) > 0 {
		return out, nil
	}
	fresh, err := r.Client.Fetch(ctx, []fix.Read{{Ref: f.Traits().Target}})
	if err != nil {
		return nil, err
	}
	return nil, f.Gone(fresh, last)
}

// candidatesOf returns what the checks wish for a finding now; the error is Stale if it is not found.
func candidatesOf(d *Diagnosis, finding plan.Finding) ([]plan.Candidate, error) {
	for _, r := range d.Results {
		if r.Check.ID != finding.Check {
			continue
		}
		for i := range r.Findings {
			if g := &r.Findings[i]; g.Fingerprint() == finding.Name {
				return checks.Candidates(d.Snapshot, d.Results, g), nil
			}
		}
		if unseen := blind(r); unseen != "" {
			return nil, &fix.Stale{Reason: finding.Check + ": " + unseen}
		}
	}
	return nil, &fix.Stale{Reason: finding.Check + " does not find it any more"}
}
