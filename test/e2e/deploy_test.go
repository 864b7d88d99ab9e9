package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	recipes "github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

const (
	manifests = "../../deploy/base"
	alerting  = "../../deploy/monitoring"
	preSync   = "../../examples/gates/argocd-presync.yaml"
)

// deployed applies the manifests as a user does, and runs the command lines of their containers as their service account,
// with what a container has: nothing that can be written, and no home.
func deployed(t *testing.T, cp *controlplane.ControlPlane, binary string) {
	kubeconfig, err := cp.Kubeconfig("admin")
	require.NoError(t, err)
	kubectl := func(args ...string) string {
		var stderr bytes.Buffer
		cmd := exec.CommandContext(t.Context(), cp.Kubectl(), args...)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.NoError(t, err, "%v\n%s", args, stderr.String())
		require.NotContains(t, stderr.String(), "Warning", "%v", args) // of PodSecurity, or of a field that is not known
		return string(out)
	}
	kubectl("create", "-f", manifests+"/namespace.yaml") // a dry run creates none for what is in it
	kubectl("apply", "--server-side", "--force-conflicts", "--validate=strict", "--dry-run=server", "-k", manifests)
	kubectl("apply", "--server-side", "--force-conflicts", "--validate=strict", "-k", manifests)
	kubectl("create", "job", "-n", "sparkdoctor", "--from=cronjob/sparkdoctor-scan", "now")
	for _, component := range []string{"scan", "serve"} {
		until(t, "a pod of "+component+", which Pod Security admits", func(ctx context.Context) (bool, error) {
			pods, err := cp.Client.CoreV1().Pods("sparkdoctor").List(ctx,
				metav1.ListOptions{LabelSelector: "app.kubernetes.io/component=" + component})
			return err == nil && len(pods.Items) == 1, err
		})
	}

	var job batchv1.CronJob
	require.NoError(t, json.Unmarshal([]byte(kubectl("get", "cronjob", "-n", "sparkdoctor", "sparkdoctor-scan", "-o", "json")), &job))
	var server appsv1.Deployment
	require.NoError(t, json.Unmarshal([]byte(kubectl("get", "deployment", "-n", "sparkdoctor", "sparkdoctor", "-o", "json")), &server))
	account, err := cp.AccountKubeconfig(t.Context(), "sparkdoctor", "sparkdoctor")
	require.NoError(t, err)
	d := doctor{binary: binary, kubeconfig: account, variables: []string{"HOME=/nowhere"}}

	crds, err := recipes.PrometheusOperatorCRDs(t.Context())
	require.NoError(t, err)
	kubectl("apply", "--server-side", "-f", crds)
	kubectl("wait", "--for=condition=established", "--timeout=1m", "-f", crds)
	kubectl("apply", "--server-side", "--validate=strict", "-k", alerting)
	var monitor struct {
		Spec struct {
			Selector  metav1.LabelSelector
			Endpoints []struct{ Port string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(kubectl("get", "servicemonitor", "-n", "sparkdoctor", "sparkdoctor", "-o", "json")), &monitor))
	services, err := cp.Client.CoreV1().Services("sparkdoctor").List(t.Context(),
		metav1.ListOptions{LabelSelector: metav1.FormatLabelSelector(&monitor.Spec.Selector)})
	require.NoError(t, err)
	require.Len(t, services.Items, 1, "what the ServiceMonitor selects")
	require.Equal(t, monitor.Spec.Endpoints[0].Port, services.Items[0].Spec.Ports[0].Name)

	args := containerArgs(t, job.Spec.JobTemplate.Spec.Template.Spec)
	require.Equal(t, "scan", args[0])
	o := d.scan(t, args[1:]...)
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	require.Empty(t, o.findings())
	require.Zero(t, o.report.Summary.Checks.Skipped)
	for _, c := range o.report.Checks {
		require.NotEqual(t, "partial", c.Coverage, "%s %v", c.ID, c.Unseen)
	}
	var hook batchv1.Job
	require.NoError(t, json.Unmarshal([]byte(kubectl("create", "--validate=strict", "--dry-run=server", "-f", preSync, "-o", "json")), &hook))
	args = containerArgs(t, hook.Spec.Template.Spec)
	o = d.run(t, append(args, "-o", "json")...)
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	args = containerArgs(t, server.Spec.Template.Spec)
	require.Equal(t, "serve", args[0])
	serves(t, d, args[1:]...)
}

// containerArgs of the only container, which may write nothing and gain nothing.
func containerArgs(t *testing.T, spec corev1.PodSpec) []string {
	t.Helper()
	require.Equal(t, "sparkdoctor", spec.ServiceAccountName)
	require.True(t, *spec.SecurityContext.RunAsNonRoot)
	require.Len(t, spec.Containers, 1)
	require.Empty(t, spec.Volumes)
	c := spec.Containers[0]
	require.Regexp(t, `^ghcr\.io/sparkdoctor/kubectl-sparkdoctor:v\d`, c.Image)
	require.True(t, *c.SecurityContext.ReadOnlyRootFilesystem)
	require.False(t, *c.SecurityContext.AllowPrivilegeEscalation)
	return c.Args
}
