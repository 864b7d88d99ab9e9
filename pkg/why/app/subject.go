package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// NotFoundError says that there is no such application, and which ones have a name like it.
type NotFoundError struct {
	Query Query
	Near  []string
}

func (e *NotFoundError) Error() string {
	what := "no application, schedule, SparkConnect server, SparkCluster or pod"
	if e.Query.Kind != "" {
		what = "no " + e.Query.Type()
	}
	in := ""
	if e.Query.Namespace != "" {
		in = " in namespace " + e.Query.Namespace
	}
	text := fmt.Sprintf("%s %q was found%s", what, e.Query.Name, in)
	if len(e.Near) > 0 {
		text += ": did you mean " + strings.Join(e.Near, ", ") + "?"
	}
	return text
}

// AmbiguousError says that several namespaces hold what is asked for.
type AmbiguousError struct {
	Query      Query
	Namespaces []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s exists in namespaces %s: say with -n which one is meant", e.Query.Name, strings.Join(e.Namespaces, ", "))
}

// Find returns what a query asks for of what a snapshot holds in full. A pod of an application leads to the application. One that is gone
// is found by the pods, events and queued work that are left of it.
func Find(s *snapshot.Snapshot, q Query) (snapshot.Ref, error) {
	found := map[string]snapshot.Ref{} // by namespace
	for _, src := range subjects() {
		if len(found) > 0 || !q.Asks(src) {
			continue
		}
		for _, w := range s.InFull(src.View) {
			if w.Name == q.Name && q.in(w.Namespace) {
				found[w.Namespace] = driverOf(s, w.Ref)
			}
		}
	}
	if len(found) == 0 {
		found = leftovers(s, q)
	}
	if len(found) == 0 {
		found = called(s, q)
	}
	if len(found) == 0 {
		found = deletedIn(s, q)
	}
	switch len(found) {
	case 0:
		return snapshot.Ref{}, &NotFoundError{q, spelling.Near(q.Name, namesIn(s, q), MaxNear)}
	case 1:
		for _, ref := range found {
			return application(s, ref), nil
		}
	}
	e := &AmbiguousError{Query: q}
	for namespace := range found {
		e.Namespaces = append(e.Namespaces, namespace)
	}
	slices.Sort(e.Namespaces)
	return snapshot.Ref{}, e
}

// driverOf is the driver of an application of the Apache Spark Kubernetes Operator, if it is there: it leads to the object, and to what
// else is known of the run.
func driverOf(s *snapshot.Snapshot, ref snapshot.Ref) snapshot.Ref {
	if ref.Group() != snapshot.ApacheGroup {
		return ref
	}
	driver, is := called(s, QueryFor(ref))[ref.Namespace]
	if !is || !slices.ContainsFunc(s.InFull(snapshot.WholePods), func(p snapshot.Whole) bool {
		return p.Key() == driver.Key() && whole.Label(&p, snapshot.RoleLabel) == "driver"
	}) {
		return ref
	}
	return driver
}

// application is the application that a pod belongs to, by its labels, if that was seen.
func application(s *snapshot.Snapshot, ref snapshot.Ref) snapshot.Ref {
	if ref.Kind != "Pod" {
		return ref
	}
	for _, p := range s.InFull(snapshot.WholePods) {
		if p.Key() != ref.Key() {
			continue
		}
		for label, v := range map[string]snapshot.View{labelApplication: snapshot.WholeApplications, labelConnect: snapshot.WholeConnects} {
			for _, app := range s.InFull(v) {
				if app.Namespace == p.Namespace && app.Name == whole.Label(&p, label) {
					return app.Ref
				}
			}
		}
	}
	return ref
}

// leftovers finds what is left of an application that is gone.
func leftovers(s *snapshot.Snapshot, q Query) map[string]snapshot.Ref {
	found := map[string]snapshot.Ref{}
	if q.Kind == "Pod" {
		return found
	}
	kinds := []string{q.Kind}
	if q.Kind == "" {
		kinds = []string{"SparkApplication", schedule, "SparkConnect", cluster}
	}
	add := func(group, kind, namespace, name string) {
		chosen := q.Group == "" || group == "" || q.Group == group
		if name == q.Name && slices.Contains(kinds, kind) && chosen && q.in(namespace) {
			if _, known := found[namespace]; !known {
				found[namespace] = Query{kind, q.Group, namespace, name}.Ref()
			}
		}
	}
	for _, p := range s.InFull(snapshot.WholePods) {
		add(snapshot.SparkGroup, "SparkApplication", p.Namespace, whole.Label(&p, labelApplication))
		add(snapshot.SparkGroup, "SparkConnect", p.Namespace, whole.Label(&p, labelConnect))
	}
	for _, v := range []snapshot.View{snapshot.WholeEvents, snapshot.WholeWorkloads, snapshot.WholeVolcanoPodGroups} {
		for _, w := range s.InFull(v) {
			for _, of := range slices.Concat(whole.About(&w), whole.Owners(&w)) {
				add(of.Group(), of.Kind, w.Namespace, of.Name)
				if of.Kind == "Pod" && podOf("SparkApplication", q.Name, of.Name) {
					add("", "SparkApplication", w.Namespace, q.Name)
				}
			}
		}
	}
	return found
}

// called finds applications that another than our operator started, by a label that names them: of each namespace the driver that was
// created last, because a job that is tried again, or runs every day, keeps its name.
func called(s *snapshot.Snapshot, q Query) map[string]snapshot.Ref {
	newest := map[string]*snapshot.Whole{}
	if q.Group == snapshot.SparkGroup {
		return nil
	}
	pods := s.InFull(snapshot.WholePods)
	for i := range pods {
		p := &pods[i]
		named := slices.ContainsFunc(snapshot.AppNameLabels(q.Kind), func(label string) bool { return whole.Label(p, label) == q.Name })
		if !named || whole.Label(p, labelSelector) == "" || !q.in(p.Namespace) {
			continue
		}
		if last := newest[p.Namespace]; last == nil || later(p, last) {
			newest[p.Namespace] = p
		}
	}
	out := map[string]snapshot.Ref{}
	for namespace, p := range newest {
		out[namespace] = p.Ref
	}
	return out
}

// later reports whether a pod stands for an application rather than another one: drivers before others, then by creation.
func later(a, b *snapshot.Whole) bool {
	driver := func(p *snapshot.Whole) int {
		if whole.Label(p, snapshot.RoleLabel) == "driver" {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(driver(a), driver(b)), a.Created.Compare(b.Created), cmp.Compare(a.Name, b.Name)) > 0
}

// namesIn are the names that could have been meant.
func namesIn(s *snapshot.Snapshot, q Query) []string {
	var out []string
	for _, src := range subjects() {
		for _, w := range s.InFull(src.View) {
			if q.Asks(src) && q.in(w.Namespace) {
				out = append(out, w.Name)
			}
		}
	}
	return out
}

// MaxNear is how many names are offered for one that does not exist.
const MaxNear = 5
