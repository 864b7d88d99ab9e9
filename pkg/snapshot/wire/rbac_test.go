package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestSubjects(t *testing.T) {
	a := snapshot.Account{Namespace: "team-a", Name: "spark"}
	require.Equal(t, "system:serviceaccount:team-a:spark", a.User())
	for name, c := range map[string]struct {
		subject rbacv1.Subject
		kept    bool
		binds   bool
	}{
		"account":                      {rbacv1.Subject{Kind: "ServiceAccount", Namespace: "team-a", Name: "spark"}, true, true},
		"account of another namespace": {rbacv1.Subject{Kind: "ServiceAccount", Namespace: "team-b", Name: "spark"}, true, false},
		"account of the binding's own": {rbacv1.Subject{Kind: "ServiceAccount", Name: "spark"}, true, true},
		"user name":                    {rbacv1.Subject{Kind: "User", Name: "system:serviceaccount:team-a:spark"}, true, true},
		"person":                       {rbacv1.Subject{Kind: "User", Name: "spark"}, false, false},
		"node":                         {rbacv1.Subject{Kind: "Group", Name: "system:nodes"}, false, false},
		"all accounts":                 {rbacv1.Subject{Kind: "Group", Name: "system:serviceaccounts"}, true, true},
		"accounts of the namespace":    {rbacv1.Subject{Kind: "Group", Name: "system:serviceaccounts:team-a"}, true, true},
		"accounts of another":          {rbacv1.Subject{Kind: "Group", Name: "system:serviceaccounts:team-b"}, true, false},
		"everybody":                    {rbacv1.Subject{Kind: "Group", Name: "system:authenticated"}, true, true},
		"strangers":                    {rbacv1.Subject{Kind: "Group", Name: "system:unauthenticated"}, false, false},
	} {
		got, kept := subjectFrom(c.subject, "team-a")
		require.Equal(t, c.kept, kept, name)
		if kept {
			b := snapshot.RoleBinding{Subjects: []snapshot.Grantee{got}}
			require.Equal(t, c.binds, b.Binds(a), name)
		}
	}
}
