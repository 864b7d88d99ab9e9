package collect

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	quantity "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// listPods reads the pods of the application: those that are no executors first, so that no number of executors hides the driver.
func (r *reader) listPods(ctx context.Context) {
	if len(r.selectors) == 0 {
		r.saw(snapshot.WholePods, true)
		return
	}
	for _, selector := range r.selectors {
		for _, part := range []string{snapshot.RoleLabel + "!=executor", snapshot.RoleLabel + "=executor"} {
			found, more, err := r.list(ctx, snapshot.WholePods, wanted{namespace: r.namespace, labels: selector + "," + part, most: fullPods})
			r.add(snapshot.WholePods, found...)
			r.pods = append(r.pods, found...)
			if err == nil {
				r.saw(snapshot.WholePods, !more, r.beyond(more, "pods", fullPods)...)
				continue
			}
			if driver := r.get(ctx, snapshot.WholePods, r.driver); driver != nil && !slices.ContainsFunc(r.pods, sameAs(driver)) {
				r.pods = append(r.pods, driver) // who may not list pods may be allowed to get one
			}
		}
	}
}

func sameAs(w *snapshot.Whole) func(*snapshot.Whole) bool {
	return func(other *snapshot.Whole) bool { return other.Key() == w.Key() }
}

// beyond is what a listing held beyond what is read of it.
func (r *reader) beyond(more bool, resource string, most int) []snapshot.Unseen {
	if !more {
		return nil
	}
	return []snapshot.Unseen{{
		Verb: "list", Resource: resource, Namespace: r.namespace, Reason: "more than " + strconv.Itoa(most) + " are not read for one application",
		Obstacle: snapshot.TooLarge,
	}}
}

// around reads a kind in the namespace of the application.
func (r *reader) around(v snapshot.View) func(context.Context) {
	return func(ctx context.Context) {
		found, more, err := r.list(ctx, v, wanted{namespace: r.namespace, most: fullAround})
		r.add(v, found...)
		if err != nil {
			return
		}
		src, _ := snapshot.SourceOf(v)
		if _, served := r.resource(src); served == nil {
			r.saw(v, !more, r.beyond(more, src.Resource, fullAround)...)
		}
		if more {
			r.named(ctx, v)
		}
	}
}

// quotas reads those of the namespace and, if one of them is more than half used, the pods that use it.
func (r *reader) quotas(ctx context.Context) {
	found, more, err := r.list(ctx, snapshot.WholeQuotas, wanted{namespace: r.namespace, most: fullAround})
	r.add(snapshot.WholeQuotas, found...)
	if err != nil {
		return
	}
	r.saw(snapshot.WholeQuotas, !more, r.beyond(more, "resourcequotas", fullAround)...)
	if !slices.ContainsFunc(found, halfUsed) {
		return
	}
	pods, _, err := r.list(ctx, snapshot.WholeNeighbors, wanted{
		namespace: r.namespace, fields: "status.phase!=Succeeded,status.phase!=Failed", most: fullPage,
	})
	for _, p := range pods {
		if err == nil && !r.has(snapshot.WholePods, p) {
			r.add(snapshot.WholeNeighbors, p)
		}
	}
}

func halfUsed(quota *snapshot.Whole) bool {
	allowed, used := whole.QuotaOf(quota)
	for name, limit := range allowed {
		hard, err := quantity.ParseQuantity(limit)
		have, badUse := quantity.ParseQuantity(used[name])
		if err == nil && badUse == nil && 2*have.AsApproximateFloat64() > hard.AsApproximateFloat64() {
			return true
		}
	}
	return false
}

// named gets what pods of the application name, where a namespace holds too much to read all of it.
func (r *reader) named(ctx context.Context, v snapshot.View) {
	var names []string
	for _, w := range r.pods {
		switch p := whole.PodOf(w); v {
		case snapshot.WholeAccounts:
			names = append(names, p.ServiceAccount)
		case snapshot.WholeClaims:
			names = append(names, p.Claims...)
		case snapshot.WholeConfigMaps:
			names = append(names, p.ConfigMaps...)
		}
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
	for _, name := range names[:min(len(names), manyNames)] {
		r.get(ctx, v, name)
	}
}

// maxAsked is how many objects are asked for their events, one by one.
const maxAsked = 20

// events reads those of the namespace, or, of a namespace with very many, those about the application, its pods, and their claims. Events
// about nodes are in the namespace default.
func (r *reader) events(ctx context.Context) {
	found, more, err := r.list(ctx, snapshot.WholeEvents, wanted{namespace: r.namespace, most: fullEvents})
	if err != nil && !more {
		return
	}
	r.add(snapshot.WholeEvents, found...)
	if err != nil {
		return
	}
	r.saw(snapshot.WholeEvents, !more, r.beyond(more, "events", fullEvents)...)
	if more {
		for _, name := range r.askedAbout() {
			if r.eventsOf(ctx, r.namespace, "involvedObject.name="+name) != nil {
				return
			}
		}
	}
	for _, node := range r.nodesOfPods() {
		if r.eventsOf(ctx, metav1.NamespaceDefault, "involvedObject.kind=Node,involvedObject.name="+node) != nil {
			return
		}
	}
}

// eventsOf reads the events about one object; those about nodes are in the namespace default.
func (r *reader) eventsOf(ctx context.Context, namespace, selector string) error {
	found, _, err := r.list(ctx, snapshot.WholeEvents, wanted{namespace: namespace, fields: selector, most: fullPage})
	r.add(snapshot.WholeEvents, found...)
	return err
}

// askedAbout are the names of the application, and of the pods that have the most to tell.
func (r *reader) askedAbout() []string {
	names := slices.Concat(r.apps, r.schedules, r.connects, []string{r.apache})
	for _, p := range r.failedFirst() {
		names = append(names, p.Name)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !validSegment(name) })
	return names[:min(len(names), maxAsked)]
}

// failedFirst sorts pods: what is no executor first, then what does not run well, then by name.
func (r *reader) failedFirst() []*snapshot.Whole {
	list := slices.Clone(r.pods)
	rank := func(w *snapshot.Whole) int {
		switch {
		case !isExecutor(w):
			return 0
		case hasProblem(w):
			return 1
		case whole.PodOf(w).Phase == "Pending":
			return 2
		default:
			return 3
		}
	}
	slices.SortStableFunc(list, func(a, b *snapshot.Whole) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), b.Created.Compare(a.Created), cmp.Compare(a.Name, b.Name))
	})
	return list
}
