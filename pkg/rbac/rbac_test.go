package rbac_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/rbac"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestGrants(t *testing.T) {
	pod := snapshot.Ref{APIVersion: "v1", Kind: "Pod"}
	app := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication"}
	for name, c := range map[string]struct {
		purpose rbac.Purpose
		want    []string
	}{
		"a listing in the namespaces of jobs": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.SparkPods}}}, []string{"jobs list pods"}},
		"one that is compared everywhere": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.SparkApplications,
			Scope: snapshot.Everywhere}}}, []string{"everywhere list sparkapplications.sparkoperator.k8s.io"}},
		"what is got again": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.SparkPods}},
			Again: []snapshot.View{snapshot.SparkPods}}, []string{"jobs get pods", "jobs list pods"}},
		"objects without a namespace": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.MutatingWebhooks,
			Scope: snapshot.Everywhere}}}, []string{"cluster list mutatingwebhookconfigurations.admissionregistration.k8s.io"}},
		"a Secret by name, never the others": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.WebhookSecrets}}, Secrets: []string{"certs"}},
			[]string{"operator get secrets certs"}},
		"no Secret that nobody named": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.WebhookSecrets}}}, nil},
		"Services by name": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.WebhookServices,
			Scope: snapshot.Everywhere}}}, []string{"everywhere get services"}},
		"the operator's pods and what they say": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.OperatorPods},
			{View: snapshot.OperatorLogs}}}, []string{"operator list pods", "operator get pods/log"}},
		"a greeting, by either protocol": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.ServedCertificates}}},
			[]string{"operator create pods/portforward", "operator get pods/portforward"}},
		"an application in full, with what is free on nodes": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.WholePods},
			{View: snapshot.WholeNeighbors}, {View: snapshot.WholeNodes}, {View: snapshot.WholeQuotas}, {View: snapshot.ApplicationLogs}}},
			[]string{"cluster get nodes", "cluster list nodes", "everywhere list pods", "jobs get pods", "jobs list pods", "jobs get pods/log",
				"jobs list resourcequotas", "operator list pods"}},
		"events, of nodes too": {rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.WholeEvents}}},
			[]string{"jobs list events", "operator list events", "nodes list events"}},
		"owners": {
			rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.Owners}}, Owners: []schema.GroupResource{{Group: "example.com", Resource: "dags"}}},
			[]string{"everywhere get dags.example.com", "everywhere list dags.example.com"},
		},
		"questions about access": {rbac.Purpose{Reviews: true}, []string{"cluster create subjectaccessreviews.authorization.k8s.io"}},
		"a repair of a status reads the pods": {
			rbac.Purpose{Repairs: []fix.Intent{fix.PruneExecutorState{Application: app}}},
			[]string{"cluster get namespaces kube-system", "jobs list pods", "jobs get sparkapplications.sparkoperator.k8s.io",
				"jobs patch sparkapplications/status.sparkoperator.k8s.io"},
		},
		"a delete of one of several Secrets": {
			rbac.Purpose{Repairs: []fix.Intent{fix.DeleteObject{Object: snapshot.Ref{APIVersion: "v1", Kind: "Secret"}}},
				Secrets: []string{"a", "b"}},
			[]string{"cluster get namespaces kube-system", "operator delete secrets a", "operator delete secrets b", "operator get secrets a",
				"operator get secrets b"},
		},
		"what a repair falls back to": {
			rbac.Purpose{Repairs: []fix.Intent{fix.ReassertBundle{
				Configuration: snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration"},
				Fallback:      fix.Restart{Deployment: snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Name: "any"}, Lease: "any"},
			}}},
			[]string{
				"cluster get namespaces kube-system",
				"cluster get mutatingwebhookconfigurations.admissionregistration.k8s.io",
				"cluster patch mutatingwebhookconfigurations.admissionregistration.k8s.io",
				"operator get deployments.apps", "operator patch deployments.apps", "operator get leases.coordination.k8s.io",
			},
		},
		"all namespaces make one by name needless": {
			rbac.Purpose{Needs: []snapshot.Need{{View: snapshot.Namespaces, Scope: snapshot.Everywhere}},
				Again:   []snapshot.View{snapshot.Namespaces},
				Repairs: []fix.Intent{fix.DeleteObject{Object: pod}}},
			[]string{"cluster get namespaces", "cluster list namespaces", "jobs delete pods", "jobs get pods"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, g := range rbac.Grants(c.purpose) {
				at := map[rbac.Place]string{rbac.Cluster: "cluster", rbac.Everywhere: "everywhere", rbac.Jobs: "jobs",
					rbac.Operator: "operator", rbac.Nodes: "nodes"}[g.Place]
				got = append(got, strings.TrimSpace(at+" "+g.Verb+" "+strings.TrimSuffix(g.Resource+"."+g.Group, ".")+" "+g.Name))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestRoles(t *testing.T) {
	grants := []rbac.Grant{
		{Place: rbac.Cluster, Group: "x.io", Resource: "things", Verb: "list"},
		{Place: rbac.Everywhere, Resource: "services", Verb: "get"},
		{Place: rbac.Jobs, Resource: "pods", Verb: "list"},
		{Place: rbac.Operator, Resource: "pods", Verb: "list"},
		{Place: rbac.Operator, Resource: "secrets", Verb: "get", Name: "certs"},
		{Place: rbac.Jobs, Resource: "events", Verb: "list"},
		{Place: rbac.Nodes, Resource: "events", Verb: "list"},
	}
	subjects := []rbacv1.Subject{{Kind: "User", Name: "u"}}
	require.Equal(t, []string{
		"ClusterRole sparkdoctor: list events,pods; get services; list things.x.io",
		"ClusterRoleBinding sparkdoctor of ClusterRole sparkdoctor to u",
		"Role op/sparkdoctor: get secrets certs", "RoleBinding op/sparkdoctor of Role sparkdoctor to u",
	}, told(rbac.Roles(grants, rbac.Where{Name: "sparkdoctor", Operators: []string{"op"}, Subjects: subjects})))
	released := rbac.Roles(nil, rbac.Where{Name: "sparkdoctor", Operators: []string{"op"}, Releases: []string{"helm"}, Subjects: subjects})
	require.Equal(t, []string{
		"Role helm/sparkdoctor-helm-release: get,list secrets", "RoleBinding helm/sparkdoctor-helm-release of Role sparkdoctor-helm-release to u",
	}, told(released))
	require.Contains(t, released[0].(*rbacv1.Role).Annotations["kubernetes.io/description"], "all Secrets of namespace helm")
	require.Equal(t, []string{
		"ClusterRole sparkdoctor: list things.x.io",
		"Role a/sparkdoctor: list events,pods; get services",
		"Role default/sparkdoctor: list events",
		"Role op/sparkdoctor: list pods; get services; get secrets certs",
	}, told(rbac.Roles(grants, rbac.Where{Name: "sparkdoctor", Operators: []string{"op"}, Jobs: []string{"a"}})))
}

func told(list []runtime.Object) []string {
	var out []string
	rules := func(list []rbacv1.PolicyRule) string {
		var out []string
		for _, r := range list {
			out = append(out, strings.TrimSpace(strings.Join(r.Verbs, ",")+" "+
				strings.TrimSuffix(strings.Join(r.Resources, ",")+"."+r.APIGroups[0], ".")+" "+strings.Join(r.ResourceNames, ",")))
		}
		return strings.Join(out, "; ")
	}
	for _, o := range list {
		switch o := o.(type) {
		case *rbacv1.ClusterRole:
			out = append(out, "ClusterRole "+o.Name+": "+rules(o.Rules))
		case *rbacv1.Role:
			out = append(out, "Role "+o.Namespace+"/"+o.Name+": "+rules(o.Rules))
		case *rbacv1.ClusterRoleBinding:
			out = append(out, "ClusterRoleBinding "+o.Name+" of "+o.RoleRef.Kind+" "+o.RoleRef.Name+" to "+o.Subjects[0].Name)
		case *rbacv1.RoleBinding:
			out = append(out, "RoleBinding "+o.Namespace+"/"+o.Name+" of "+o.RoleRef.Kind+" "+o.RoleRef.Name+" to "+o.Subjects[0].Name)
		}
	}
	return out
}
