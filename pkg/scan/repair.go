package scan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// Repair plans and applies repairs of what a scan finds, and looks again afterwards.
type Repair struct {
	Scan   Options // what finds; its source is the Cluster that the client writes to
	Picks  []Pick  // nil: whatever is found
	Limits plan.Limits
	Writer
}

// Plan scans, and resolves what the findings wish against the objects as they are now.
func (r Repair) Plan(ctx context.Context) (plan.Plan, error) {
	run, err := r.Scan.start(ofScan)
	if err != nil {
		return plan.Plan{}, err
	}
	in, resolve, files, err := r.readPlanned(ctx, run)
	if err != nil {
		return plan.Plan{}, err
	}
	run.noteScope(in)
	if err := errors.Join(run.lookUp(ctx, in), r.lookUpPicks(ctx, run, in)); err != nil {
		return plan.Plan{}, err
	}
	d, err := run.judge(ctx, in)
	if err != nil {
		return plan.Plan{}, err
	}
	if err := r.lookUpFindings(run, d.Results); err != nil {
		return plan.Plan{}, err
	}
	var resolved []plan.Resolved
	var left []plan.Skipped
	beyond := r.clusterRead(d)
	for _, result := range d.Results {
		folded := beyond != nil && slices.Contains(beyond.Checks, result.Check.ID)
		if unseen := r.unseen(result); unseen != "" && r.asks(result.Check.ID) && !folded {
			left = append(left, plan.Skipped{Finding: plan.Finding{Check: result.Check.ID, Message: result.Check.Title}, Reason: unseen})
		}
		for i := range result.Findings {
			var candidates []plan.Candidate
			candidates, left = r.candidates(d, files, &result, i, left)
			for _, c := range candidates {
				resolved = append(resolved, resolve(ctx, c))
			}
		}
	}
	if ctx.Err() != nil {
		return plan.Plan{}, ctx.Err()
	}
	p := plan.NewPlan(r.cluster(d), d.Snapshot.TakenAt, resolved, left)
	p.ClusterRead = beyond
	if files != nil {
		p.Cluster = plan.Cluster{}
		p.Files = in.source.Files
		p.Unknown = files.unknown(d.Results)
	}
	return p, nil
}

// resolving is what turns a wish into steps.
type resolving = func(context.Context, plan.Candidate) plan.Resolved

// readPlanned reads what a plan is made of: a cluster, or files.
func (r Repair) readPlanned(ctx context.Context, run *run) (input, resolving, *offline, error) {
	source, ofFiles := run.Source.(Files)
	if ofFiles {
		source.raw = repaired(run.selected)
		run.Source = source
	}
	in, err := run.read(ctx)
	if err != nil || !ofFiles {
		return in, r.resolve, nil, err
	}
	if in.archive != nil {
		return in, nil, nil, errors.New("an archive holds what the checks read, not whole objects: " +
			"plan from manifests, such as kubectl get -o yaml prints")
	}
	if len(in.source.Unreadable) > 0 {
		return in, nil, nil, errors.New(in.source.Unreadable[0])
	}
	files, err := offlineFrom(in, source.Complete)
	if err != nil {
		return in, nil, nil, err
	}
	return in, func(_ context.Context, c plan.Candidate) plan.Resolved { return files.resolve(c) }, files, nil
}

// candidates are the wishes of a finding that are selected and allowed; what is left of it is added to the rest.
func (r Repair) candidates(d *Diagnosis, files *offline, of *check.Result, at int, left []plan.Skipped) ([]plan.Candidate, []plan.Skipped) {
	f := &of.Findings[at]
	selected, named := picked(r.Picks, f)
	if !selected || f.Suppressed != nil && !named {
		return nil, left // a suppressed finding is not repaired
	}
	if len(f.Fixes) == 0 {
		if aside := f.Severity == check.Info && len(r.Picks) == 0; !aside || len(of.Check.Repairs) > 0 {
			left = append(left, plan.Skipped{Finding: checks.Planned(f), Reason: "no automatic fix", Aside: aside, Next: r.byHand(f)})
		}
		return nil, left
	}
	var allowed []plan.Candidate
	for _, c := range chosen(r.Picks, f, checks.Candidates(d.Snapshot, d.Results, f)) {
		reason, advice := r.refuse(c, files)
		if reason == "" {
			allowed = append(allowed, c)
			continue
		}
		one := plan.Skipped{Finding: c.Finding, Title: fix.TraitsOf(c.Intent).Title, Reason: reason, Advice: advice, Next: r.byHand(f)}
		if len(left) == 0 || !left[len(left)-1].Alike(one) { // a thousand objects of a finding are left for one reason
			left = append(left, one)
		}
	}
	return allowed, left
}

// refuse is why an intent is not planned: what no flag would allow comes before what some would.
func (r Repair) refuse(c plan.Candidate, files *offline) (reason, advice string) {
	if c.Barred != nil {
		return c.Barred.Reason, c.Barred.Advice
	}
	reason, advice = r.Limits.Refuse(c)
	if reason == "" || files == nil {
		return reason, advice
	}
	var refused *fix.Refused
	if errors.As(files.resolve(c).Err, &refused) {
		return refused.Reason, refused.Advice
	}
	return reason, advice
}

// shownNext bounds what is said to do about a finding for which nothing is planned.
const shownNext = 2

// byHand is what a person can do about a finding.
func (r Repair) byHand(f *check.Reported) []plan.Next {
	var out []plan.Next
	for _, c := range f.ByHand(r.Scan.Asked) {
		if len(out) < shownNext {
			out = append(out, plan.Next{Text: c.Text, Command: c.Line})
		}
	}
	return out
}

func (r Repair) cluster(d *Diagnosis) plan.Cluster {
	return plan.Cluster{UID: r.Cluster, Namespace: r.Namespace, Server: d.Source.Server, Context: d.Source.Context}
}

// asks reports whether the picks are about a check: they name it, or nothing.
func (r Repair) asks(id string) bool {
	return len(r.Picks) == 0 || slices.ContainsFunc(r.Picks, func(p Pick) bool { return p.Check == id })
}

// clusterRead are the checks that are asked about and that a report tells in one line; nil: none.
func (r Repair) clusterRead(d *Diagnosis) *plan.ClusterRead {
	for _, one := range d.Report().ClusterRead { // of one cluster
		list := slices.DeleteFunc(one.Checks, func(id string) bool { return !r.asks(id) })
		if len(list) > 0 {
			return &plan.ClusterRead{Checks: list, Command: one.Command}
		}
	}
	return nil
}

// unseen is blind, and for a check that was named why it does not apply to files.
func (r Repair) unseen(result check.Result) string {
	if result.Status == check.NotApplicable && len(r.Picks) > 0 {
		return "the check does not apply to these files: " + result.Reason
	}
	return blind(result)
}

// blind says why a check did not look at everything; empty if it did. What was not looked at is not repaired, nor is it
// well: it is left. Subjects that a check read and cannot judge are no reason: a scan names them.
func blind(r check.Result) string {
	if r.Status != check.Skipped && len(r.Unseen) == 0 {
		return ""
	}
	reason := r.Reason
	if reason == "" && len(r.Unseen) > 0 {
		u := r.Unseen[0]
		what := strings.Fields(fmt.Sprintf("%s %s %s %s", u.Verb, u.Resource, u.Namespace, u.Name))
		reason = strings.Join(what, " ") + ": " + u.Reason
	}
	if more := len(r.Unseen) - 1; more > 0 {
		reason += fmt.Sprintf(" (and %d more)", more)
	}
	return "the check could not read everything: " + reason
}
