package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Bar notes at each finding what fix refuses of its intents, as far as the snapshot shows: a scan offers what fix would plan. Fix looks at
// the objects themselves, and may refuse more: what a deployment tool owns, and what moved.
func Bar(s *snapshot.Snapshot, results []check.Result) {
	b := &bars{s: s, results: results}
	for _, r := range results {
		for i := range r.Findings {
			f := &r.Findings[i]
			f.Barred = make([]*fix.Refused, len(f.Fixes))
			for k, intent := range f.Fixes {
				f.Barred[k] = b.of(intent)
			}
		}
	}
}

// bars know what stands against intents.
type bars struct {
	s       *snapshot.Snapshot
	results []check.Result
	held    map[snapshot.Key]bool // what the snapshot holds; nil until it is asked
	parts   map[[2]string][]snapshot.Ref
}

func (b *bars) of(intent fix.Intent) *fix.Refused {
	if list := obstacles(b.s, b.results, intent); len(list) > 0 {
		return &fix.Refused{Reason: "the webhook that must admit it does not work", Advice: "repair " + list[0].Check + " first"}
	}
	switch i := intent.(type) {
	case fix.SetFailurePolicy:
		return b.policy(i)
	case fix.RemoveFinalizer:
		if refused := i.Guards(); refused != nil {
			return refused
		}
		if refused := b.unrecorded(i); refused != nil {
			return refused
		}
		if left := b.guarded(i); len(left) > 0 {
			return fix.StillThere(left)
		}
	}
	return b.notHeld(intent)
}

// policy is what SetFailurePolicy refuses: a path that is not proven to be healthy, and a webhook that would stop the control plane.
func (b *bars) policy(i fix.SetFailurePolicy) *fix.Refused {
	if why := unproven(b.s, b.results, i.Configuration); why != "" {
		return i.NotProven(why)
	}
	list := b.s.MutatingWebhooks()
	for k := range list {
		if list[k].Key() != i.Configuration.Key() {
			continue
		}
		for _, w := range list[k].Webhooks {
			if w.FailurePolicy != "Ignore" || !slices.Contains(i.Webhooks, w.Name) || w.ObjectSelector != nil {
				continue
			}
			for _, namespace := range []string{"kube-system", i.Operator} {
				if yes, known := w.Selects(namespace, b.namespace(namespace)); yes && known {
					return i.Reaches(w.Name, namespace)
				}
			}
		}
	}
	return nil
}

func (b *bars) namespace(name string) *snapshot.Object {
	list := b.s.AllNamespaces()
	if at := slices.IndexFunc(list, func(o snapshot.Object) bool { return o.Name == name }); at >= 0 {
		return &list[at]
	}
	return nil
}

// unrecorded is what keeps a driver whose application does not have its result.
func (b *bars) unrecorded(i fix.RemoveFinalizer) *fix.Refused {
	if i.App == (snapshot.Ref{}) {
		return nil
	}
	for _, app := range b.s.SparkApplications() {
		if app.Key() == i.App.Key() && !app.Ended() {
			return i.NotRecorded(app.State)
		}
	}
	return nil
}

// guarded are the parts of an application that its finalizer may guard.
func (b *bars) guarded(i fix.RemoveFinalizer) []snapshot.Ref {
	if i.Object.Kind != "SparkApplication" {
		return nil
	}
	if b.parts == nil {
		b.parts = map[[2]string][]snapshot.Ref{}
		b.index()
	}
	return b.parts[[2]string{i.Object.Namespace, i.Object.Name}]
}

// index notes of each application that is being deleted what would be left of it. Executors go with their driver.
func (b *bars) index() {
	uids := map[[2]string]string{}
	for _, app := range b.s.SparkApplications() {
		if app.Terminating() {
			uids[[2]string{app.Namespace, app.Name}] = app.UID
		}
	}
	add := func(o *snapshot.Object, running, executor bool) {
		key := [2]string{o.Namespace, o.Labels.Get(snapshot.AppNameLabel)}
		uid, going := uids[key]
		owned := slices.ContainsFunc(o.Owners, func(r snapshot.OwnerReference) bool { return r.UID == uid })
		if going && (running || !owned && !executor) {
			b.parts[key] = append(b.parts[key], o.Ref)
		}
	}
	for _, pod := range b.s.SparkPods() {
		add(&pod.Object, pod.Alive(), pod.Role() == facts.ExecutorRole)
	}
	for _, v := range snapshot.DependentViews() {
		if kind := facts.KindOf(v).Kind; !slices.Contains([]string{"Service", "Ingress", "PersistentVolumeClaim"}, kind) {
			continue
		}
		list := b.s.Dependents(v)
		for k := range list {
			add(&list[k], false, false)
		}
	}
}

// notHeld is the first object on which an intent depends and which plain files do not hold, unless they are declared to be everything.
func (b *bars) notHeld(intent fix.Intent) *fix.Refused {
	if !b.s.Files || b.s.Whole {
		return nil
	}
	if b.held == nil {
		b.held = map[snapshot.Key]bool{}
		b.s.Any(func(o *snapshot.Object) bool { b.held[o.Key()] = true; return false })
	}
	for _, read := range fix.TraitsOf(intent).Reads {
		if read.Selector == "" && !b.held[read.Ref.Key()] {
			return fix.NotHeld(read.Ref)
		}
	}
	return nil
}
