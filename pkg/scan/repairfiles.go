package scan

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

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
			return plan.Resolved{Candidate: c, Err: fix.NotHeld(read.Ref)}
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
