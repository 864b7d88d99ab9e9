package spark

import (
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Access answers what service accounts may do, from the bindings and roles that were seen. RBAC only ever adds: what no
// role allows, another authorizer still may.
type Access struct {
	bindings map[string][]*snapshot.RoleBinding // by namespace; cluster-wide ones under ""
	roles    map[snapshot.Key]*snapshot.RoleRules
	whole    func(v snapshot.View, namespace string) bool // whether all of a view in a namespace was seen
}

// AccessOf returns what a snapshot knows of permissions. It reads the views RoleBindings, ClusterRoleBindings, Roles and
// ClusterRoles.
func AccessOf(s *snapshot.Snapshot) *Access {
	a := &Access{bindings: map[string][]*snapshot.RoleBinding{}, roles: map[snapshot.Key]*snapshot.RoleRules{}, whole: s.Covers}
	for _, v := range []snapshot.View{snapshot.RoleBindings, snapshot.ClusterRoleBindings} {
		list := s.RoleBindings(v)
		for i := range list {
			b := &list[i]
			a.bindings[b.Namespace] = append(a.bindings[b.Namespace], b)
		}
	}
	for _, v := range []snapshot.View{snapshot.Roles, snapshot.ClusterRoles} {
		list := s.RoleRules(v)
		for i := range list {
			a.roles[list[i].Key()] = &list[i]
		}
	}
	return a
}

// Without returns the access that is left when some bindings and roles go.
func (a *Access) Without(gone func(*snapshot.Object) bool) *Access {
	out := &Access{bindings: map[string][]*snapshot.RoleBinding{}, roles: map[snapshot.Key]*snapshot.RoleRules{}, whole: a.whole}
	for namespace, list := range a.bindings {
		out.bindings[namespace] = slices.DeleteFunc(slices.Clone(list), func(b *snapshot.RoleBinding) bool { return gone(&b.Object) })
	}
	for key, role := range a.roles {
		if !gone(&role.Object) {
			out.roles[key] = role
		}
	}
	return out
}

// With returns the access where bindings and roles of both are there. Of two roles of one name the receiver's counts. What was seen in
// full is what was seen in full of the other: the receiver is what somebody adds to it.
func (a *Access) With(o *Access) *Access {
	out := &Access{bindings: map[string][]*snapshot.RoleBinding{}, roles: maps.Clone(o.roles), whole: o.whole}
	maps.Copy(out.roles, a.roles)
	for _, one := range []*Access{a, o} {
		for namespace, list := range one.bindings {
			out.bindings[namespace] = append(out.bindings[namespace], list...)
		}
	}
	return out
}

// Allows reports whether an account may do something, and whether all that could allow it was seen. What is allowed is
// known to be.
func (a *Access) Allows(who snapshot.Account, q snapshot.Request) (allowed, known bool) {
	known = a.whole(snapshot.ClusterRoleBindings, "") && (q.Namespace == "" || a.whole(snapshot.RoleBindings, q.Namespace))
	scopes := []string{""}
	if q.Namespace != "" {
		scopes = append(scopes, q.Namespace)
	}
	for _, scope := range scopes {
		for _, b := range a.bindings[scope] {
			if !b.Binds(who) {
				continue
			}
			role, read := a.role(b)
			if !read {
				known = false
				continue
			}
			for i := range role {
				if covers(&role[i], q) {
					return true, true
				}
			}
		}
	}
	return false, known
}

// role returns the rules of the role that a binding names, none for one that does not exist, and whether that is known.
func (a *Access) role(b *snapshot.RoleBinding) (rules []snapshot.AccessRule, read bool) {
	v, key := snapshot.Roles, b.Role()
	if b.RoleKind == "ClusterRole" {
		v = snapshot.ClusterRoles
	}
	if r := a.roles[key]; r != nil {
		return r.Rules, !r.Aggregated
	}
	return nil, a.whole(v, key.Namespace)
}

// NothingSeen reports whether no binding was seen at all. Every cluster that authorizes by RBAC binds all accounts to some role
// (plugin/pkg/auth/authorizer/rbac/bootstrappolicy of kubernetes@v1.36.3), so this one does not, or it was left out of a
// dump.
func (a *Access) NothingSeen() bool { return len(a.bindings) == 0 }

// BoundTo returns the bindings that concern an account in a namespace, the cluster-wide ones first.
func (a *Access) BoundTo(who snapshot.Account, namespace string) []*snapshot.RoleBinding {
	var out []*snapshot.RoleBinding
	scopes := []string{"", namespace}
	if namespace == "" {
		scopes = scopes[:1]
	}
	for _, scope := range scopes {
		for _, b := range a.bindings[scope] {
			if b.Binds(who) {
				out = append(out, b)
			}
		}
	}
	return out
}

// Usable returns the names of the objects of a kind that rules allow an account to "use" by name in a namespace, "*" where a rule names
// none, and the bindings whose roles were not read.
func (a *Access) Usable(who snapshot.Account, group, resource string) (names []string, unread []*snapshot.RoleBinding) {
	for _, b := range a.BoundTo(who, who.Namespace) {
		rules, read := a.role(b)
		if !read {
			unread = append(unread, b)
		}
		for i := range rules {
			r := &rules[i]
			switch {
			case !oneOf(r.Verbs, "use") || !oneOf(r.Groups, group) || !oneOf(r.Resources, resource):
			case len(r.Names) == 0:
				names = append(names, "*")
			default:
				names = append(names, r.Names...)
			}
		}
	}
	return names, unread
}

// covers reports whether a rule allows a request (k8s.io/component-helpers/auth/rbac/validation and
// plugin/pkg/auth/authorizer/rbac/rbac.go of kubernetes@v1.36.3: RuleAllows).
func covers(r *snapshot.AccessRule, q snapshot.Request) bool {
	resource := q.Resource
	if q.Subresource != "" {
		resource += "/" + q.Subresource
	}
	if !oneOf(r.Verbs, q.Verb) || !oneOf(r.Groups, q.Group) {
		return false
	}
	onResource := oneOf(r.Resources, resource) || q.Subresource != "" && slices.Contains(r.Resources, "*/"+q.Subresource)
	onName := len(r.Names) == 0 || slices.Contains(r.Names, q.Name)
	return onResource && onName
}

func oneOf(list []string, want string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, want)
}
