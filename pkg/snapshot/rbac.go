package snapshot

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Account is a service account.
type Account struct{ Namespace, Name string }

// User returns the name under which the API server knows the account.
func (a Account) User() string { return userPrefix + a.Namespace + ":" + a.Name }

// String returns "namespace/name".
func (a Account) String() string { return a.Namespace + "/" + a.Name }

const (
	userPrefix      = "system:serviceaccount:"
	accountsGroup   = "system:serviceaccounts"
	accountsOfGroup = accountsGroup + ":" // and a namespace
	anyoneGroup     = "system:authenticated"
)

// RoleBinding is a RoleBinding or ClusterRoleBinding that concerns service accounts: subjects of other kinds are left
// out, and a binding without any is not kept.
type RoleBinding struct {
	Object
	RoleKind string // Role or ClusterRole
	RoleName string
	Subjects []Grantee
}

// Grantee is whom a binding names: one account, all of a namespace, or all there are.
type Grantee struct {
	Account
	Everyone bool // every service account; with a namespace, every one of that
}

// Binds reports whether a binding concerns an account.
func (b *RoleBinding) Binds(a Account) bool {
	return slices.ContainsFunc(b.Subjects, func(s Grantee) bool {
		if s.Everyone {
			return s.Namespace == "" || s.Namespace == a.Namespace
		}
		return s.Account == a
	})
}

// Role returns what the binding names.
func (b *RoleBinding) Role() Key {
	key := Key{GroupKind: GroupKind{Group: RBACGroup, Kind: b.RoleKind}, Namespace: b.Namespace, Name: b.RoleName}
	if b.RoleKind == "ClusterRole" {
		key.Namespace = ""
	}
	return key
}

// RoleRules is a Role or ClusterRole.
type RoleRules struct {
	Object
	Rules []AccessRule
	// Aggregated says that the rules are those of other ClusterRoles and not filled in: a manifest, say.
	Aggregated bool
}

// AccessRule is one rule of a role.
type AccessRule struct{ Verbs, Groups, Resources, Names []string }

// Covers reports whether the rule allows a request (k8s.io/component-helpers/auth/rbac/validation and
// plugin/pkg/auth/authorizer/rbac/rbac.go of kubernetes@v1.36.3: RuleAllows).
func (r *AccessRule) Covers(q Request) bool {
	resource := q.Resource
	if q.Subresource != "" {
		resource += "/" + q.Subresource
	}
	return oneOf(r.Verbs, q.Verb) && oneOf(r.Groups, q.Group) &&
		(oneOf(r.Resources, resource) || q.Subresource != "" && slices.Contains(r.Resources, "*/"+q.Subresource)) &&
		(len(r.Names) == 0 || slices.Contains(r.Names, q.Name))
}

func oneOf(list []string, want string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, want)
}

// Request is what somebody wants to do. Without a name it is about any object, or about one whose name nobody knows.
type Request struct {
	Verb, Group, Resource, Subresource, Name string
	Namespace                                string // empty: in all namespaces, or of no namespace
}

// String returns "create pods", "update sparkapplications/status".
func (q Request) String() string {
	text := q.Verb + " " + q.Resource
	if q.Subresource != "" {
		text += "/" + q.Subresource
	}
	return text
}

// DefaultAccount is the name of the service account that every namespace has, for pods that name none.
const DefaultAccount = "default"

// decodeBinding reads both kinds, which have the same fields.
func (d *Decoder) decodeBinding(src Source, item Item) (Record, error) {
	var b rbacv1.RoleBinding
	if err := typed(item, &b); err != nil {
		return nil, err
	}
	out := bindingFrom(src, &b, item.Location)
	if out == nil {
		return nil, nil
	}
	d.object(&out.Object)
	out.RoleKind, out.RoleName = d.string(out.RoleKind), d.string(out.RoleName)
	for i := range out.Subjects {
		s := &out.Subjects[i]
		s.Namespace, s.Name = d.string(s.Namespace), d.string(s.Name)
	}
	return out, nil
}

// decodeRules reads both kinds: a Role is a ClusterRole without an aggregation.
func decodeRules(src Source, item Item) (Record, error) {
	if src.View == Roles {
		var r rbacv1.Role
		err := typed(item, &r)
		return new(rulesFrom(src, &rbacv1.ClusterRole{ObjectMeta: r.ObjectMeta, Rules: r.Rules}, item.Location)), err
	}
	var r rbacv1.ClusterRole
	err := typed(item, &r)
	return new(rulesFrom(src, &r, item.Location)), err
}

func bindingFrom(src Source, b *rbacv1.RoleBinding, loc Location) *RoleBinding {
	out := &RoleBinding{Object: objectFrom(src.APIVersion(), src.Kind, &b.ObjectMeta, loc), RoleKind: b.RoleRef.Kind, RoleName: b.RoleRef.Name}
	for _, s := range b.Subjects {
		if one, ok := subjectFrom(s, b.Namespace); ok {
			out.Subjects = append(out.Subjects, one)
		}
	}
	if len(out.Subjects) == 0 {
		return nil
	}
	return out
}

// subjectFrom reads who a subject is. A ServiceAccount without a namespace is refused in both kinds of bindings; in
// manifests it is taken for one of the binding's own (pkg/apis/rbac/validation/validation.go of kubernetes@v1.36.3).
func subjectFrom(s rbacv1.Subject, namespace string) (Grantee, bool) {
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		if s.Namespace != "" {
			namespace = s.Namespace
		}
		return Grantee{Account: Account{namespace, s.Name}}, namespace != ""
	case rbacv1.UserKind:
		rest, ok := strings.CutPrefix(s.Name, userPrefix)
		space, name, named := strings.Cut(rest, ":")
		return Grantee{Account: Account{space, name}}, ok && named
	case rbacv1.GroupKind:
		if s.Name == accountsGroup || s.Name == anyoneGroup {
			return Grantee{Everyone: true}, true
		}
		space, ok := strings.CutPrefix(s.Name, accountsOfGroup)
		return Grantee{Account: Account{Namespace: space}, Everyone: true}, ok && space != ""
	default:
		return Grantee{}, false
	}
}

func rulesFrom(src Source, r *rbacv1.ClusterRole, loc Location) RoleRules {
	out := RoleRules{Object: objectFrom(src.APIVersion(), src.Kind, &r.ObjectMeta, loc), Aggregated: r.AggregationRule != nil && len(r.Rules) == 0}
	for _, rule := range r.Rules {
		if len(rule.Resources) > 0 {
			out.Rules = append(out.Rules, AccessRule{rule.Verbs, rule.APIGroups, rule.Resources, rule.ResourceNames})
		}
	}
	return out
}
