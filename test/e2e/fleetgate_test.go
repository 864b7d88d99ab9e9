package e2e

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// upgradePlan is the part of "kind: UpgradePlan" that the test looks at.
type upgradePlan struct {
	Kind, Verdict string
	Operators     []planRow
}

type planRow struct {
	Cluster, Controller, Installed, Take, Error string
	Targets                                     []struct {
		To, Verdict string
		Checks      []string
	}
}

// TestGateOfTwoClusters asks two control planes at once. Both have an operator of the same name and namespace, of which nothing runs.
// One has an application whose name 2.4.0 and later reject (#2711), so that each row is its own cluster's.
func TestGateOfTwoClusters(t *testing.T) {
	t.Parallel()
	apps := map[string]string{"good": "etl", "bad": "1st.job"}
	kubeconfig := clientcmdapi.NewConfig()
	kubeconfig.Clusters["dark"] = &clientcmdapi.Cluster{Server: "http://127.0.0.1:1"}
	kubeconfig.Contexts["dark"] = &clientcmdapi.Context{Cluster: "dark"}
	names := []string{"good", "bad"}
	planes := make([]*controlplane.ControlPlane, len(names))
	var g errgroup.Group
	for i := range names {
		g.Go(func() (err error) {
			planes[i], err = controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: "2.3.0"})
			return err
		})
	}
	err := g.Wait()
	for _, cp := range planes {
		if cp != nil {
			t.Cleanup(func() { require.NoError(t, cp.Stop()) })
		}
	}
	require.NoError(t, err)
	for i, cp := range planes {
		name := names[i]
		hasOperator(t, cp, "2.3.0")
		require.NoError(t, cp.CreateNamespace(t.Context(), "jobs"))
		_, err := cp.CreateApplication(t.Context(), controlplane.NewApplication("jobs", apps[name]))
		require.NoError(t, err)
		path, err := cp.Kubeconfig("admin")
		require.NoError(t, err)
		raw, err := clientcmd.LoadFromFile(path)
		require.NoError(t, err)
		now := raw.Contexts[raw.CurrentContext]
		kubeconfig.Clusters[name], kubeconfig.AuthInfos[name] = raw.Clusters[now.Cluster], raw.AuthInfos[now.AuthInfo]
		kubeconfig.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	}
	d := doctor{binary: build(t), kubeconfig: filepath.Join(t.TempDir(), "kubeconfig")}
	require.NoError(t, clientcmd.WriteToFile(*kubeconfig, d.kubeconfig))

	ask := func(code int, verdict string, args ...string) []planRow {
		o := d.run(t, append([]string{"gate", "-o", "json", "--checks", "SD7006", "--confirm-after", "1s"}, args...)...)
		require.Equal(t, code, o.code, "%s\n%s", o.stdout, o.stderr)
		var p upgradePlan
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &p), o.stdout)
		require.Equal(t, []string{"UpgradePlan", verdict}, []string{p.Kind, p.Verdict}, o.stdout)
		return p.Operators
	}
	verdicts := func(row planRow) map[string]string {
		require.Equal(t, []string{"spark-operator/spark-operator-controller", "2.3.0"}, []string{row.Controller, row.Installed})
		out := map[string]string{}
		for _, target := range row.Targets {
			out[target.To] = target.Verdict
			if target.Verdict == "NO-GO" {
				require.Equal(t, []string{"SD7006"}, target.Checks)
			}
		}
		return out
	}
	all := func(verdict string) map[string]string {
		return map[string]string{"2.4.0": verdict, "2.5.0": verdict, "2.5.1": verdict, "2.5.2": verdict}
	}

	rows := ask(1, "NO-GO", "--contexts", "good,bad")
	require.Len(t, rows, 2)
	require.Equal(t, []string{"bad", "good"}, []string{rows[0].Cluster, rows[1].Cluster}, "sorted")
	require.Equal(t, all("NO-GO"), verdicts(rows[0]))
	require.Equal(t, all("GO"), verdicts(rows[1]))
	require.Equal(t, []string{"", "2.5.2"}, []string{rows[0].Take, rows[1].Take})

	rows = ask(1, "NO-GO", "--contexts", "bad,good", "--to", "2.4.0")
	require.Equal(t, map[string]string{"2.4.0": "NO-GO"}, verdicts(rows[0]))
	require.Equal(t, map[string]string{"2.4.0": "GO"}, verdicts(rows[1]))
	rows = ask(0, "GO", "--contexts", "good")
	require.Equal(t, all("GO"), verdicts(rows[0]))

	// A cluster that does not answer leaves the verdict open, unless another is a NO-GO; the others have their rows all the same.
	rows = ask(3, "INCOMPLETE", "--contexts", "dark,good")
	require.Contains(t, rows[0].Error, "the connection to the server http://127.0.0.1:1 failed")
	require.Equal(t, all("GO"), verdicts(rows[1]))
	rows = ask(1, "NO-GO", "--all-contexts")
	require.Len(t, rows, 3)
	require.Equal(t, 2, d.run(t, "gate", "--contexts", "dark").code, "nothing answers")

	table := d.run(t, "gate", "--checks", "SD7006", "--contexts", "good,bad", "--confirm-after", "1s")
	require.Equal(t, 1, table.code)
	require.Regexp(t, `good .*GO`, table.stdout)
	require.Regexp(t, `bad .*NO-GO`, table.stdout)
}

// hasOperator creates the Deployments of a controller and its webhook as the chart does. Nothing runs in their pods.
func hasOperator(t *testing.T, cp *controlplane.ControlPlane, release string) {
	t.Helper()
	const namespace = "spark-operator"
	require.NoError(t, cp.CreateNamespace(t.Context(), namespace))
	for _, component := range []string{"controller", "webhook"} {
		name := "spark-operator-" + component
		selector := map[string]string{"app.kubernetes.io/name": "spark-operator", "app.kubernetes.io/component": component}
		labels := maps.Clone(selector)
		labels["app.kubernetes.io/instance"], labels["app.kubernetes.io/version"] = "spark-operator", release
		labels["helm.sh/chart"] = "spark-operator-" + release
		_, err := cp.Client.AppsV1().Deployments(namespace).Create(t.Context(), &appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
			Spec: appsv1.DeploymentSpec{
				Selector: &metav1.LabelSelector{MatchLabels: selector},
				Template: corev1.PodTemplateSpec{
					ObjectMeta: metav1.ObjectMeta{Labels: selector},
					Spec: corev1.PodSpec{Containers: []corev1.Container{{
						Name: name, Image: "ghcr.io/kubeflow/spark-operator/controller:" + release,
						Args: []string{component, "start", "--namespaces=jobs"},
					}}},
				},
			},
		}, metav1.CreateOptions{})
		require.NoError(t, err)
	}
}
