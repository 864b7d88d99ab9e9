package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	testbuild "github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestHelmRelease reads releases as Helm keeps them: one that is deployed, one that was changed beside Helm, and one that a helm left
// pending which was killed. What gate says of the last is what Helm then says. Nobody may read them without the Role that rbac prints.
func TestHelmRelease(t *testing.T) {
	t.Parallel()
	const from, to, secret = "2.5.1", "2.5.2", "hunter2-of-the-values"
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: to})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	admin := as(t, cp, build(t), "admin")
	chart, err := testbuild.OperatorChart(t.Context(), from)
	require.NoError(t, err)
	b := releases{cp: cp, doctor: admin, dir: t.TempDir()}
	values := "image: {registry: 'https://me:" + secret + "@registry.example.com'}\nspark: {jobNamespaces: [default, team-a]}\n"
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "values.yaml"), []byte(values), 0o600))
	b.must(t, "kubectl create namespace team-a && helm install spark "+chart+" -n op --create-namespace --no-hooks --skip-crds -f values.yaml")

	user := as(t, cp, admin.binary, "u2")
	grantRoles(t, cp.Client, admin, "u2", "--for-gate")
	gate := []string{"gate", "--to", to, "--helm-release", "--checks", "SD5012,SD7005,SD7013,SD7027", "--confirm-after", "1s"}
	o := user.run(t, gate...)
	require.Equal(t, 2, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stderr, "you may not list and get Secrets in namespace op")
	b.must(t, "kubectl-sparkdoctor rbac --for-gate --helm-release --operator-namespaces op --bind user=u2 --name release | "+
		"kubectl apply -f -")

	o = user.run(t, gate...)
	require.Contains(t, o.stdout, "release op/spark revision 1, deployed, chart spark-operator-"+from)
	require.NotContains(t, o.stdout, "the values set")
	require.NotContains(t, o.stdout+o.stderr, secret)

	b.must(t, "kubectl -n op scale deployment spark-spark-operator-webhook --replicas=0")
	o = user.run(t, gate...)
	require.NotContains(t, o.stdout, "the values set", "people scale")
	b.must(t, "kubectl -n op delete deployment spark-spark-operator-webhook && helm upgrade spark "+chart+
		" -n op --no-hooks -f values.yaml --set webhook.enable=false && helm upgrade spark "+chart+" -n op --no-hooks -f values.yaml --set "+
		"spark.jobNamespaces='{default}' --dry-run=server > /dev/null")
	o = user.run(t, gate...)
	require.Contains(t, o.stdout, "revision 2, deployed")
	require.NotContains(t, o.stdout, "the values set")
	b.must(t, "kubectl -n op get deployment spark-spark-operator-controller -o json | sed 's/=default,team-a/=default/' | "+
		"kubectl replace -f -")
	o = user.run(t, gate...)
	require.Contains(t, strings.Join(strings.Fields(o.stdout), " "), "the values set spark.jobNamespaces to default, team-a, but Deployment "+
		"spark-spark-operator-controller has --namespaces default")

	// Killed as soon as the revision is there: it waits for a webhook that never becomes ready, as nothing runs behind pods here.
	_, err = b.sh(t, "{ helm upgrade spark "+chart+" -n op --no-hooks -f values.yaml --wait --timeout 5m & }; helm=$!; "+
		"kubectl -n op wait --for=create secret/sh.helm.release.v1.spark.v3 --timeout=2m && kill -KILL $helm && wait $helm")
	require.Error(t, err)
	o = user.run(t, gate...)
	require.Equal(t, 1, o.code, o.stdout+o.stderr)
	said := strings.Join(strings.Fields(o.stdout), " ")
	const refusal = "another operation (install/upgrade/rollback) is in progress"
	require.Contains(t, said, "revision 3 is pending-upgrade: \""+refusal+"\"; revision 2 was deployed last")
	out, err := b.sh(t, "helm upgrade spark "+chart+" -n op --no-hooks -f values.yaml")
	require.Error(t, err, "gate keeps its word")
	require.Contains(t, out, refusal)
	b.must(t, "helm rollback spark 2 -n op --timeout 5m --no-hooks") // as gate prints it
	o = user.run(t, gate...)
	require.NotContains(t, o.stdout, "will refuse")
}
