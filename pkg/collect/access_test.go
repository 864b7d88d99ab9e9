package collect

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// teams are namespaces with an application, its account, and a Role and a binding for it, among as many of others.
func teams(n int) []runtime.Object {
	var out []runtime.Object
	rbac := func(kind string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: kind}
	}
	for i := range n {
		ns := fmt.Sprintf("team-%03d", i)
		app := application("etl", ns)
		app.Object["spec"] = map[string]any{"driver": map[string]any{"serviceAccount": "spark"}}
		out = append(out, app, &corev1.ServiceAccount{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceAccount"},
			ObjectMeta: objectMeta("spark", ns)})
		for _, name := range []string{"spark", "other"} {
			out = append(out,
				&rbacv1.Role{TypeMeta: rbac("Role"), ObjectMeta: objectMeta(name, ns),
					Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"create"}}}},
				&rbacv1.RoleBinding{TypeMeta: rbac("RoleBinding"), ObjectMeta: objectMeta(name, ns), RoleRef: rbacv1.RoleRef{Kind: "Role", Name: name},
					Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Name: name, Namespace: ns}}},
			)
		}
		out = append(out, &rbacv1.RoleBinding{TypeMeta: rbac("RoleBinding"), ObjectMeta: objectMeta("people", ns),
			RoleRef: rbacv1.RoleRef{Kind: "Role", Name: "other"}, Subjects: []rbacv1.Subject{{Kind: "User", Name: "jane"}}})
	}
	return out
}

func accessViews() []snapshot.Need {
	return need(snapshot.SparkApplications, snapshot.Deployments, snapshot.RoleBindings, snapshot.ClusterRoleBindings, snapshot.Roles,
		snapshot.ClusterRoles, snapshot.ServiceAccounts)
}

// TestRolesByName holds that only what bindings of drivers name is read, one by one while there are few, and in one listing
// when there are many, unless that is forbidden.
func TestRolesByName(t *testing.T) {
	const roles, accounts = "/apis/rbac.authorization.k8s.io/v1/roles", "/api/v1/serviceaccounts"
	for name, c := range map[string]struct {
		teams, lists, requests int
		forbidden              bool
	}{
		"few":                 {3, 0, 4 + 3 + 3, false},
		"many":                {60, 1, 4 + 1 + 1, false},
		"many, and forbidden": {60, 1, 4 + 1 + 1 + 60 + 60, true},
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, teams(c.teams)...)
			if c.forbidden {
				server.fault = forbid(roles, accounts)
			}
			s := scan(t, server, ClusterOptions{Needs: accessViews()})
			require.Equal(t, c.lists, server.asked(roles))
			require.Len(t, server.requests, c.requests)
			require.Len(t, s.RoleRules(snapshot.Roles), c.teams, "not the roles of others")
			require.Len(t, s.RoleBindings(snapshot.RoleBindings), 2*c.teams, "not the bindings of people")
			require.Len(t, s.ServiceAccounts(), c.teams)
			require.Equal(t, snapshot.Complete, s.Coverage(snapshot.Roles).State)
			yes, known := spark.AccessOf(s).Allows(snapshot.Account{Namespace: "team-001", Name: "spark"},
				snapshot.Request{Verb: "create", Resource: "pods", Namespace: "team-001"})
			require.True(t, yes && known)
			yes, known = spark.AccessOf(s).Allows(snapshot.Account{Namespace: "team-001", Name: "spark"},
				snapshot.Request{Verb: "create", Resource: "pods", Namespace: "team-002"})
			require.True(t, !yes && known)
		})
	}
}

// TestRolesThatCannotBeRead holds that what an unread role may allow is not known.
func TestRolesThatCannotBeRead(t *testing.T) {
	server := newServer(t, teams(2)...)
	server.fault = forbid("/apis/rbac.authorization.k8s.io/v1/namespaces/team-001/roles/spark")
	s := scan(t, server, ClusterOptions{Needs: accessViews()})
	require.Equal(t, snapshot.Partial, s.Coverage(snapshot.Roles).State)
	yes, known := spark.AccessOf(s).Allows(snapshot.Account{Namespace: "team-001", Name: "spark"},
		snapshot.Request{Verb: "create", Resource: "pods", Namespace: "team-001"})
	require.False(t, yes || known)
	yes, known = spark.AccessOf(s).Allows(snapshot.Account{Namespace: "team-000", Name: "spark"},
		snapshot.Request{Verb: "create", Resource: "pods", Namespace: "team-000"})
	require.True(t, yes && known)
}
