package command

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestLogsOfAPod: kubectl logs takes TYPE/NAME, not TYPE NAME.
func TestLogsOfAPod(t *testing.T) {
	pod := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "etl-driver"}
	require.Equal(t, "kubectl -n a logs pod/etl-driver --previous", Do("read it").On("logs", pod, "--previous").Line)
	require.Equal(t, "kubectl -n a describe pod etl-driver", Do("look at it").On("describe", pod).Line)
}

// installed is an operator of a release whose controller has labels, and marks of Helm and Argo CD.
func installed(t *testing.T, version, helm, tracked string, labels map[string]string) *operator.Installation {
	t.Helper()
	d := snapshot.Deployment{Replicas: 1, TrackedBy: tracked, Containers: []snapshot.Container{{
		Name: "operator", Image: "ghcr.io/kubeflow/spark-operator/controller:" + version, Args: []string{"controller", "start"},
	}}}
	if version[0] == 'v' {
		d.Containers[0].Image, d.Containers[0].Args = "docker.io/kubeflow/spark-operator:"+version, []string{"-controller-threads=10"}
	}
	d.Ref = snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "spark", Name: "jobs-spark-operator-controller"}
	if helm != "" {
		d.Helm = snapshot.HelmRelease{Namespace: "spark", Name: helm}
	}
	d.Labels = snapshot.LabelsOf(labels)
	found := operator.Find([]snapshot.Deployment{d})
	require.Len(t, found, 1)
	return &found[0]
}

// TestSetByOwner: values are changed where they come from, and an upgrade never replaces a chart that only contains the operator's.
func TestSetByOwner(t *testing.T) {
	chart := map[string]string{"helm.sh/chart": "spark-operator-2.5.1"}
	with := func(key, value string) map[string]string {
		return map[string]string{"helm.sh/chart": "spark-operator-2.5.1", key: value, key[:len(key)-4] + "namespace": "flux-system"}
	}
	value := Value{Path: "controller.maxTrackedExecutorPerApp", To: "1000", Flag: "max-tracked-executor-per-app"}
	for name, c := range map[string]struct {
		in         *operator.Installation
		text, line string
	}{
		"Helm": {
			installed(t, "2.5.1", "jobs", "", chart), "set controller.maxTrackedExecutorPerApp=1000 in the values of Helm release jobs",
			`helm list -n spark --filter '^jobs$' -o json | grep -q '"chart":"spark-operator-2.5.1"' && helm upgrade jobs ` +
				`spark-operator/spark-operator --version 2.5.1 -n spark --reuse-values --set controller.maxTrackedExecutorPerApp=1000`,
		},
		"Helm, with a chart that is none of the operator's": {
			installed(t, "2.5.1", "platform", "", map[string]string{"helm.sh/chart": "platform-1.0.0"}),
			"set controller.maxTrackedExecutorPerApp=1000 in the values of Helm release platform, then upgrade it",
			"helm get values platform -n spark",
		},
		"Argo CD, by its annotation": {
			installed(t, "2.5.1", "", "annotation argocd.argoproj.io/tracking-id spark-jobs:apps/Deployment:spark/x", chart),
			"set controller.maxTrackedExecutorPerApp=1000 in the Helm values of Argo CD application spark-jobs, then sync it", "",
		},
		"Argo CD, of manifests": {
			installed(t, "2.5.1", "", "label argocd.argoproj.io/instance spark-jobs", nil),
			"set --max-tracked-executor-per-app=1000 in what Argo CD application spark-jobs applies as Deployment jobs-spark-operator-controller",
			"",
		},
		"a HelmRelease of Flux": {
			installed(t, "2.5.1", "jobs", "", with("helm.toolkit.fluxcd.io/name", "jobs-hr")),
			"set controller.maxTrackedExecutorPerApp=1000 in spec.values of HelmRelease jobs-hr",
			"kubectl -n flux-system get helmrelease jobs-hr -o yaml",
		},
		"a Kustomization of Flux": {
			installed(t, "2.5.1", "", "", map[string]string{"kustomize.toolkit.fluxcd.io/name": "platform"}),
			"set --max-tracked-executor-per-app=1000 in what Kustomization platform applies as Deployment jobs-spark-operator-controller", "",
		},
		"helm template": {
			installed(t, "2.5.1", "", "", chart),
			"set controller.maxTrackedExecutorPerApp=1000 in the values of chart spark-operator 2.5.1, and render and apply it again", "",
		},
		"nothing that says so": {
			installed(t, "2.5.1", "", "", nil),
			"set --max-tracked-executor-per-app=1000 in the manifest of Deployment jobs-spark-operator-controller",
			"kubectl -n spark edit deployment jobs-spark-operator-controller",
		},
		"no operator that was seen": {nil, "set controller.maxTrackedExecutorPerApp=1000 in the operator's Helm values", ""},
		"a release whose name is not for a shell": {
			installed(t, "2.5.1", "a;reboot", "", chart), "set controller.maxTrackedExecutorPerApp=1000 in the values of Helm release a;reboot", "",
		},
	} {
		require.Equal(t, Command{Text: c.text, Line: c.line}, Set(c.in, value), name)
		require.NotContains(t, Again(c.in, "it").Line, "--set", name)
	}
	// A list is in braces, which a shell would take apart.
	list := Set(installed(t, "2.5.1", "jobs", "", chart), JobNamespaces(nil, []string{"a", "b"}))
	require.Contains(t, list.Line, ` --set 'spark.jobNamespaces={a,b}'`)
	require.Empty(t, List([]string{"a", "b c"}))
	require.NotContains(t, Set(installed(t, "2.5.1", "jobs", "", chart), JobNamespaces(nil, nil)).Line, "upgrade",
		"what is not chosen is not set")
}

// TestNamesOfValues: charts of 1.x have them elsewhere.
func TestNamesOfValues(t *testing.T) {
	one := installed(t, "v1beta2-1.6.2-3.5.0", "jobs", "", map[string]string{"helm.sh/chart": "spark-operator-1.4.6"})
	two := installed(t, "2.5.1", "jobs", "", map[string]string{"helm.sh/chart": "spark-operator-2.5.1"})
	require.Contains(t, Set(one, JobNamespaces(one, []string{"a"})).Line,
		"--version 1.4.6 -n spark --reuse-values --set 'sparkJobNamespaces={a}'")
	require.Equal(t, "raise controllerThreads to 20 in the values of Helm release jobs", Raise(one, Workers(one, "20")).Text)
	require.Equal(t, "raise controller.workers to 20 in the values of Helm release jobs", Raise(two, Workers(two, "20")).Text)
	require.Contains(t, Raise(one, MemoryLimit(one, true, "1Gi")).Line, "--set resources.limits.memory=1Gi")
	require.Contains(t, Raise(two, MemoryLimit(two, true, "1Gi")).Line, "--set webhook.resources.limits.memory=1Gi")
	require.Contains(t, Set(one, Replicas(one, true, "1")).Line, "--set replicaCount=1")
	require.Contains(t, Set(two, BatchScheduler(two, "x")...).Line,
		"--set controller.batchScheduler.enable=true --set 'controller.batchScheduler.kubeSchedulerNames={x}'")
	older := installed(t, "v1beta2-1.3.8-3.1.1", "jobs", "", map[string]string{"helm.sh/chart": "spark-operator-1.1.27"})
	require.Equal(t, "set sparkJobNamespace in the values of Helm release jobs, then upgrade it",
		Set(older, JobNamespaces(older, []string{"a"})).Text)
}

// TestUpgradeSkipsFatalReleases: 2.0.2 fixes what 2.0.1 breaks, and is no release to go to.
func TestUpgradeSkipsFatalReleases(t *testing.T) {
	in := installed(t, "2.0.1", "jobs", "", nil)
	c := Upgrade(in, operator.Version{Major: 2, Patch: 2}, "")
	require.Equal(t, "upgrade the operator to 2.1.1 or newer", c.Text)
	require.Equal(t, "kubectl sparkdoctor gate --to "+operator.Newest().String()+" --operator spark/jobs-spark-operator-controller", c.Line)
}
