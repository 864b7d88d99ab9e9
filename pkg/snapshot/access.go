package snapshot

import "slices"

// Access answers what service accounts may do, from the bindings and roles that were seen. RBAC only ever adds: what no
// role allows, another authorizer still may.
type Access struct {
	bindings map[string][]*RoleBinding // by namespace; cluster-wide ones under ""
	roles    map[Key]*RoleRules
	whole    func(v View, namespace string) bool // whether all of a view in a namespace was seen
}

// RBACGroup is the API group of roles and bindings.
const RBACGroup = "rbac.authorization.k8s.io"

// Access returns what the snapshot knows of permissions. It reads the views RoleBindings, ClusterRoleBindings, Roles and
// ClusterRoles.
func (s *Snapshot) Access() *Access {
	a := &Access{bindings: map[string][]*RoleBinding{}, roles: map[Key]*RoleRules{}, whole: s.Covers}
	for _, v := range []View{RoleBindings, ClusterRoleBindings} {
		list := s.RoleBindings(v)
		for i := range list {
			b := &list[i]
			a.bindings[b.Namespace] = append(a.bindings[b.Namespace], b)
		}
	}
	for _, v := range []View{Roles, ClusterRoles} {
		list := s.RoleRules(v)
		for i := range list {
			a.roles[list[i].Key()] = &list[i]
		}
	}
	return a
}

// Without returns the access that is left when some bindings and roles go.
func (a *Access) Without(gone func(*Object) bool) *Access {
	out := &Access{bindings: map[string][]*RoleBinding{}, roles: map[Key]*RoleRules{}, whole: a.whole}
	for namespace, list := range a.bindings {
		out.bindings[namespace] = slices.DeleteFunc(slices.Clone(list), func(b *RoleBinding) bool { return gone(&b.Object) })
	}
	for key, role := range a.roles {
		if !gone(&role.Object) {
			out.roles[key] = role
		}
	}
	return out
}

// RoleBindings returns the bindings of one of the two views that concern service accounts.
func (s *Snapshot) RoleBindings(v View) []RoleBinding { return read[RoleBinding](s, v) }

// RoleRules returns the roles of one of the two views that bindings of service accounts name; from files, all.
func (s *Snapshot) RoleRules(v View) []RoleRules { return read[RoleRules](s, v) }

// ServiceAccounts returns metadata of the service accounts of drivers; from files, of all.
func (s *Snapshot) ServiceAccounts() []Object { return read[Object](s, ServiceAccounts) }

// Allows reports whether an account may do something, and whether all that could allow it was seen. What is allowed is
// known to be.
func (a *Access) Allows(who Account, q Request) (allowed, known bool) {
	known = a.whole(ClusterRoleBindings, "") && (q.Namespace == "" || a.whole(RoleBindings, q.Namespace))
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
				if role[i].Covers(q) {
					return true, true
				}
			}
		}
	}
	return false, known
}

// role returns the rules of the role that a binding names, none for one that does not exist, and whether that is known.
func (a *Access) role(b *RoleBinding) (rules []AccessRule, read bool) {
	v, key := Roles, b.Role()
	if b.RoleKind == "ClusterRole" {
		v = ClusterRoles
	}
	if r := a.roles[key]; r != nil {
		return r.Rules, !r.Aggregated
	}
	return nil, a.whole(v, key.Namespace)
}

// Blind reports whether no binding was seen at all. Every cluster that authorizes by RBAC binds all accounts to some role
// (plugin/pkg/auth/authorizer/rbac/bootstrappolicy of kubernetes@v1.36.3), so this one does not, or it was left out of a
// dump.
func (a *Access) Blind() bool { return len(a.bindings) == 0 }

// BoundTo returns the bindings that concern an account in a namespace, the cluster-wide ones first.
func (a *Access) BoundTo(who Account, namespace string) []*RoleBinding {
	var out []*RoleBinding
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
