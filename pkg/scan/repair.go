package scan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
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
	if err := errors.Join(run.lookUp(ctx, in), r.lookUpPicks(run, in)); err != nil {
		return plan.Plan{}, err
	}
	d, err := run.judge(ctx, in)
	if err != nil {
		return plan.Plan{}, err
	}
	r.noteGone(d.Results)
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
			candidates, left = r.candidates(d, result.Check, &result.Findings[i], left)
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
func (r Repair) candidates(d *Diagnosis, c check.Check, f *check.Reported, left []plan.Skipped) ([]plan.Candidate, []plan.Skipped) {
	selected, named := picked(r.Picks, f)
	if !selected || f.Suppressed != nil && !named {
		return nil, left // what somebody accepts is not repaired
	}
	if len(f.Fixes) == 0 {
		if f.Severity > check.Info {
			left = append(left, plan.Skipped{Finding: checks.Planned(f), Reason: "no automatic fix",
				Advice: r.advice(f)})
		}
		return nil, left
	}
	var allowed []plan.Candidate
	for _, c := range chosen(r.Picks, f, checks.Candidates(d.Snapshot, d.Results, f)) {
		reason, advice := r.Limits.Refuse(c)
		if reason == "" {
			allowed = append(allowed, c)
			continue
		}
		one := plan.Skipped{Finding: c.Finding, Title: fix.TraitsOf(c.Intent).Title, Reason: reason, Advice: advice}
		if len(left) == 0 || left[len(left)-1] != one { // a thousand objects of a finding are left for one reason
			left = append(left, one)
		}
	}
	return allowed, left
}

// advice is the first thing that a person can do about a finding.
func (r Repair) advice(f *check.Reported) string {
	list := f.Commands(r.Scan.Asked, false)
	switch {
	case len(list) == 0:
		return ""
	case list[0].Line == "":
		return list[0].Text
	default:
		return list[0].Text + ": " + list[0].Line
	}
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

// offline resolves wishes against the objects as they stand in files, and notes what these do not tell.
type offline struct {
	objects  map[snapshot.Key]*fix.Object
	complete bool // what is not in the files does not exist
	unowned  int  // objects to be written whose managedFields the files lack
	listed   bool // a fix depends on which pods exist
}

// repaired are the kinds whose objects repairs of some checks read.
func repaired(list []check.Check) map[snapshot.GroupKind]bool {
	kinds := map[snapshot.GroupKind]bool{}
	for _, c := range list {
		for _, intent := range c.Repairs {
			for _, read := range fix.TraitsOf(intent).Reads {
				kinds[read.Ref.GroupKind()] = true
			}
		}
	}
	return kinds
}

// offlineFrom decodes what the files hold.
func offlineFrom(in input, complete bool) (*offline, error) {
	o := &offline{objects: map[snapshot.Key]*fix.Object{}, complete: complete}
	for key, raw := range in.raw {
		one := new(unstructured.Unstructured)
		if err := one.UnmarshalJSON(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", key.Name, err)
		}
		o.objects[key] = one
	}
	return o, nil
}

// resolve is what the wish needs, if the files hold all that it depends on.
func (o *offline) resolve(c plan.Candidate) plan.Resolved {
	fresh := fix.NewFresh()
	for _, read := range fix.TraitsOf(c.Intent).Reads {
		if read.Selector != "" {
			o.listed = o.listed || !o.complete
			fresh.PutList(read, o.matching(read))
			continue
		}
		one := o.objects[read.Ref.Key()]
		switch {
		case one != nil:
			fresh.Put(one)
		case !o.complete:
			return plan.Resolved{Candidate: c, Err: &fix.Refused{
				Reason: fmt.Sprintf("the files do not hold %s, on which the fix depends", read.Ref),
				Advice: "pass --complete if the files are a full dump, or add it if it exists",
			}}
		}
	}
	r := plan.ResolvedFrom(c, fresh)
	if target := fresh.Object(fix.TraitsOf(c.Intent).Target); r.Err == nil && target != nil && len(target.GetManagedFields()) == 0 {
		o.unowned++
	}
	return r
}

// matching are the objects of a namespace that a selector selects, by name.
func (o *offline) matching(read fix.Read) []*fix.Object {
	selector, err := labels.Parse(read.Selector)
	if err != nil {
		return nil
	}
	var out []*fix.Object
	for key, one := range o.objects {
		if key.GroupKind == read.Ref.GroupKind() && key.Namespace == read.Ref.Namespace && selector.Matches(labels.Set(one.GetLabels())) {
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(a, b *fix.Object) int { return refKey(a).Compare(refKey(b)) })
	return out
}

func refKey(o *fix.Object) snapshot.Ref {
	return snapshot.Ref{Namespace: o.GetNamespace(), Name: o.GetName()}
}

// unknown is what a plan from files leaves open.
func (o *offline) unknown(results []check.Result) []string {
	out := []string{
		"whether the objects changed after the files were written",
		"whether your account may write them, and whether the webhooks accept it (--dry-run=server asks the cluster)",
	}
	if o.unowned > 0 {
		out = append(out, fmt.Sprintf("whether Helm, Argo CD or Flux would revert the change: %s without managedFields "+
			"(kubectl get --show-managed-fields prints them)", phrase.Counted(o.unowned, "object")))
	}
	if o.listed {
		out = append(out, "which pods exist beyond those in the files (--complete says there are none)")
	}
	n := 0
	for _, r := range results {
		if r.Status == check.NotApplicable && len(r.Check.Repairs) > 0 {
			n++
		}
	}
	if n > 0 {
		out = append(out, fmt.Sprintf("what %s with fixes would find: they could not run on these files (scan -o wide says what is missing)",
			phrase.Counted(n, "check")))
	}
	return out
}
