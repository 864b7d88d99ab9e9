package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// justTheRoles gives a user the roles that "rbac" prints and nothing else, and scans with all that a scan can do.
func justTheRoles(t *testing.T, cp *controlplane.ControlPlane, admin doctor) {
	grantRoles(t, cp.Client, admin, "u8", "--probe", "--logs")
	u := as(t, cp, admin.binary, "u8")
	var o outcome
	until(t, "the API server to know the roles", func(context.Context) (bool, error) {
		o = u.scan(t, "--probe", "--logs")
		return o.code == 0, nil
	})
	require.Empty(t, o.findings())
	require.Zero(t, o.report.Summary.Checks.Skipped)
	for _, c := range o.report.Checks {
		require.NotEqual(t, "partial", c.Coverage, "%s %v", c.ID, c.Unseen)
	}
	can := func(verb, resource, namespace, name string) bool {
		review, err := cp.Client.AuthorizationV1().SubjectAccessReviews().Create(t.Context(),
			&authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
				User: "u8", ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Resource: resource, Namespace: namespace, Name: name},
			}}, metav1.CreateOptions{})
		require.NoError(t, err)
		return review.Status.Allowed
	}
	require.True(t, can("list", "pods", "jobs", ""))
	for _, never := range [][4]string{{"list", "secrets", "", ""}, {"get", "secrets", "jobs", "any"},
		{"get", "secrets", "spark-operator", "any"}, {"patch", "pods", "jobs", "any"}, {"delete", "pods", "jobs", "any"}} {
		require.False(t, can(never[0], never[1], never[2], never[3]), "%v", never)
	}
}

// grantRoles creates what "rbac" prints, bound to a user.
func grantRoles(t *testing.T, client kubernetes.Interface, admin doctor, user string, args ...string) {
	t.Helper()
	o := admin.run(t, append([]string{"rbac", "--discover", "--name", "sparkdoctor-" + user, "--bind", "user=" + user, "-o", "json"},
		args...)...)
	require.Equal(t, 0, o.code, o.stderr)
	var list struct{ Items []json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &list))
	require.NotEmpty(t, list.Items)
	rbac := client.RbacV1()
	for _, raw := range list.Items {
		var head metav1.PartialObjectMetadata
		require.NoError(t, json.Unmarshal(raw, &head))
		var err error
		switch head.Kind {
		case "ClusterRole":
			_, err = rbac.ClusterRoles().Create(t.Context(), parsed[rbacv1.ClusterRole](t, raw), metav1.CreateOptions{})
		case "ClusterRoleBinding":
			_, err = rbac.ClusterRoleBindings().Create(t.Context(), parsed[rbacv1.ClusterRoleBinding](t, raw), metav1.CreateOptions{})
		case "Role":
			_, err = rbac.Roles(head.Namespace).Create(t.Context(), parsed[rbacv1.Role](t, raw), metav1.CreateOptions{})
		case "RoleBinding":
			_, err = rbac.RoleBindings(head.Namespace).Create(t.Context(), parsed[rbacv1.RoleBinding](t, raw), metav1.CreateOptions{})
		default:
			require.Fail(t, "rbac printed a "+head.Kind)
		}
		require.NoError(t, err)
	}
}

func parsed[T any](t *testing.T, raw []byte) *T {
	t.Helper()
	into := new(T)
	require.NoError(t, json.Unmarshal(raw, into))
	return into
}

// completes presses Tab in kubectl.
func completes(t *testing.T, cp *controlplane.ControlPlane, d doctor) {
	dir := t.TempDir()
	require.NoError(t, os.Symlink(d.binary, filepath.Join(dir, "kubectl-sparkdoctor")))
	require.NoError(t, os.Symlink(cp.Kubectl(), filepath.Join(dir, "kubectl")))
	env := append(d.env(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	kubectl := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), cp.Kubectl(), args...)
		cmd.Env = env
		out, err := cmd.Output()
		require.NoError(t, err, args)
		return string(out)
	}
	kubectl("sparkdoctor", "completion", "kubectl", "--install")
	require.Contains(t, kubectl("__complete", "sparkdoctor", "scan", "-n", "jobs", "sparkapplication/"), "sparkapplication/pi\n:4\n")
	require.Contains(t, kubectl("__complete", "sparkdoctor", "explain", "SD2001", "-n", "jobs", "pod/"), "pod/pi-driver\n")
	require.Contains(t, kubectl("__complete", "sparkdoctor", "scan", "-n", "jo"), "jobs\n:4\n")
	require.Contains(t, kubectl("__complete", "sparkdoctor", "explain", "cross"), "cross-namespace-owner\t")
}
