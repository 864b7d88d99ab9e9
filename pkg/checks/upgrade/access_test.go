package upgrade

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestGrantsEachRoleOnce joins verbs on a resource: kubectl create refuses a second Role of one name.
func TestGrantsEachRoleOnce(t *testing.T) {
	d := snapshot.Deployment{Account: snapshot.Account{Namespace: "etl", Name: "spark"}}
	in := &operator.Installation{Namespace: "etl", Name: "jobs-spark-operator", Controller: &d}
	ingresses := func(namespaces []string, verbs ...string) facts.Lack {
		return facts.Lack{Permission: operator.Permission{Group: "networking.k8s.io", Resource: "ingresses"}, Verbs: verbs,
			Namespaces: namespaces}
	}
	var commands []string
	for _, step := range grantSteps(in, []facts.Lack{ingresses([]string{"a", "b"}, "list", "watch"),
		ingresses([]string{"b"}, "create", "list"), ingresses([]string{""}, "get")}, "let it") {
		commands = append(commands, step.Command)
	}
	const role, binding = "jobs-spark-operator-ingresses", " --serviceaccount=etl:spark"
	const again = " --dry-run=client -o yaml | kubectl apply -f -" // create refuses what exists
	require.Equal(t, []string{
		"kubectl create role " + role + " -n a --verb=list,watch --resource=ingresses.networking.k8s.io" + again,
		"kubectl create rolebinding " + role + " -n a --role=" + role + binding + again,
		"kubectl create role " + role + " -n b --verb=create,list,watch --resource=ingresses.networking.k8s.io" + again,
		"kubectl create rolebinding " + role + " -n b --role=" + role + binding + again,
		"kubectl create clusterrole " + role + " --verb=get --resource=ingresses.networking.k8s.io" + again,
		"kubectl create clusterrolebinding " + role + " --clusterrole=" + role + binding + again,
	}, commands)
}
