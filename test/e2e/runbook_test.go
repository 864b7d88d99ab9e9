package e2e

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	testbuild "github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// cache is another application that an umbrella chart installs beside the operator. Its ConfigMap is of a kind that no check reads.
const cache = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cache, labels: {app.kubernetes.io/instance: '{{ .Release.Name }}', helm.sh/chart: platform-1.0.0}}
spec:
  selector: {matchLabels: {app: cache}}
  template: {metadata: {labels: {app: cache}}, spec: {containers: [{name: cache, image: redis}]}}
---
` + settings

const settings = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {key: value}
`

// legacy is what the chart of 1.4.6 makes of an operator, as far as its Deployment goes: no module has that chart.
const legacy = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: '{{ .Release.Name }}-spark-operator'
  labels: {app.kubernetes.io/name: spark-operator, app.kubernetes.io/instance: '{{ .Release.Name }}', helm.sh/chart: spark-operator-1.4.6, app.kubernetes.io/version: v1beta2-1.6.2-3.5.0}
spec:
  selector: {matchLabels: {app: operator}}
  template:
    metadata: {labels: {app: operator}}
    spec: {containers: [{name: spark-operator, image: 'docker.io/kubeflow/spark-operator:v1beta2-1.6.2-3.5.0', args: [-v=2, -namespace=default, -enable-ui-service=true]}]}
`

// TestRunbookTouchesNothingElse installs the operator in every way that an umbrella chart can, and alone, runs each command of the
// gate's runbooks as it is printed, and looks at what else is in the cluster afterwards.
func TestRunbookTouchesNothingElse(t *testing.T) {
	t.Parallel()
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: "2.5.1"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	b := releases{cp: cp, doctor: as(t, cp, build(t), "admin"), dir: t.TempDir()}
	b.chart(t, "shared", map[string]string{"cache.yaml": cache}, "2.5.1")
	b.chart(t, "unseen", map[string]string{"settings.yaml": settings}, "2.5.1")
	b.chart(t, "legacy", map[string]string{"cache.yaml": cache, "operator.yaml": legacy}, "")
	chart, err := testbuild.OperatorChart(t.Context(), "2.5.1")
	require.NoError(t, err)
	b.install(t, "alone", chart)
	for _, name := range []string{"shared", "unseen", "legacy"} {
		b.install(t, name, filepath.Join(b.dir, name))
	}
	// What the runbook calls spark-operator/spark-operator is a directory here, which Helm takes before a repository.
	b.copyChart(t, "2.5.2", filepath.Join(b.dir, "spark-operator", "spark-operator"))
	before := b.others(t)
	require.Len(t, before, 5)

	shared := b.runbook(t, "shared", "shared-spark-operator-controller", "raise the dependency: set version: 2.5.2 for spark-operator")
	require.NotContains(t, shared, "helm upgrade shared spark-operator/spark-operator")
	unseen := b.runbook(t, "unseen", "unseen-spark-operator-controller", "check that the release holds the operator's chart only")
	require.Contains(t, unseen, "helm upgrade unseen spark-operator/spark-operator --version 2.5.2")
	require.Equal(t, "2.5.1", b.version(t, "unseen", "unseen-spark-operator-controller"), "the command stopped before the upgrade")
	stopped := b.runbook(t, "legacy", "legacy-spark-operator", "stop the controller of 1.x")
	require.Contains(t, stopped, "kubectl scale deployment -n legacy legacy-spark-operator --replicas 0")
	require.Equal(t, "0", b.get(t, "deployment", "legacy", "legacy-spark-operator", "{.spec.replicas}"))
	b.runbook(t, "alone", "alone-spark-operator-controller", "check that the release holds the operator's chart only")
	require.Equal(t, "2.5.2", b.version(t, "alone", "alone-spark-operator-controller"), "where nothing shares the release, it is upgraded")
	// Again from the start: nothing is refused, and no file of values is overwritten. Then back.
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "values-alone-2.5.1.yaml"), []byte("controller: {workers: 7}\n"), 0o600))
	b.must(t, "helm rollback alone -n alone --timeout 5m")
	require.Equal(t, "2.5.1", b.version(t, "alone", "alone-spark-operator-controller"), "as the runbook takes it back")
	b.runbook(t, "alone", "alone-spark-operator-controller", "roll back the release")
	require.Contains(t, b.get(t, "deployment", "alone", "alone-spark-operator-controller", "{.spec.template.spec.containers[0].args}"),
		"--controller-threads=7", "what was edited since counts")
	require.Equal(t, before, b.others(t), "nothing else was touched")
}

// releases are a cluster, and a directory with charts in which commands run.
type releases struct {
	cp     *controlplane.ControlPlane
	doctor doctor
	dir    string

	op      *controlplane.Operator // has the programs of what Helm installs; nil: pods are without
	from    string                 // its release before the upgrade
	home    string                 // of Helm; empty: dir
	address *strings.Replacer      // puts ours for those of the internet
}

// chart writes an umbrella chart, which depends on the operator's chart of a release unless its templates have an operator.
func (b releases) chart(t *testing.T, name string, templates map[string]string, version string) {
	t.Helper()
	dir := filepath.Join(b.dir, name)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "templates"), 0o700))
	chart := "apiVersion: v2\nname: platform\nversion: 1.0.0\n"
	if version != "" {
		chart += "dependencies: [{name: spark-operator, version: " + version + "}]\n"
		b.copyChart(t, version, filepath.Join(dir, "charts", "spark-operator"))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Chart.yaml"), []byte(chart), 0o600))
	for file, text := range templates {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "templates", file), []byte(text), 0o600))
	}
}

func (b releases) copyChart(t *testing.T, version, to string) {
	t.Helper()
	chart, err := testbuild.OperatorChart(t.Context(), version)
	require.NoError(t, err)
	require.NoError(t, os.CopyFS(to, os.DirFS(chart)))
}

func (b releases) install(t *testing.T, name, chart string) {
	t.Helper()
	out, err := b.cp.Helm(t.Context(), "install", name, chart, "--namespace", name, "--create-namespace", "--no-hooks", "--skip-crds")
	require.NoError(t, err, out)
}

// runbook runs the commands of a gate's runbook before and during the upgrade, and returns them. It leaves out those that need the
// network and our own, which only read.
func (b releases) runbook(t *testing.T, namespace, controller, wants string) string {
	t.Helper()
	o := b.doctor.run(t, "gate", "--to", "2.5.2", "--operator", namespace+"/"+controller, "-o", "json", "--confirm-after", "1s")
	var r struct {
		Gate struct {
			Runbook []struct {
				When, Do string
				Commands []string
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &r), o.stdout+o.stderr)
	var steps, commands []string
	for _, step := range r.Gate.Runbook {
		steps = append(steps, step.Do)
		for _, command := range step.Commands {
			commands = append(commands, command)
			if step.When == "after" || step.When == "rollback" || strings.HasPrefix(command, "helm repo add ") ||
				strings.HasPrefix(command, "kubectl sparkdoctor ") {
				continue
			}
			out, err := b.sh(t, command)
			t.Logf("%s: %v\n%s", command, err, out)
		}
	}
	require.Contains(t, strings.Join(steps, "\n"), wants)
	return strings.Join(commands, "\n")
}

// sh runs a command as a person would who has kubectl and helm.
func (b releases) sh(t *testing.T, command string) (string, error) {
	t.Helper()
	builder, err := testbuild.New(t.Output())
	require.NoError(t, err)
	helm, err := builder.Helm(t.Context())
	require.NoError(t, err)
	path := strings.Join([]string{helm, filepath.Dir(b.cp.Kubectl()), filepath.Dir(b.doctor.binary), os.Getenv("PATH")},
		string(os.PathListSeparator))
	cmd := exec.CommandContext(t.Context(), "bash", "-c", command)
	cmd.Dir = b.dir
	home := cmp.Or(b.home, b.dir)
	cmd.Env = append(b.doctor.env(), "PATH="+path, "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (b releases) get(t *testing.T, kind, namespace, name, field string) string {
	t.Helper()
	out, err := b.sh(t, "kubectl get "+kind+" -n "+namespace+" "+name+" -o 'jsonpath="+field+"'")
	require.NoError(t, err, out)
	return out
}

// version is the tag of the image of a Deployment.
func (b releases) version(t *testing.T, namespace, name string) string {
	t.Helper()
	image := b.get(t, "deployment", namespace, name, "{.spec.template.spec.containers[0].image}")
	return image[strings.LastIndex(image, ":")+1:]
}

// others are what is not the operator's, with what changes when somebody writes it.
func (b releases) others(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, o := range []string{"shared deployment cache", "shared configmap settings", "unseen configmap settings", "legacy deployment cache",
		"legacy configmap settings"} {
		part := strings.Fields(o)
		out[o] = b.get(t, part[1], part[0], part[2], "{.metadata.uid} {.metadata.generation} {.spec.replicas} {.data}")
	}
	return out
}
