package check

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Selection narrows what findings are about. What subjects are compared with is not narrowed, and neither are
// checks of admission: a webhook serves every namespace.
type Selection struct {
	Namespaces []string        // nil: all
	Selector   labels.Selector // matches Spark custom resources, whose parts follow; nil: all
	Objects    []snapshot.Key  // only what concerns these; nil: all
}

// Narrow keeps the findings about selected subjects.
func (sel Selection) Narrow(s *snapshot.Snapshot, results []Result) []Result {
	labelled := sel.labelsByApp(s)
	out := slices.Clone(results)
	for i, r := range out {
		if r.Check.Unscoped {
			continue
		}
		out[i].Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f Reported) bool { return !sel.matches(f, labelled) })
		if r.Status == Failed && len(out[i].Findings) == 0 {
			out[i].Status = Passed
		}
	}
	return out
}

func (sel Selection) matches(f Reported, labelled map[snapshot.Key]snapshot.Labels) bool {
	if !sel.reaches(f.Object) {
		return false
	}
	if sel.Objects != nil && !slices.ContainsFunc(sel.Objects, func(k snapshot.Key) bool { return concerns(f, k) }) {
		return false
	}
	if sel.Selector == nil {
		return true
	}
	own, known := labelled[AppKey(f.Object.Namespace, f.App)]
	if !known {
		own = f.Labels()
	}
	return sel.Selector.Matches(own)
}

// Holds reports whether an object is in the selected namespaces and has the selected labels.
func (sel Selection) Holds(o *snapshot.Object) bool {
	return sel.reaches(o.Ref) && (sel.Selector == nil || sel.Selector.Matches(o.Labels))
}

// reaches reports whether an object is in the selected namespaces.
func (sel Selection) reaches(r snapshot.Ref) bool {
	return sel.Namespaces == nil || slices.Contains(sel.Namespaces, NamespaceOf(r))
}

// NamespaceOf returns the namespace that an object is in; a Namespace is in itself.
func NamespaceOf(r snapshot.Ref) string {
	if r.Kind == "Namespace" && r.Group() == "" {
		return r.Name
	}
	return r.Namespace
}

// concerns reports whether a finding is about an object, one of its parts, or names it.
func concerns(f Reported, k snapshot.Key) bool {
	part := f.Object.Namespace == k.Namespace && f.App == k.Name && k.Group == snapshot.SparkGroup
	if part || f.Object.Key() == k {
		return true
	}
	return slices.ContainsFunc(slices.Concat(f.Related, f.Objects), func(r snapshot.Ref) bool { return r.Key() == k })
}

// labelsByApp maps the Spark custom resources to their labels.
func (sel Selection) labelsByApp(s *snapshot.Snapshot) map[snapshot.Key]snapshot.Labels {
	if sel.Selector == nil {
		return nil
	}
	m := map[snapshot.Key]snapshot.Labels{}
	for _, a := range s.SparkApplications() {
		m[AppKey(a.Namespace, a.Name)] = a.Labels
	}
	for _, o := range s.SparkConnects() {
		m[AppKey(o.Namespace, o.Name)] = o.Labels
	}
	for _, o := range s.ScheduledSparkApplications() {
		m[AppKey(o.Namespace, o.Name)] = o.Labels
	}
	return m
}

// AppKey returns the key by which parts of a Spark custom resource find it: their label names no kind.
func AppKey(namespace, name string) snapshot.Key {
	return snapshot.Key{Namespace: namespace, Name: name}
}

// ParseObject reads "TYPE/NAME" with the names and short names that the operator's CRDs define.
func ParseObject(arg, namespace string) (snapshot.Key, bool) {
	kind, name, found := strings.Cut(arg, "/")
	if !found || name == "" {
		return snapshot.Key{}, false
	}
	names := map[string]snapshot.GroupKind{}
	for _, src := range snapshot.ListedSources() {
		gk := src.GroupKind()
		for _, n := range []string{src.Resource, strings.ToLower(src.Kind)} {
			names[n] = gk
			names[n+"."+src.Group] = gk
		}
	}
	for short, kind := range map[string]string{"sparkapp": "SparkApplication", "scheduledsparkapp": "ScheduledSparkApplication",
		"sparkconn": "SparkConnect"} {
		names[short] = snapshot.GroupKind{Group: snapshot.SparkGroup, Kind: kind}
	}
	gk, ok := names[strings.ToLower(kind)]
	return snapshot.Key{GroupKind: gk, Namespace: namespace, Name: name}, ok
}
