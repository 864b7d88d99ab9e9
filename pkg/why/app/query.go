package app

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Query is the application that a user asks for.
type Query struct {
	// Kind is SparkApplication, ScheduledSparkApplication, SparkConnect, Pod or SparkCluster; empty: the first of these that has the name.
	Kind string
	// Group is that of Kind, which of a SparkApplication both operators have one; empty: the first that has the name.
	Group     string
	Namespace string // empty: whichever of the input has it
	Name      string
}

// ParseQuery reads NAME, TYPE/NAME with the types as kubectl takes them, with their group or without, or NAMESPACE/NAME.
func ParseQuery(text, namespace string) (Query, error) {
	kind, name, typed := strings.Cut(text, "/")
	if !typed {
		kind, name = "", text
	}
	q := Query{Namespace: namespace, Name: name}
	if name == "" || strings.Contains(name, "/") {
		return q, fmt.Errorf("%q is neither NAME nor TYPE/NAME", text)
	}
	resource, group, grouped := strings.Cut(strings.ToLower(kind), ".")
	switch resource {
	case "sparkapplication", "sparkapplications", "sparkapp":
		q.Kind = "SparkApplication"
	case "scheduledsparkapplication", "scheduledsparkapplications", "scheduledsparkapp":
		q.Kind = schedule
	case "sparkconnect", "sparkconnects", "sparkconn":
		q.Kind = connect
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
	if q.Kind != "" && grouped {
		return q.of(kind, group)
	}
	return q, nil
}

var apiVersion = lazyregexp.New(`^v[0-9]+((alpha|beta)[0-9]+)?(\.|$)`)

// of is the query with a group, as kubectl takes it: TYPE.GROUP or TYPE.VERSION.GROUP.
func (q Query) of(typed, group string) (Query, error) {
	q.Group = apiVersion.ReplaceAllString(group, "")
	var has []string
	for _, src := range subjects() {
		if src.Kind == q.Kind {
			has = append(has, src.Group)
		}
	}
	if slices.Contains(has, q.Group) {
		return q, nil
	}
	if has[0] == "" {
		return q, fmt.Errorf("%q: a %s is of no group", typed, strings.ToLower(q.Kind))
	}
	return q, fmt.Errorf("%q: a %s is of %s", typed, strings.ToLower(q.Kind), strings.Join(has, " or "))
}

// QueryFor asks for an object.
func QueryFor(o snapshot.Ref) Query { return Query{o.Kind, o.Group(), o.Namespace, o.Name} }

// Ref is what the query asks for, if its kind is known.
func (q Query) Ref() snapshot.Ref {
	ref := snapshot.Ref{Kind: q.Kind, Namespace: q.Namespace, Name: q.Name}
	of := subjects()
	if at := slices.IndexFunc(of, func(src snapshot.Source) bool { return q.Kind != "" && q.Asks(src) }); at >= 0 {
		ref.APIVersion = of[at].APIVersion()
	}
	return ref
}

// Type is the type that the query names, as kubectl takes it; empty: it names none.
func (q Query) Type() string {
	if q.Group == "" {
		return strings.ToLower(q.Kind)
	}
	return strings.ToLower(q.Kind) + "." + q.Group
}

// Asks reports whether the query asks for objects of a source.
func (q Query) Asks(src snapshot.Source) bool {
	return q.Kind == "" || q.Kind == src.Kind && (q.Group == "" || q.Group == src.Group)
}

// in reports whether what the query asks for may be in a namespace.
func (q Query) in(namespace string) bool { return q.Namespace == "" || q.Namespace == namespace }

// String returns "NAMESPACE/NAME", as the user would write it.
func (q Query) String() string {
	return strings.TrimPrefix(q.Namespace+"/"+q.Name, "/")
}

// subjects are the views of what can be asked for, in the order in which a name is looked for.
func subjects() []snapshot.Source {
	var out []snapshot.Source
	for _, v := range append([]snapshot.View{snapshot.WholeApplications, snapshot.WholeSchedules, snapshot.WholeConnects,
		snapshot.WholePods}, snapshot.ApacheViews()...) {
		src, _ := snapshot.SourceOf(v)
		out = append(out, src)
	}
	return out
}

// Namesake is what has the name of the object that answers a query, and is of the Apache Spark Kubernetes Operator; nil: there is none, or
// the user chose between the two.
func Namesake(s *snapshot.Snapshot, q Query, answers snapshot.Ref) *snapshot.Ref {
	if q.Group != "" || answers.Group() != snapshot.SparkGroup || answers.Name != q.Name {
		return nil
	}
	for _, v := range snapshot.ApacheViews() {
		src, _ := snapshot.SourceOf(v)
		for _, w := range s.InFull(v) {
			if q.Asks(src) && w.Namespace == answers.Namespace && w.Name == answers.Name {
				return &w.Ref
			}
		}
	}
	return nil
}
