package runbook

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// installedOperator is a controller and a webhook of 2.3.0 as Helm makes them: labels of the chart, annotations of the release.
const installedOperator = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: platform-spark-operator-controller
  namespace: etl
  labels: {app.kubernetes.io/instance: platform, helm.sh/chart: spark-operator-2.3.0, app.kubernetes.io/version: 2.3.0, app.kubernetes.io/managed-by: Helm}
  annotations: {meta.helm.sh/release-name: platform, meta.helm.sh/release-namespace: etl}
spec: {template: {spec: {containers: [{name: c, image: 'ghcr.io/kubeflow/spark-operator/controller:2.3.0', args: [controller, start]}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: platform-spark-operator-webhook
  namespace: etl
  labels: {app.kubernetes.io/instance: platform, helm.sh/chart: spark-operator-2.3.0, app.kubernetes.io/managed-by: Helm}
  annotations: {meta.helm.sh/release-name: platform, meta.helm.sh/release-namespace: etl}
spec: {template: {spec: {containers: [{name: c, image: 'ghcr.io/kubeflow/spark-operator/controller:2.3.0', args: [webhook, start]}]}}}
---
`

// TestOthersInRelease holds who shares a release with the operator: what Helm annotated so, and what has its label and another chart's.
func TestOthersInRelease(t *testing.T) {
	const labels = "app.kubernetes.io/instance: platform"
	for name, c := range map[string]struct{ beside, want string }{
		"nothing": {"", ""},
		"the operator's own objects": {`
apiVersion: v1
kind: ServiceAccount
metadata: {name: a, namespace: etl, labels: {` + labels + `, helm.sh/chart: spark-operator-2.3.0-rc.0}}`, ""},
		"a release of that name in another namespace": {`
apiVersion: v1
kind: ServiceAccount
metadata: {name: a, namespace: web, labels: {` + labels + `, helm.sh/chart: redis-1.0.0}}`, ""},
		"another release in the namespace": {`
apiVersion: apps/v1
kind: Deployment
metadata:
  {name: a, namespace: etl, labels: {app.kubernetes.io/instance: cache, helm.sh/chart: redis-1.0.0}, annotations: {meta.helm.sh/release-name: cache, meta.helm.sh/release-namespace: etl}}`, ""},
		"a label that copies the release's": {`
apiVersion: apps/v1
kind: Deployment
metadata: {name: a, namespace: etl, labels: {` + labels + `, helm.sh/chart: redis-1.0.0}, annotations: {meta.helm.sh/release-name: cache, meta.helm.sh/release-namespace: etl}}`, ""},
		"what a controller makes of a template with the labels": {`
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: etl, labels: {` + labels + `, helm.sh/chart: redis-1.0.0}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: a, uid: u}]}`, ""},
		"a Deployment of the release, without a label": {`
apiVersion: apps/v1
kind: Deployment
metadata: {name: redis, namespace: etl, annotations: {meta.helm.sh/release-name: platform, meta.helm.sh/release-namespace: etl}}`, "Deployment etl/redis"},
		"another object, by its labels": {`
apiVersion: v1
kind: ServiceAccount
metadata: {name: redis, namespace: etl, labels: {` + labels + `, helm.sh/chart: redis-1.0.0}}`, "ServiceAccount etl/redis"},
		"an application of the umbrella chart itself": {`
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: nightly, namespace: etl, labels: {` + labels + `, helm.sh/chart: platform-1.0.0}}`, "SparkApplication etl/nightly"},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, installedOperator+c.beside, "")
			u := upgradeOf(t, "2.3.0", "2.5.2", &operator.Find(s.Deployments())[0])
			require.Equal(t, c.want, refs(upgrade.OthersInRelease(s, u)))
		})
	}
}

// TestOthersOfTheTarget reads them from what will be installed, as Helm renders it: without annotations, and often without namespaces.
func TestOthersOfTheTarget(t *testing.T) {
	s := read(t, installedOperator, "")
	u := upgradeOf(t, "2.3.0", "2.5.2", &operator.Find(s.Deployments())[0])
	rendered := strings.NewReplacer("2.3.0", "2.5.2", "  namespace: etl\n", "",
		"  annotations: {meta.helm.sh/release-name: platform, meta.helm.sh/release-namespace: etl}\n", "").Replace(installedOperator)
	u.Target = read(t, rendered, "etl")
	require.Empty(t, upgrade.OthersInRelease(s, u))
	u.Target = read(t, rendered+`
apiVersion: v1
kind: ServiceAccount
metadata: {name: redis, labels: {app.kubernetes.io/instance: platform, helm.sh/chart: redis-1.0.0}}`, "etl")
	require.Equal(t, "ServiceAccount etl/redis", refs(upgrade.OthersInRelease(s, u)))
}

// TestRunbookTouchesNothingElse holds the commands to objects that they name, and to releases that hold nothing else.
func TestRunbookTouchesNothingElse(t *testing.T) {
	s := read(t, installedOperator, "")
	u := upgradeOf(t, "2.3.0", "2.5.2", &operator.Find(s.Deployments())[0])
	alone := Of(u, nil)
	require.NotContains(t, commandsOf(alone), " -l ")
	require.Contains(t, strings.Join(stepsIn(alone), "\n"), "check that the release holds the operator's chart only")
	require.Contains(t, commandsOf(alone), "END{exit other||!n}' && helm upgrade platform spark-operator/spark-operator --version 2.5.2 -n "+
		"etl -f values-platform-2.3.0.yaml")
	require.Contains(t, commandsOf(alone), "kubectl rollout status deployment platform-spark-operator-controller -n etl --timeout 5m\n"+
		"kubectl rollout status deployment platform-spark-operator-webhook -n etl --timeout 5m")

	u.Others = []snapshot.Ref{{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "etl", Name: "redis"}}
	shared := Of(u, nil)
	require.NotContains(t, commandsOf(shared), "helm upgrade platform spark-operator/spark-operator")
	require.NotContains(t, commandsOf(shared), "spark-operator/spark-operator --version 2.5.2 -n",
		"nor what renders the operator's chart alone")
	require.Contains(t, strings.Join(stepsIn(shared), "\n"),
		"before: raise the dependency: set version: 2.5.2 for spark-operator under dependencies in the Chart.yaml of release platform")
	require.Contains(t, commandsOf(shared), "helm dependency update .\nhelm template platform . -n etl -f values-platform-2.3.0.yaml "+
		"--include-crds > target.yaml")
	require.Contains(t, commandsOf(shared), `helm list -n etl --filter '^platform$' -o json | grep -q "\"chart\":\"$(helm show chart . | `+
		`awk '/^name:/{print $2}')-" && helm upgrade platform . -n etl -f values-platform-2.3.0.yaml`)
	require.Equal(t, "release platform holds 1 object of other charts, which an upgrade to the operator's own chart would delete; run this "+
		"and what follows in the directory of that chart", becauseOf(shared, "raise the dependency"))
	require.Equal(t, []string{"# Chart.yaml", "dependencies:", "- name: spark-operator", "  version: 2.5.2",
		"  repository: https://kubeflow.github.io/spark-operator"}, linesOf(shared, "raise the dependency"))

	u.Installation.Controller.TrackedBy = "annotation argocd.argoproj.io/tracking-id platform:apps/Deployment:etl/x"
	synced := Of(u, nil)
	require.NotContains(t, commandsOf(synced), "helm upgrade")
	require.NotContains(t, commandsOf(synced), "helm dependency")
	require.Contains(t, strings.Join(stepsIn(synced), "\n"), "during: merge the raised chart, and let Argo CD sync")
	require.NotContains(t, strings.Join(stepsIn(synced), "\n"), "targetRevision", "which is the umbrella chart's own")
}

func linesOf(tasks []Task, do string) []string {
	for _, task := range tasks {
		if strings.HasPrefix(task.Do, do) {
			return task.Lines
		}
	}
	return nil
}

// TestRunbookScalesByName stops the operator of 1.x and nothing else that has its labels.
func TestRunbookScalesByName(t *testing.T) {
	in := deployed(map[string]string{"app.kubernetes.io/instance": "platform"})
	in.Version = operator.Version{Major: 1, Minor: 6, Patch: 2}
	in.Controller.Name, in.Webhook = "platform-spark-operator", in.Controller
	require.Contains(t, commandsOf(Of(upgradeOf(t, "1.4.6", "2.5.2", in), nil)),
		"kubectl scale deployment -n etl platform-spark-operator --replicas 0\n")
	in.Controller.Name = "x; rm -rf ~"
	require.NotContains(t, commandsOf(Of(upgradeOf(t, "1.4.6", "2.5.2", in), nil)), "kubectl scale")
	require.NotContains(t, commandsOf(Of(upgradeOf(t, "1.4.6", "2.5.2", nil), nil)), "kubectl scale", "nobody saw which Deployment it is")
}

// read makes a snapshot of YAML; objects without a namespace are in the one that is given.
func read(t *testing.T, text, namespace string) *snapshot.Snapshot {
	t.Helper()
	s, _, err := manifests.Read(t.Context(), manifests.Options{
		Paths: []string{"-"}, Stdin: strings.NewReader(text), Namespace: namespace, Now: time.Unix(0, 0),
	})
	require.NoError(t, err)
	return s
}

func refs(list []snapshot.Ref) string {
	var out []string
	for _, r := range list {
		out = append(out, r.String())
	}
	return strings.Join(out, ", ")
}

func becauseOf(tasks []Task, do string) string {
	for _, task := range tasks {
		if strings.HasPrefix(task.Do, do) {
			return task.Because
		}
	}
	return ""
}
