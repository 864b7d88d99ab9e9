package mechanism

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

func inJobs(kind, name string) snapshot.Object {
	return snapshot.Object{Ref: snapshot.Ref{APIVersion: snapshot.RBACGroup + "/v1", Kind: kind, Namespace: "jobs", Name: name}}
}

// actingAs is an application whose driver's pod has a service account, in a namespace with some accounts.
func actingAs(account string, spec app.Spec, accounts ...string) *View {
	e := &app.Evidence{Subject: snapshot.Ref{Namespace: "jobs", Name: "etl"}, Application: &app.Application{Spec: spec}}
	e.Application.Kind, e.Application.Name, e.Application.Namespace = "SparkApplication", "etl", "jobs"
	for _, name := range accounts {
		e.ServiceAccounts = append(e.ServiceAccounts, corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "jobs", Name: name}})
	}
	return &View{Evidence: e, Spec: spec, Driver: &corev1.Pod{Spec: corev1.PodSpec{ServiceAccountName: account}}}
}

// bound gives accounts a Role each of the same name, with verbs on pods and configmaps.
func (v *View) bound(roles map[string][]string) *View {
	b := snapshot.NewBuilder(v.Now)
	b.FromFiles(false)
	for name, verbs := range roles {
		b.Add(snapshot.Roles, &snapshot.RoleRules{Object: inJobs("Role", name), Rules: []snapshot.AccessRule{
			{Verbs: verbs, Groups: []string{""}, Resources: []string{"pods", "configmaps"}}}})
		b.Add(snapshot.RoleBindings, &snapshot.RoleBinding{Object: inJobs("RoleBinding", name), RoleKind: "Role", RoleName: name,
			Subjects: []snapshot.Grantee{{Account: snapshot.Account{Namespace: "jobs", Name: name}}}})
	}
	v.Access = spark.AccessOf(b.Seal())
	return v
}

func refused(id string, groups map[string]string) *cause.Cause {
	return &cause.Cause{Class: cause.Credentials, Role: cause.DriverRole, Trust: cause.ByDriverLog,
		Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.Known{Signature: catalog.Signature{ID: id}, Groups: groups}}}}
}

func forbidden(user, verb, resource string) *cause.Cause {
	return refused("rbac-denied", map[string]string{"user": user, "verb": verb, "resource": resource, "namespace": "jobs"})
}

// TestAccountsThatAreNotTheDrivers: what a job asks for itself, and what another account was refused, says nothing of executors.
func TestAccountsThatAreNotTheDrivers(t *testing.T) {
	const user = "system:serviceaccount:jobs:default"
	about := forbidden(user, "get", "pods")
	elsewhere := refused("rbac-denied", map[string]string{"user": user, "verb": "get", "resource": "pods", "namespace": "other"})
	for name, row := range map[string]struct {
		v     *View
		about *cause.Cause
	}{
		"a Secret":               {actingAs("default", app.Spec{}), forbidden(user, "get", "secrets")},
		"another account":        {actingAs("spark", app.Spec{}), about},
		"no service account":     {actingAs("default", app.Spec{}), forbidden("jane", "get", "pods")},
		"in another namespace":   {actingAs("default", app.Spec{}), elsewhere},
		"of another message":     {actingAs("default", app.Spec{}), refused("token-rejected", nil)},
		"no application is seen": {&View{Evidence: &app.Evidence{Subject: snapshot.Ref{Kind: "Pod", Namespace: "jobs"}}}, about},
	} {
		_, is := DeniedAccount(row.v, row.about)
		require.False(t, is, name)
	}
}

// TestAccountsThatMayRunExecutors: only what the roles that were seen allow, and the operator's own accounts are for no driver.
func TestAccountsThatMayRunExecutors(t *testing.T) {
	all, some := []string{"*"}, []string{"get", "list", "watch"}
	of := func(v *View) AccountDenied {
		c, is := DeniedAccount(v, forbidden("system:serviceaccount:jobs:"+v.Driver.Spec.ServiceAccountName, "create", "pods"))
		require.True(t, is)
		return c.Detail.(AccountDenied)
	}
	able := func(d AccountDenied) (names []string) {
		for _, a := range d.Able {
			names = append(names, a.Account)
		}
		return names
	}

	d := of(actingAs("default", app.Spec{}, "default", "spark", "viewer", "spark-operator-controller").
		bound(map[string][]string{"spark": all, "viewer": some, "spark-operator-controller": all}))
	require.Equal(t, "spec.driver.serviceAccount", d.Unset)
	require.Equal(t, []string{"spark"}, able(d))

	named := app.Spec{Driver: app.Role{ServiceAccount: "default"}}
	d = of(actingAs("default", named, "default", "spark").bound(map[string][]string{"spark": all}))
	require.Empty(t, d.Unset, "the spec names it")

	d = of(actingAs("default", app.Spec{}, "default", "spark"))
	require.Empty(t, d.Able, "no role was seen")
	require.Equal(t, []string{"spark"}, d.Unjudged)

	d = of(actingAs("viewer", app.Spec{Driver: app.Role{ServiceAccount: "viewer"}}, "viewer").bound(map[string][]string{"viewer": some}))
	require.Equal(t, "viewer", d.Bound[0].Name)
	require.Equal(t, []Right{{"create", "pods"}, {"create", "configmaps"}, {"delete", "pods"}}, d.Lacks)
	require.False(t, d.Allowed)

	d = of(actingAs("spark", app.Spec{Driver: app.Role{ServiceAccount: "spark"}}, "spark").bound(map[string][]string{"spark": all}))
	require.True(t, d.Allowed, "the Role was changed since")
}

// TestRolesOfAWS: the log counts before the annotation, and a path is no part of the name.
func TestRolesOfAWS(t *testing.T) {
	v := actingAs("etl", app.Spec{}, "etl")
	d := func(groups map[string]string) TrustRefused {
		c, is := RefusedTrust(v, refused("irsa-denied", groups))
		require.True(t, is)
		return c.Detail.(TrustRefused)
	}
	require.Empty(t, d(nil).Role, "nothing names one")
	v.ServiceAccounts[0].Annotations = map[string]string{AmazonRole: "arn:aws:iam::111122223333:role/team/lake"}
	require.Equal(t, "lake", d(nil).Role)
	require.Equal(t, "111122223333", d(nil).AWSAccount)
	require.Equal(t, "other", d(map[string]string{"role": "arn:aws-cn:iam::444455556666:role/other"}).Role)
	v.ServiceAccounts[0].Annotations[AmazonRole] = "lake"
	require.Empty(t, d(nil).Role, "no ARN")
	_, is := RefusedTrust(actingAs("", app.Spec{}), refused("irsa-denied", nil))
	require.False(t, is, "whose account it was is not known")
	_, is = RefusedTrust(v, refused("irsa-role-denied", nil))
	require.False(t, is, "another role was to assume it")
}

// TestJavaOfImages: a log counts before a tag, and a tag names a Java by its own words only.
func TestJavaOfImages(t *testing.T) {
	java := func(image, log string) string {
		v := actingAs("spark", app.Spec{})
		v.Driver.Name = "etl-driver"
		v.Driver.Spec.Containers = []corev1.Container{{Name: "spark-kubernetes-driver", Image: image}}
		v.Logs = []app.Log{{Pod: "etl-driver", Tail: log}}
		about := refused("java-get-subject", nil)
		about.Subject.Name = "etl-driver"
		c, is := MisfitJava(v, about)
		if !is {
			return ""
		}
		return c.Detail.(JavaMisfit).Java
	}
	require.Equal(t, "25.0.1", java("spark:4.0.1-java17", "26/01/22 09:42:06 INFO SparkContext: Java version 25.0.1+8-LTS\n"))
	require.Equal(t, "25", java("ghcr.io/x/spark-py:4.0.1-temurin25", ""))
	require.Equal(t, "24", java("spark:4.0.1-jdk24-ubuntu", "etl: Java version 17\n"))
	for _, image := range []string{"spark:4.0.1", "java25-jobs/etl:1.25", "spark:java2500", "x/java-spark:25"} {
		require.Empty(t, java(image, ""), image)
	}
}
