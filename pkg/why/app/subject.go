package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// Query is the application that a user asks for.
type Query struct {
	// Kind is SparkApplication, ScheduledSparkApplication, SparkConnect, Pod or SparkCluster; empty: the first of these that has the name.
	Kind      string
	Namespace string // empty: whichever of the input has it
	Name      string
}

// ParseQuery reads NAME, TYPE/NAME with the types as kubectl takes them, or NAMESPACE/NAME.
func ParseQuery(text, namespace string) (Query, error) {
	kind, name, typed := strings.Cut(text, "/")
	if !typed {
		kind, name = "", text
	}
	q := Query{Namespace: namespace, Name: name}
	if name == "" || strings.Contains(name, "/") {
		return q, fmt.Errorf("%q is neither NAME nor TYPE/NAME", text)
	}
	resource, _, _ := strings.Cut(strings.ToLower(kind), ".")
	switch resource {
	case "sparkapplication", "sparkapplications", "sparkapp":
		q.Kind = "SparkApplication"
	case "scheduledsparkapplication", "scheduledsparkapplications", "scheduledsparkapp":
		q.Kind = schedule
	case "sparkconnect", "sparkconnects", "sparkconn":
		q.Kind = "SparkConnect"
	case "sparkcluster", "sparkclusters":
		q.Kind = cluster
	case "pod", "pods", "po":
		q.Kind = "Pod"
	default:
		switch {
		case !typed:
		case len(validation.IsDNS1123Label(kind)) == 0 && q.in(kind):
			q.Namespace = kind // NAMESPACE/NAME, as the answer itself prints it
		default:
			return q, fmt.Errorf("%q is neither a type of an application (sparkapplication, scheduledsparkapplication, sparkconnect, "+
				"sparkcluster, pod) nor namespace %q of -n", kind, namespace)
		}
	}
	return q, nil
}

// Ref is what the query asks for, if its kind is known.
func (q Query) Ref() snapshot.Ref {
	ref := snapshot.Ref{Kind: q.Kind, Namespace: q.Namespace, Name: q.Name}
	of := subjects()
	if at := slices.IndexFunc(of, func(src snapshot.Source) bool { return src.Kind == q.Kind }); at >= 0 {
		ref.APIVersion = of[at].APIVersion()
	}
	return ref
}

// ofKind reports whether the query asks for a kind.
func (q Query) ofKind(kind string) bool { return q.Kind == "" || q.Kind == kind }

// in reports whether what the query asks for may be in a namespace.
func (q Query) in(namespace string) bool { return q.Namespace == "" || q.Namespace == namespace }

// String returns "NAMESPACE/NAME", as the user would write it.
func (q Query) String() string {
	return strings.TrimPrefix(q.Namespace+"/"+q.Name, "/")
}

// subjects are the views of what can be asked for, in the order in which a name is looked for.
func subjects() []snapshot.Source {
	var out []snapshot.Source
	for _, v := range []snapshot.View{snapshot.WholeApplications, snapshot.WholeSchedules, snapshot.WholeConnects, snapshot.WholePods,
		snapshot.WholeApacheApplications, snapshot.WholeApacheClusters} {
		src, _ := snapshot.SourceOf(v)
		out = append(out, src)
	}
	return out
}

// NotFoundError says that there is no such application, and which ones have a name like it.
type NotFoundError struct {
	Query Query
	Near  []string
}

func (e *NotFoundError) Error() string {
	what := "no application, schedule, SparkConnect server, SparkCluster or pod"
	if e.Query.Kind != "" {
		what = "no " + strings.ToLower(e.Query.Kind)
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
		if len(found) > 0 || !q.ofKind(src.Kind) {
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
	driver, is := called(s, Query{ref.Kind, ref.Namespace, ref.Name})[ref.Namespace]
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
	add := func(kind, namespace, name string) {
		if name == q.Name && slices.Contains(kinds, kind) && q.in(namespace) {
			if _, known := found[namespace]; !known {
				found[namespace] = Query{kind, namespace, name}.Ref()
			}
		}
	}
	for _, p := range s.InFull(snapshot.WholePods) {
		add("SparkApplication", p.Namespace, whole.Label(&p, labelApplication))
		add("SparkConnect", p.Namespace, whole.Label(&p, labelConnect))
	}
	for _, v := range []snapshot.View{snapshot.WholeEvents, snapshot.WholeWorkloads, snapshot.WholeVolcanoPodGroups} {
		for _, w := range s.InFull(v) {
			for _, of := range slices.Concat(whole.About(&w), whole.Owners(&w)) {
				add(of.Kind, w.Namespace, of.Name)
			}
		}
	}
	return found
}

// called finds applications that another than our operator started, by a label that names them: of each namespace the driver that was
// created last, because a job that is tried again, or runs every day, keeps its name.
func called(s *snapshot.Snapshot, q Query) map[string]snapshot.Ref {
	newest := map[string]*snapshot.Whole{}
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
			if q.ofKind(src.Kind) && q.in(w.Namespace) {
				out = append(out, w.Name)
			}
		}
	}
	return out
}

// MaxNear is how many names are offered for one that does not exist.
const MaxNear = 5
