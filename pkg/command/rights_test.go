package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRights: the command names the user as the API server does, the namespaces, and nobody that only the user can act as.
func TestRights(t *testing.T) {
	asked := Asked{Kubeconfig: "/k", Context: "prod", User: "u", As: "dev", AsGroups: []string{"g"}, Namespace: "team-a", Selector: "a=b"}
	for want, r := range map[string]Rights{
		"kubectl sparkdoctor rbac --for-why --job-namespaces team-a --bind serviceaccount=team-a:dana " +
			"--name sparkdoctor-why:team-a:dana --kubeconfig /k --context prod" +
			" | kubectl --kubeconfig /k --context prod apply -f -": {For: ForWhy, Namespaces: []string{"team-a"},
			User: "system:serviceaccount:team-a:dana"},
		"kubectl sparkdoctor rbac --for-fix --job-namespaces a,b --bind user=dev@example.com " +
			"--name sparkdoctor-fix:dev@example.com --kubeconfig /k --context prod" +
			" | kubectl --kubeconfig /k --context prod apply -f -": {For: ForFix, Namespaces: []string{"a", "b"}, User: "dev@example.com"},
		"kubectl sparkdoctor rbac --discover --bind 'user=https://issuer#1' " +
			"--name 'sparkdoctor:https:--issuer#1' --kubeconfig /k --context prod" +
			" | kubectl --kubeconfig /k --context prod apply -f -": {User: "https://issuer#1"},
		"kubectl sparkdoctor rbac --discover --kubeconfig /k --context prod" +
			" | kubectl --kubeconfig /k --context prod apply -f -": {},
	} {
		require.Equal(t, want, asked.In(r.Line()))
	}
	require.Equal(t, "kubectl sparkdoctor why etl --kubeconfig /k --context prod --user u --as dev --as-group g -n team-a",
		asked.In("kubectl sparkdoctor why etl"), "any other command is the user's")
}
