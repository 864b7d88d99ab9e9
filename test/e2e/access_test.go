package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

const accessChecks = "SD5006,SD5007"

func runAs(account string) func(*unstructured.Unstructured) {
	return func(app *unstructured.Unstructured) {
		spec := app.Object["spec"].(map[string]any)
		if account == "" {
			delete(spec["driver"].(map[string]any), "serviceAccount")
			return
		}
		spec["driver"].(map[string]any)["serviceAccount"] = account
	}
}

// may asks the API server what a service account may do.
func (s situation) may(t *testing.T, account, namespace, verb, group, resource, subresource string) bool {
	t.Helper()
	review, err := s.cp.Client.AuthorizationV1().SubjectAccessReviews().Create(t.Context(),
		&authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: "system:serviceaccount:" + account, Groups: []string{"system:serviceaccounts", "system:authenticated"},
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: verb, Group: group, Resource: resource,
				Subresource: subresource},
		}}, metav1.CreateOptions{})
	require.NoError(t, err)
	return review.Status.Allowed
}

// weakAccounts runs drivers as an account that is not there, as one that may do nothing, and as the default one.
func weakAccounts(t *testing.T, s situation) {
	ns := s.namespace(t, "accounts")
	accounts := s.cp.Client.CoreV1().ServiceAccounts(ns)
	_, err := accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "weak"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	s.application(t, ns, "fine")
	s.application(t, ns, "weak", runAs("weak"))
	s.application(t, ns, "unnamed", runAs(""))
	gone := controlplane.NewApplication(ns, "gone")
	runAs("gone")(gone)
	_, err = s.cp.CreateApplication(t.Context(), gone)
	require.NoError(t, err)
	failed, err := s.cp.WaitForState(t.Context(), ns, "gone", "FAILED")
	require.NoError(t, err, "the API server refuses the driver pod")
	message, _, _ := unstructured.NestedString(failed.Object, "status", "applicationState", "errorMessage")
	require.Contains(t, message, "serviceaccount \"gone\" not found")
	again := controlplane.NewApplication(ns, "again")
	runAs("gone")(again)
	again.Object["spec"].(map[string]any)["restartPolicy"] = map[string]any{"type": "OnFailure", "onSubmissionFailureRetries": int64(9),
		"onSubmissionFailureRetryInterval": int64(60), "onFailureRetries": int64(9), "onFailureRetryInterval": int64(60)}
	_, err = s.cp.CreateApplication(t.Context(), again)
	require.NoError(t, err)
	_, err = s.cp.WaitForState(t.Context(), ns, "again", "SUBMISSION_FAILED")
	require.NoError(t, err)

	o := s.doctor.scan(t, "-n", ns, "--checks", accessChecks)
	require.Equal(t, []string{
		"error proven SD5007 ServiceAccount accounts/default", "error proven SD5007 ServiceAccount accounts/gone",
		"error proven SD5007 ServiceAccount accounts/weak",
	}, o.findings(), o.stdout)
	require.Contains(t, o.report.Items[1].Message, "2 applications such as again name it")
	for _, account := range []string{"default", "weak", "spark-operator-spark"} {
		for _, verb := range []string{"get", "watch", "create", "list", "delete"} {
			require.Equal(t, account == "spark-operator-spark", s.may(t, ns+":"+account, ns, verb, "", "pods", ""), "%s %s", account, verb)
		}
	}
	one := s.doctor.scan(t, "sparkapplication/weak", "-n", ns, "--checks", accessChecks)
	require.Equal(t, []string{"error proven SD5007 ServiceAccount accounts/weak"}, one.findings())

	_, err = accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "gone"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	bound := rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "everybody"},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "edit"},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "system:serviceaccounts:" + ns}}}
	_, err = s.cp.Client.RbacV1().RoleBindings(ns).Create(t.Context(), &bound, metav1.CreateOptions{})
	require.NoError(t, err)
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--checks", accessChecks).findings(),
		"the ClusterRole edit is aggregated by the real controller, and bound to a group")
}

// revokedBinding takes the controller's Role of one namespace away.
func revokedBinding(t *testing.T, s situation) {
	ns := s.namespace(t, "revoked")
	s.application(t, ns, "before")
	bindings := s.cp.Client.RbacV1().RoleBindings(ns)
	const name = "spark-operator-controller"
	binding, err := bindings.Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	require.NoError(t, bindings.Delete(t.Context(), name, metav1.DeleteOptions{}))
	o := s.doctor.scan(t, "--checks", accessChecks)
	require.Equal(t, []string{"error proven SD5006 Deployment spark-operator/spark-operator-controller"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "in namespace revoked")
	require.Contains(t, o.message(t), "list/watch pods")
	require.False(t, s.may(t, s.op.Namespace+":"+name, ns, "update", "sparkoperator.k8s.io", "sparkapplications", "status"))
	app := controlplane.NewApplication(ns, "after")
	_, err = s.cp.CreateApplication(t.Context(), app)
	require.NoError(t, err)
	time.Sleep(3 * time.Second) // nothing happens
	stuck, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Get(t.Context(), "after", metav1.GetOptions{})
	require.NoError(t, err)
	state, _, _ := unstructured.NestedString(stuck.Object, "status", "applicationState", "state")
	require.Empty(t, state, "the controller cannot write one")

	_, err = bindings.Create(t.Context(), &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: binding.Labels,
		Annotations: binding.Annotations}, RoleRef: binding.RoleRef, Subjects: binding.Subjects}, metav1.CreateOptions{})
	require.NoError(t, err)
	until(t, "the application to be taken up", func(ctx context.Context) (bool, error) {
		got, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Get(ctx, "after", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		state, _, _ := unstructured.NestedString(got.Object, "status", "applicationState", "state")
		return state == "RUNNING", fmt.Errorf("state %q", state)
	})
	require.Empty(t, s.doctor.scan(t, "--checks", accessChecks).findings())
}

// TestIngressesOf251 runs the release whose chart does not let its controller list the ingresses that it looks for.
func TestIngressesOf251(t *testing.T) {
	t.Parallel()
	const version, ns = "2.5.1", "jobs"
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: []string{ns},
		Values: map[string]any{
			"controller": map[string]any{"uiIngress": map[string]any{"enable": true, "urlFormat": "{{$appName}}.example.com"}},
		}})
	require.NoError(t, err)
	s := situation{cp: cp, op: op, doctor: as(t, cp, build(t), "admin"), version: version}
	require.Empty(t, s.doctor.scan(t, "--checks", accessChecks).findings(), "nothing needs an ingress yet")
	_, err = cp.CreateApplication(t.Context(), controlplane.NewApplication(ns, "pi"))
	require.NoError(t, err)
	_, err = cp.WaitForPod(t.Context(), ns, "pi-driver")
	require.NoError(t, err)
	until(t, "the controller to be refused the ingresses", func(context.Context) (bool, error) {
		return strings.Contains(op.Logs(), `cannot list resource \"ingresses\"`), nil
	})
	time.Sleep(5 * time.Second) // nothing happens
	app, err := cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Get(t.Context(), "pi", metav1.GetOptions{})
	require.NoError(t, err)
	state, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state")
	require.NotEqual(t, "RUNNING", state, "its worker waits for the ingresses")
	o := s.doctor.scan(t, "--checks", accessChecks)
	require.Equal(t, []string{"error proven SD5006 Deployment spark-operator/spark-operator-controller"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "may not list/watch ingresses in namespace jobs, as operator 2.5.1 needs")

	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "ingresses"},
		Rules: []rbacv1.PolicyRule{{APIGroups: []string{"networking.k8s.io"}, Resources: []string{"ingresses"},
			Verbs: []string{"list", "watch"}}}}
	_, err = cp.Client.RbacV1().Roles(ns).Create(t.Context(), role, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = cp.Client.RbacV1().RoleBindings(ns).Create(t.Context(),
		&rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "ingresses"},
			RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "ingresses"},
			Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: op.Namespace, Name: "spark-operator-controller"}}},
		metav1.CreateOptions{})
	require.NoError(t, err)
	require.NoError(t, op.Restart(t.Context(), "controller"))
	_, err = cp.WaitForState(t.Context(), ns, "pi", "RUNNING")
	require.NoError(t, err, "what the page says repairs it")
	require.Empty(t, s.doctor.scan(t, "--checks", accessChecks).findings())
}
