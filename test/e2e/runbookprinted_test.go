package e2e

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/runbook"
	testbuild "github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// target is the release to which runbooks are executed.
const target = "2.5.2"

// TestRunbookAsPrinted installs the operator with Helm, in an umbrella chart and with kustomize, runs every command of gate's runbook as it
// is printed, before, during and after the upgrade, then the way back, then all of it again. Only addresses are replaced: that of
// the chart repository, and of the files of a tag. Each way is gone from one release; from the others with make test-releases.
func TestRunbookAsPrinted(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/gate.md")
	require.NoError(t, err)
	type way struct {
		from    string // chart
		row     string // of the table in docs/gate.md, as far as the cell that says so
		install func(releases, *testing.T, string)
		back    bool // a machine can take the way back, which ends with the old release
	}
	ways := map[string]way{
		"helm-1-1-26":     {"1.1.26", "| chart 1.1.26 | executed |", (releases).byHelm, true},
		"umbrella-2-2-1":  {"2.2.1", "| 2.2.1 to 2.5.0 | executed | executed |", (releases).byUmbrella, true},
		"kustomize-2-5-1": {"2.5.1", "| 2.5.1 | executed | executed | executed |", (releases).byKustomize, false},
	}
	if testbuild.EveryOperator() {
		for _, from := range append(testbuild.OperatorVersions(), "1.1.26") {
			row := map[string]string{"1.1.26": "| chart 1.1.26 |", "2.5.1": "| 2.5.1 |"}[from]
			row, name := cmp.Or(row, "| 2.2.1 to 2.5.0 |"), strings.ReplaceAll(from, ".", "-")
			ways["helm-"+name] = way{from, row + " executed |", (releases).byHelm, true}
			ways["umbrella-"+name] = way{from, row + " executed | executed |", (releases).byUmbrella, true}
		}
		delete(ways, "helm-"+strings.ReplaceAll(target, ".", "-"))
		delete(ways, "umbrella-"+strings.ReplaceAll(target, ".", "-"))
	}
	for name, c := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, string(page), c.row)
			cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output()})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, cp.Stop()) })
			b := releases{cp: cp, doctor: as(t, cp, build(t), "admin"), dir: t.TempDir(), home: t.TempDir()}
			b.serve(t, c.from, target)
			b.must(t, "kubectl apply --server-side -f "+filepath.Join(b.chartOf(t, c.from), "crds"))
			require.NoError(t, os.Mkdir(filepath.Join(b.dir, "manifests"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(b.dir, "manifests", "etl.yaml"), []byte(client), 0o600))
			c.install(b, t, c.from)
			before, image := b.beside(t, name), b.images(t)
			require.NotContains(t, image, ":"+target)

			steps := b.printed(t)
			for again := range 2 { // from the start: nothing is refused
				if again == 1 && strings.HasPrefix(c.from, "1.") { // what it stops is gone
					steps = slices.DeleteFunc(slices.Clone(steps),
						func(s step) bool { return s.Do == "stop the controller of 1.x before that of 2.x starts" })
				}
				b.execute(t, steps, "before", "during", "after")
				require.Contains(t, b.images(t), ":"+target)
				require.Equal(t, before, b.beside(t, name), "nothing else was touched")
				b.must(t, "kubectl get crd sparkconnects.sparkoperator.k8s.io")
			}
			b.execute(t, steps, "rollback")
			if c.back {
				require.Equal(t, image, b.images(t), "the way back ends where it began")
			}
			require.Equal(t, before, b.beside(t, name))
			require.Contains(t, b.must(t, "kubectl get crd sparkconnects.sparkoperator.k8s.io"), "sparkconnects", "CRDs stay")
		})
	}
}

// client is what a repository of manifests has.
const client = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: etl, namespace: default}
spec: {type: Scala, mode: cluster, mainApplicationFile: 'local:///app.jar', sparkVersion: 3.5.5, driver: {}, executor: {}}
`

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
	b.must(t, "helm install jobs "+b.chartOf(t, from)+" -n jobs --create-namespace --skip-crds")
}

// byUmbrella installs another application beside the operator.
func (b releases) byUmbrella(t *testing.T, from string) {
	require.NoError(t, os.MkdirAll(filepath.Join(b.dir, "templates"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "templates", "cache.yaml"), []byte(cache), 0o600))
	b.write(t, "Chart.yaml", "apiVersion: v2\nname: platform\nversion: 1.0.0\n"+b.address.Replace(
		"dependencies:\n- name: spark-operator\n  version: "+from+"\n  repository: "+runbook.ChartRepository+"\n"))
	b.must(t, "helm dependency update . && helm install jobs . -n jobs --create-namespace --skip-crds")
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

// step is one of a runbook.
type step struct {
	When, Do        string
	Lines, Commands []string
}

// printed is the runbook for the only operator.
func (b releases) printed(t *testing.T) []step {
	t.Helper()
	o := b.doctor.run(t, "gate", "--to", target, "-o", "json", "--confirm-after", "1s")
	var r struct {
		Gate struct {
			Verdict, Because string
			Runbook          []step
		}
		Items []struct{ Severity, Check, Message string }
	}
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &r), o.stdout+o.stderr)
	t.Logf("verdict: %s: %s: %v", r.Gate.Verdict, r.Gate.Because, r.Items)
	return r.Gate.Runbook
}

// execute runs the commands of some times. Ours say by their exit code what they found; a search of what does not belong finds nothing.
func (b releases) execute(t *testing.T, steps []step, times ...string) {
	t.Helper()
	for _, s := range steps {
		if !slices.Contains(times, s.When) {
			continue
		}
		if len(s.Lines) > 0 {
			b.put(t, s.Lines)
		}
		for _, c := range s.Commands {
			out, err := b.sh(t, b.address.Replace(c))
			var exit *exec.ExitError
			mayFail := strings.Contains(c, "kubectl sparkdoctor ") || strings.Contains(c, " | grep -v ") ||
				strings.Contains(c, " logs ") // of pods without a process
			switch {
			case errors.As(err, &exit) && mayFail && (exit.ExitCode() == 1 || exit.ExitCode() == 3):
			case errors.As(err, &exit) && strings.Contains(c, " gate --to ") && strings.Contains(b.images(t), ":"+target):
				require.Regexp(t, "error: "+target+" is already installed|error: --operator .*: not found", out, "after the upgrade")
			default:
				require.NoError(t, err, "%s: %s\n%s", s.When, c, out)
			}
			t.Logf("%s: %s: %v", s.When, c, err)
		}
	}
}

// put writes lines where their first one says: all of a kustomization, the dependencies at the end of a chart.
func (b releases) put(t *testing.T, lines []string) {
	t.Helper()
	file, text := strings.TrimPrefix(lines[0], "# "), strings.Join(lines[1:], "\n")+"\n"
	if file == "Chart.yaml" {
		old, err := os.ReadFile(filepath.Join(b.dir, file))
		require.NoError(t, err)
		head, _, _ := strings.Cut(string(old), "dependencies:\n")
		text = head + b.address.Replace(text)
	} else {
		require.Equal(t, "kustomization.yaml", file)
		text = b.local(text)
	}
	b.write(t, file, text)
}

// images are those of the operator's Deployments, with their replicas.
func (b releases) images(t *testing.T) string {
	t.Helper()
	all := b.must(t, `kubectl get deployments -A -o 'jsonpath={range .items[*]}{.metadata.name} {.spec.replicas} `+
		`{.spec.template.spec.containers[0].image}{"\n"}{end}'`)
	var out []string
	for line := range strings.Lines(all) {
		if strings.Contains(line, "/spark-operator") {
			out = append(out, line)
		}
	}
	require.NotEmpty(t, out)
	return strings.Join(out, "")
}

// beside is what is not the operator's.
func (b releases) beside(t *testing.T, name string) string {
	t.Helper()
	if !strings.HasPrefix(name, "umbrella") {
		return ""
	}
	return b.must(t, `kubectl get deployment/cache configmap/settings -n jobs -o 'jsonpath={range .items[*]}{.metadata.uid} `+
		`{.spec.replicas} {.data}{"\n"}{end}'`)
}
