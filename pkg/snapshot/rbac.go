package snapshot

import (
	"slices"
	"strings"
)

// RBACGroup is the API group of roles and bindings.
const RBACGroup = "rbac.authorization.k8s.io"

// Account is a service account.
type Account struct{ Namespace, Name string }

// User returns the name under which the API server knows the account.
func (a Account) User() string { return UserPrefix + a.Namespace + ":" + a.Name }

// String returns "namespace/name".
func (a Account) String() string { return a.Namespace + "/" + a.Name }

// UserPrefix begins the names of service accounts as users.
const UserPrefix = "system:serviceaccount:"

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

// RoleBindings returns the bindings of one of the two views that concern service accounts.
func (s *Snapshot) RoleBindings(v View) []RoleBinding { return read[RoleBinding](s, v) }

// RoleRules returns the roles of one of the two views that bindings of service accounts name; from files, all.
func (s *Snapshot) RoleRules(v View) []RoleRules { return read[RoleRules](s, v) }

// ServiceAccounts returns metadata of the service accounts of drivers; from files, of all.
func (s *Snapshot) ServiceAccounts() []Object { return read[Object](s, ServiceAccounts) }

// AccessReviews are the API server's own answers to whether a service account may do something, of all its authorizers.
// They are asked for only to confirm what the roles do not allow.
const AccessReviews View = "access reviews"

// Review is such a question.
type Review struct {
	Account
	Request
}

// Ref names the question, so that its answer can be kept like that about an object: a record says yes, none says no.
func (r Review) Ref() Ref {
	q := r.Request
	words := []string{r.Account.Namespace, r.Account.Name, q.Verb, q.Group, q.Resource, q.Subresource, q.Name, q.Namespace}
	return Ref{APIVersion: "authorization.k8s.io/v1", Kind: "SubjectAccessReview", Name: strings.Join(words, " ")}
}

// ReviewOf returns the question that a reference names.
func ReviewOf(ref Ref) (Review, bool) {
	w := strings.Split(ref.Name, " ") // no name of Kubernetes has a space
	if ref.Kind != "SubjectAccessReview" || len(w) != 8 {
		return Review{}, false
	}
	return Review{
		Account: Account{Namespace: w[0], Name: w[1]},
		Request: Request{Verb: w[2], Group: w[3], Resource: w[4], Subresource: w[5], Name: w[6], Namespace: w[7]},
	}, true
}
