package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestCommandsOfTheDocs types every command of the pages on a cluster with what they speak of: an application team-a/etl that
// is owned across namespaces, two contexts, manifests, archives and older reports. None may be refused: what a command finds
// is not the question, but it must be one that works as it stands there.
func TestCommandsOfTheDocs(t *testing.T) {
	t.Parallel()
	const ns, version = "team-a", "2.5.1"
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: []string{ns}})
	require.NoError(t, err)
	_, err = cp.CreateApplication(t.Context(), controlplane.NewApplication(ns, "etl"))
	require.NoError(t, err)
	_, err = cp.WaitForState(t.Context(), ns, "etl", "RUNNING")
	require.NoError(t, err)
	require.NoError(t, cp.PauseControllerManager(), "its garbage collector would take the application")
	t.Cleanup(func() { require.NoError(t, cp.ResumeControllerManager()) })
	account, err := cp.Client.CoreV1().ServiceAccounts(op.Namespace).Get(t.Context(), "default", metav1.GetOptions{})
	require.NoError(t, err)
	owned, err := json.Marshal(ownerReferences("ServiceAccount", "v1", account.Name, string(account.UID)))
	require.NoError(t, err)
	_, err = cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Patch(t.Context(), "etl", types.MergePatchType, owned,
		metav1.PatchOptions{})
	require.NoError(t, err)

	desk := newDesk(t, cp, as(t, cp, build(t), "admin"))
	desk.applies(t, cp, apacheClusters)
	desk.kubectl(t, cp, "wait", "--for=condition=Established", "crd/sparkclusters.spark.apache.org")
	desk.applies(t, cp, others)
	desk.kubectl(t, cp, "cluster-info", "dump", "--namespaces", ns, "--output-directory", "dump")
	applications := desk.kubectl(t, cp, "get", "sparkapplications.sparkoperator.k8s.io", "-n", ns, "-o", "yaml")
	desk.put(t, "dump/applications.yaml", applications)
	rendered, err := op.Render(t.Context(), "2.5.2")
	require.NoError(t, err)
	desk.put(t, "target.yaml", rendered)
	desk.types(t, "kubectl sparkdoctor scan -o json=baseline.json")
	for _, name := range []string{"monday.json", "tuesday.json", "before.json"} {
		report, err := os.ReadFile(filepath.Join(desk.dir, "baseline.json"))
		require.NoError(t, err)
		desk.put(t, name, string(report))
	}
	desk.types(t, "kubectl sparkdoctor snapshot -o cluster.tar.gz")
	desk.put(t, "values.yaml", desk.helm(t, cp, "get", "values", op.Release, "-n", op.Namespace, "-o", "yaml"))
	desk.types(t, "kubectl sparkdoctor fix SD2001=team-a/etl --yes")
	records, err := filepath.Glob(filepath.Join(desk.dir, ".local/state/kubectl-sparkdoctor/fix-*.jsonl"))
	require.NoError(t, err)
	require.Len(t, records, 1, "undo --last looks there")
	record, err := os.ReadFile(records[0])
	require.NoError(t, err)
	desk.put(t, "fix-20261121T030000-1234.jsonl", string(record))

	desk.writes(t, "docs/signatures.md")

	typed := 0
	for _, line := range documentedCommands(t) {
		if strings.Contains(line, "SD6099") {
			continue // the check that CONTRIBUTING.md adds: internal/repo
		}
		t.Run(line, func(t *testing.T) { desk.types(t, line) })
		typed++
	}
	require.Greater(t, typed, 40)
}

// others are of the kinds that the pages speak of beside applications.
const others = `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: ScheduledSparkApplication
metadata: {name: nightly, namespace: team-a}
spec:
  schedule: "@daily"
  suspend: true
  template: {type: Scala, mode: cluster, sparkVersion: 3.5.5, image: "spark:3.5.5", mainClass: Etl, mainApplicationFile: "local:///etl.jar",
    driver: {}, executor: {}}
---
apiVersion: sparkoperator.k8s.io/v1alpha1
kind: SparkConnect
metadata: {name: server, namespace: team-a}
spec: {sparkVersion: 3.5.5, image: "spark:3.5.5", server: {}, executor: {}}
---
apiVersion: spark.apache.org/v1
kind: SparkCluster
metadata: {name: shared, namespace: team-a}
spec: {runtimeVersions: {sparkVersion: 4.1.0}}
`

// apacheClusters is the kind of the Apache Spark Kubernetes Operator that a page asks about, in its group, version and plural:
// apache/spark-kubernetes-operator
// build-tools/helm/spark-kubernetes-operator/crds/sparkclusters.spark.apache.org-v1.yaml@43be18cc (its schema left out).
const apacheClusters = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sparkclusters.spark.apache.org}
spec:
  group: spark.apache.org
  scope: Namespaced
  names: {kind: SparkCluster, plural: sparkclusters, singular: sparkcluster}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    subresources: {status: {}}
`

// documentedCommands are the command lines of the committed pages, each once, up to a pipe. The pages of the checks count where
// they are published, below docs; the pages of the commands repeat their help.
func documentedCommands(t *testing.T) []string {
	t.Helper()
	const root = "../.."
	shown := regexp.MustCompile(`(?m)^(?:    |\$ )(kubectl sparkdoctor [^|\n]*)`)
	target := regexp.MustCompile(`gate --to [\d.]+`) // a page about an older release: the cluster's own is newer
	var lines []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && path != root
		if d.IsDir() && (hidden || slices.Contains([]string{"testdata", "node_modules", "bin", "dist", "pkg", "reference"}, d.Name())) {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range shown.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\\\n", ""), -1) {
			line, _, _ := strings.Cut(m[1], "  #") // a comment behind it makes no other command
			line = target.ReplaceAllString(placeholders().Replace(strings.TrimSpace(line)), "gate --to 2.5.2")
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
		return nil
	}))
	return lines
}

// placeholders puts what the cluster has for the words in capitals. The objects of SD6008 and SD6011 are namespaces.
func placeholders() *strings.Replacer {
	return strings.NewReplacer("SD6008=NAMESPACE", "SD6008=team-a", "SD6008=NAME", "SD6008=team-a", "SD6011=NAME", "SD6011=team-a",
		"sparkconnect/NAME", "sparkconnect/server", "NAMESPACE", "team-a", "NAME", "etl", "POD", "etl-driver", "VERSION", "2.5.2")
}

// desk is where somebody sits who types what pages and screens say: the repository's files, a kubeconfig of two contexts, and a PATH
// with kubectl and its plugin.
type desk struct {
	doctor
	dir string
}

func newDesk(t *testing.T, cp *controlplane.ControlPlane, d doctor) desk {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bin"), 0o700))
	for name, program := range map[string]string{"kubectl-sparkdoctor": d.binary, "kubectl": cp.Kubectl()} {
		require.NoError(t, os.Symlink(program, filepath.Join(dir, "bin", name)))
	}
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	for name, of := range map[string]string{"examples": "examples", "manifests": "examples/upgrade",
		"test/node/recordings/driver-oom-killed": "test/node/recordings/driver-oom-killed"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(repository, of))))
	}
	config, err := clientcmd.LoadFromFile(d.kubeconfig)
	require.NoError(t, err)
	for _, name := range []string{"prod-eu", "prod-us"} {
		config.Contexts[name] = config.Contexts[config.CurrentContext]
	}
	d.kubeconfig = filepath.Join(dir, "kubeconfig")
	require.NoError(t, clientcmd.WriteToFile(*config, d.kubeconfig))
	return desk{d, dir}
}

// kubectl runs the cluster's own kubectl and returns what it prints.
func (d desk) kubectl(t *testing.T, cp *controlplane.ControlPlane, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), cp.Kubectl(), append(args, "--kubeconfig", d.kubeconfig)...)
	cmd.Dir = d.dir
	out, err := cmd.Output()
	require.NoError(t, err, args)
	return string(out)
}

// helm runs the cluster's own Helm and returns what it prints.
func (d desk) helm(t *testing.T, cp *controlplane.ControlPlane, args ...string) string {
	t.Helper()
	out, err := cp.Helm(t.Context(), args...)
	require.NoError(t, err, string(out))
	return string(out)
}

func (d desk) applies(t *testing.T, cp *controlplane.ControlPlane, objects string) {
	t.Helper()
	d.put(t, "others.yaml", objects)
	d.kubectl(t, cp, "apply", "-f", "others.yaml")
}

func (d desk) put(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600))
}

// writes puts the files that a page shows below their names, as its reader would.
func (d desk) writes(t *testing.T, page string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", page))
	require.NoError(t, err)
	files := regexp.MustCompile("(?s)`([^`\\s]+)`:\n\n```\\w+\n(.*?)```\n").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, files, page)
	for _, m := range files {
		require.NoError(t, os.MkdirAll(filepath.Join(d.dir, filepath.Dir(m[1])), 0o700))
		d.put(t, m[1], m[2])
	}
}

// types runs a line in a shell and presses Ctrl-C after a while, as one does with what watches. A refusal, 2, fails. It returns what a pipe
// would get.
func (d desk) types(t *testing.T, line string) string {
	t.Helper()
	if strings.Contains(line, "snapshot -o cluster.tar.gz") {
		require.NoError(t, os.RemoveAll(filepath.Join(d.dir, "cluster.tar.gz")), "an archive is not written over")
	}
	patience := time.Minute
	if strings.Contains(line, " -w") || strings.Contains(line, "--until") || strings.Contains(line, " serve ") {
		patience = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", "exec "+line) // kubectl becomes its plugin
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	path := filepath.Join(d.dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	cmd.Dir, cmd.Env = d.dir, append(d.env(), "HOME="+d.dir, "PATH="+path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, _ := cmd.Output()
	const clean, findings, incomplete, refused, interrupted = 0, 1, 3, 4, 130 // 4: fix wants a yes, and nobody is there to say it
	codes := []int{clean}
	if strings.HasPrefix(line, "kubectl sparkdoctor ") {
		codes = append(codes, findings, incomplete, refused, interrupted)
	}
	require.Contains(t, codes, cmd.ProcessState.ExitCode(), "%s\n%s%s", line, out, stderr.String())
	require.NotContains(t, stderr.String(), "DATA RACE", line)
	return string(out)
}
