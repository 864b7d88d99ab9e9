package rbac

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Where says to whom the roles are bound, and in which namespaces.
type Where struct {
	Name      string
	Operators []string // the operator's namespaces
	Releases  []string // namespaces of Helm releases that are read
	Jobs      []string // the only namespaces of jobs; none: all of them, by a ClusterRole
	Subjects  []rbacv1.Subject
}

// Roles returns the ClusterRole and the Roles that hold the grants, and their bindings if there are subjects.
func Roles(grants []Grant, w Where) []runtime.Object {
	cluster, in := []Grant{}, map[string][]Grant{}
	for _, g := range grants {
		switch {
		case g.Place == Operator:
			for _, ns := range w.Operators {
				in[ns] = append(in[ns], g)
			}
		case g.Place == Cluster || len(w.Jobs) == 0:
			cluster = append(cluster, g)
		case g.Place == Nodes:
			// An event about an object without a namespace is in default (makeEvent, tools/record/event.go of k8s.io/client-go@v0.37.2).
			in[metav1.NamespaceDefault] = append(in[metav1.NamespaceDefault], g)
		default:
			namespaces := slices.Clone(w.Jobs)
			if g.Place == Everywhere {
				namespaces = append(namespaces, w.Operators...) // what nobody may read cluster-wide is tried one by one
			}
			for _, ns := range slices.Compact(slices.Sorted(slices.Values(namespaces))) {
				in[ns] = append(in[ns], g)
			}
		}
	}
	var out []runtime.Object
	if len(cluster) > 0 {
		out = append(out, w.clusterRole(Rules(cluster))...)
	}
	for _, ns := range slices.Sorted(maps.Keys(in)) {
		out = append(out, w.role(ns, Rules(without(in[ns], cluster)))...)
	}
	for _, ns := range w.Releases {
		out = append(out, w.release(ns)...)
	}
	return out
}

// ReleaseRole is the suffix of the name of the Role that reads a Helm release.
const ReleaseRole = "-helm-release"

// ReleaseWarning says what that Role exposes. RBAC cannot narrow it: the names of Helm's Secrets contain the number of the revision.
const ReleaseWarning = "reads all Secrets of namespace %s, not only Helm's: bind it only to the account that runs the gate, " +
	"and delete it after the upgrade"

// release returns a Role of its own, so that the roles of a scan never contain it.
func (w Where) release(namespace string) []runtime.Object {
	w.Name += ReleaseRole
	out := w.role(namespace, []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"get", "list"}}})
	if role, is := out[0].(*rbacv1.Role); is {
		role.Annotations = map[string]string{"kubernetes.io/description": fmt.Sprintf(ReleaseWarning, namespace)}
	}
	return out
}

// without leaves out what a ClusterRole grants in every namespace already.
func without(list, cluster []Grant) []Grant {
	return slices.DeleteFunc(list, func(g Grant) bool {
		return slices.ContainsFunc(cluster, func(c Grant) bool {
			return c.Group == g.Group && c.Resource == g.Resource && c.Verb == g.Verb && c.Name == ""
		})
	})
}

func (w Where) clusterRole(rules []rbacv1.PolicyRule) []runtime.Object {
	meta := metav1.ObjectMeta{Name: w.Name}
	out := []runtime.Object{&rbacv1.ClusterRole{TypeMeta: typeOf("ClusterRole"), ObjectMeta: meta, Rules: rules}}
	if len(w.Subjects) > 0 {
		out = append(out, &rbacv1.ClusterRoleBinding{TypeMeta: typeOf("ClusterRoleBinding"), ObjectMeta: meta, Subjects: w.Subjects,
			RoleRef: refTo("ClusterRole", w.Name)})
	}
	return out
}

func (w Where) role(namespace string, rules []rbacv1.PolicyRule) []runtime.Object {
	if len(rules) == 0 {
		return nil
	}
	meta := metav1.ObjectMeta{Name: w.Name, Namespace: namespace}
	out := []runtime.Object{&rbacv1.Role{TypeMeta: typeOf("Role"), ObjectMeta: meta, Rules: rules}}
	if len(w.Subjects) > 0 {
		out = append(out, &rbacv1.RoleBinding{TypeMeta: typeOf("RoleBinding"), ObjectMeta: meta, Subjects: w.Subjects,
			RoleRef: refTo("Role", w.Name)})
	}
	return out
}

func typeOf(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: kind}
}

func refTo(kind, name string) rbacv1.RoleRef {
	return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: kind, Name: name}
}

// Rules writes grants as few rules: resources of a group that need the same verbs on the same names share one.
func Rules(grants []Grant) []rbacv1.PolicyRule {
	type one struct{ group, resource, name string }
	verbs := map[one][]string{}
	for _, g := range grants {
		at := one{g.Group, g.Resource, g.Name}
		verbs[at] = append(verbs[at], g.Verb)
	}
	var out []rbacv1.PolicyRule
	for _, at := range slices.SortedFunc(maps.Keys(verbs), func(a, b one) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name), cmp.Compare(a.resource, b.resource))
	}) {
		list := slices.Compact(slices.Sorted(slices.Values(verbs[at])))
		var names []string
		if at.name != "" {
			names = []string{at.name}
		}
		i := slices.IndexFunc(out, func(r rbacv1.PolicyRule) bool {
			return r.APIGroups[0] == at.group && slices.Equal(r.Verbs, list) && slices.Equal(r.ResourceNames, names)
		})
		if i >= 0 {
			out[i].Resources = append(out[i].Resources, at.resource)
			continue
		}
		out = append(out, rbacv1.PolicyRule{APIGroups: []string{at.group}, Resources: []string{at.resource}, Verbs: list, ResourceNames: names})
	}
	return out
}
