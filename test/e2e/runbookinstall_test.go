package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/runbook"
	testbuild "github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// client is what a repository of manifests has.
const client = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: etl, namespace: default}
spec: {type: Scala, mode: cluster, mainApplicationFile: 'local:///app.jar', sparkVersion: 3.5.5, driver: {}, executor: {}}
`

// run has the programs of the release that Helm installs, of those that are 2.x.
func (b *releases) run(t *testing.T, from string) {
	t.Helper()
	b.from = from
	opts := controlplane.OperatorOptions{Version: target, Release: "jobs", Namespace: "jobs"}
	var others []string
	if strings.HasPrefix(from, "2.") {
		others = []string{from}
	}
	var err error
	b.op, err = b.cp.RunOperator(t.Context(), opts, others...)
	require.NoError(t, err)
}

// submits waits for the operator, and for an application that it admits and submits. Without programs there is nothing to wait for.
func (b releases) submits(t *testing.T, name string) {
	t.Helper()
	if b.op == nil {
		return
	}
	require.NoError(t, b.op.WaitUntilReady(t.Context()))
	app := controlplane.NewApplication("default", name)
	require.NoError(t, unstructured.SetNestedField(app.Object, "jobs-spark-operator-spark", "spec", "driver", "serviceAccount"))
	_, err := b.cp.CreateApplication(t.Context(), app)
	require.NoError(t, err)
	_, err = b.cp.WaitForState(t.Context(), "default", name, "RUNNING")
	require.NoError(t, err, b.op.Logs())
	driver, err := b.cp.Client.CoreV1().Pods("default").Get(t.Context(), name+"-driver", metav1.GetOptions{})
	require.NoError(t, err)
	require.Contains(t, driver.Spec.Containers[0].Env, corev1.EnvVar{Name: "FROM_WEBHOOK", Value: "yes"}, "the webhook changes pods")
	b.must(t, "kubectl delete sparkapplication "+name)
}

const legacyModule = "github.com/GoogleCloudPlatform/spark-on-k8s-operator@v1beta2-1.3.8-3.1.1"

// source is the directory of a release.
func (b releases) source(t *testing.T, version string) string {
	t.Helper()
	dir, err := testbuild.OperatorSource(t.Context(), version)
	if version == "1.1.26" {
		dir, err = testbuild.Module(t.Context(), legacyModule)
	}
	require.NoError(t, err)
	return dir
}

func (b releases) chartOf(t *testing.T, version string) string {
	t.Helper()
	return filepath.Join(b.source(t, version), "charts", "spark-operator-chart")
}

// serve has a server of charts, and of the files of a tag.
func (b *releases) serve(t *testing.T, versions ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, v := range versions {
		b.must(t, "helm package "+b.chartOf(t, v)+" -d "+dir)
	}
	mux := http.NewServeMux()
	mux.Handle("/charts/", http.StripPrefix("/charts/", http.FileServer(http.Dir(dir))))
	mux.Handle("/raw/v"+target+"/", http.StripPrefix("/raw/v"+target+"/", http.FileServer(http.Dir(b.source(t, target)))))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	b.must(t, "helm repo index "+dir+" --url "+s.URL+"/charts")
	b.address = strings.NewReplacer(runbook.ChartRepository, s.URL+"/charts", "https://raw.githubusercontent.com/kubeflow/spark-operator/",
		s.URL+"/raw/")
}

func (b releases) byHelm(t *testing.T, from string) {
	b.write(t, "installed.json", b.values(t))
	b.must(t, "helm install jobs "+b.chartOf(t, from)+" -n jobs --create-namespace --skip-crds -f installed.json")
	b.ready(t, from)
}

// values are those of the chart, or of an umbrella chart that depends on it.
func (b releases) values(t *testing.T, under ...string) string {
	t.Helper()
	values := b.op.Values()
	for _, key := range under {
		values = map[string]any{key: values}
	}
	text, err := json.Marshal(values)
	require.NoError(t, err)
	return string(text)
}

// ready waits for programs of 2.x.
func (b releases) ready(t *testing.T, version string) {
	t.Helper()
	if strings.HasPrefix(version, "2.") {
		require.NoError(t, b.op.WaitUntilReady(t.Context()))
	}
}

// byUmbrella installs another application beside the operator.
func (b releases) byUmbrella(t *testing.T, from string) {
	require.NoError(t, os.MkdirAll(filepath.Join(b.dir, "templates"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "templates", "cache.yaml"), []byte(cache), 0o600))
	b.write(t, "Chart.yaml", "apiVersion: v2\nname: platform\nversion: 1.0.0\n"+b.address.Replace(
		"dependencies:\n- name: spark-operator\n  version: "+from+"\n  repository: "+runbook.ChartRepository+"\n"))
	b.write(t, "installed.json", b.values(t, "spark-operator"))
	b.must(t, "helm dependency update . && helm install jobs . -n jobs --create-namespace --skip-crds -f installed.json")
	b.ready(t, from)
}

// byKustomize applies what the tag has, with the image of the release.
func (b releases) byKustomize(t *testing.T, from string) {
	for _, v := range []string{from, target} {
		require.NoError(t, os.CopyFS(filepath.Join(b.dir, "v"+v), os.DirFS(filepath.Join(b.source(t, v), "config"))))
	}
	b.write(t, "kustomization.yaml", b.local("resources:\n- https://github.com/kubeflow/spark-operator/config/default?ref=v"+from+
		"\nimages:\n- name: ghcr.io/kubeflow/spark-operator/controller\n  newTag: "+from+"\n"))
	b.must(t, "kubectl create namespace spark-operator && kubectl apply --server-side --force-conflicts -k .")
}

// local is a kustomization whose bases are directories here.
func (b releases) local(text string) string {
	for _, v := range []string{"2.5.1", target} {
		text = strings.ReplaceAll(text, "https://github.com/kubeflow/spark-operator/config/default?ref=v"+v, "v"+v+"/default # ref=v"+v)
	}
	return text
}

func (b releases) write(t *testing.T, file, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, file), []byte(text), 0o600))
}
