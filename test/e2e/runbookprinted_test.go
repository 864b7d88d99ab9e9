package e2e

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	testbuild "github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// target is the release to which runbooks are executed.
const target = "2.5.2"

// TestRunbookAsPrinted installs the operator with Helm, in an umbrella chart and with kustomize, runs every command of gate's runbook as it
// is printed, before, during and after the upgrade, all of it again, then the way back. Only addresses are replaced: that of the chart
// repository, and of the files of a tag. The programs of 2.x that Helm installs run, and applications are submitted after each upgrade and
// after the way back. Each way is gone from one release; from the others with make test-releases.
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
			kind, _, _ := strings.Cut(name, "-")
			cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output()})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, cp.Stop()) })
			b := releases{cp: cp, doctor: as(t, cp, build(t), "admin"), dir: t.TempDir(), home: t.TempDir()}
			if kind != "kustomize" {
				b.run(t, c.from)
			}
			b.serve(t, c.from, target)
			b.must(t, "kubectl apply --server-side -f "+filepath.Join(b.chartOf(t, c.from), "crds"))
			require.NoError(t, os.Mkdir(filepath.Join(b.dir, "manifests"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(b.dir, "manifests", "etl.yaml"), []byte(client), 0o600))
			c.install(b, t, c.from)
			before, image := b.beside(t, kind), b.images(t)
			require.NotContains(t, image, ":"+target)

			steps, ruling := b.printed(t)
			if b.op != nil {
				require.Contains(t, string(page), rowOf(c.from)+ruling, "the table of what was tried")
			}
			for again := range 2 { // from the start: nothing is refused
				if again == 1 && strings.HasPrefix(c.from, "1.") { // what it stops is gone
					steps = slices.DeleteFunc(slices.Clone(steps),
						func(s step) bool { return s.Do == "stop the controller of 1.x before that of 2.x starts" })
				}
				b.execute(t, steps, "before", "during", "after")
				require.Contains(t, b.images(t), ":"+target)
				b.submits(t, fmt.Sprintf("after-upgrade-%d", again+1))
				require.Equal(t, before, b.beside(t, kind), "nothing else was touched")
				b.must(t, "kubectl get crd sparkconnects.sparkoperator.k8s.io")
			}
			b.execute(t, steps, "rollback")
			if c.back {
				require.Equal(t, image, b.images(t), "the way back ends where it began")
				if strings.HasPrefix(c.from, "2.") {
					b.submits(t, "after-rollback")
				}
			}
			require.Equal(t, before, b.beside(t, kind))
			require.Contains(t, b.must(t, "kubectl get crd sparkconnects.sparkoperator.k8s.io"), "sparkconnects", "CRDs stay")
		})
	}
}

// step is one of a runbook.
type step struct {
	When, Do        string
	Lines, Commands []string
}

// rowOf is how the line of a release begins in docs/gate.md.
func rowOf(from string) string {
	name := map[string]string{"1.1.26": "chart 1.1.26", "2.4.0": "2.4.0 to 2.5.1", "2.5.0": "2.4.0 to 2.5.1", "2.5.1": "2.4.0 to 2.5.1"}[from]
	return "| " + cmp.Or(name, from) + " | Helm, umbrella chart | "
}

// printed is the runbook for the only operator, and the verdict with the checks of its errors and warnings.
func (b releases) printed(t *testing.T) (runbook []step, ruling string) {
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
	var checks []string
	for _, i := range r.Items {
		if i.Severity != "info" {
			checks = append(checks, i.Check)
		}
	}
	slices.Sort(checks)
	return r.Gate.Runbook, r.Gate.Verdict + " (" + cmp.Or(strings.Join(slices.Compact(checks), ", "), "nothing found") + ")"
}

// mayFail are commands whose exit code says what they found: a search of what does not belong, gate, and where pods have no
// processes, scan and logs.
func (b releases) mayFail(t *testing.T, command string) bool {
	t.Helper()
	if strings.Contains(command, " | grep -v ") || strings.Contains(command, "kubectl sparkdoctor gate ") {
		return true
	}
	runs := b.op != nil && (b.op.Runs(b.from) || strings.Contains(b.images(t), ":"+target))
	return !runs && (strings.Contains(command, "kubectl sparkdoctor scan ") || strings.Contains(command, " logs "))
}

// execute runs the commands of some times.
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
			switch {
			case errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3) && b.mayFail(t, c):
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
func (b releases) beside(t *testing.T, kind string) string {
	t.Helper()
	if kind != "umbrella" {
		return ""
	}
	return b.must(t, `kubectl get deployment/cache configmap/settings -n jobs -o 'jsonpath={range .items[*]}{.metadata.uid} `+
		`{.spec.replicas} {.data}{"\n"}{end}'`)
}
