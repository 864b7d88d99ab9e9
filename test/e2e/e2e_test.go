// Package e2e runs the real binary against a real control plane with the real operator and its unmodified chart. Each
// check is shown a situation that really arises there, and everything else must stay silent. Each test has a cluster of its
// own and waits more than it works, so they run side by side.
package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log"
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

// operators are the releases to test: those of SPARKDOCTOR_OPERATORS, or the one that most run.
func operators() []string { return testbuild.Operators(testbuild.BaseOperator) }

// doctor is the binary under test, as one user of one cluster.
type doctor struct {
	binary, kubeconfig string
	variables          []string // of its environment, beside those of the test
}

// binaryVariable names the binary under test, which TestMain builds once for all.
const binaryVariable = "SPARKDOCTOR_BINARY"

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sparkdoctor")
	if err != nil {
		log.Fatal(err)
	}
	binary := filepath.Join(dir, "kubectl-sparkdoctor")
	cmd := exec.Command("go", "build", "-race", "-o", binary, "./cmd/kubectl-sparkdoctor")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		log.Fatalf("go build: %v\n%s", err, out)
	}
	if err := os.Setenv(binaryVariable, binary); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func build(t *testing.T) string {
	t.Helper()
	binary := os.Getenv(binaryVariable)
	require.FileExists(t, binary)
	return binary
}

func as(t *testing.T, cp *controlplane.ControlPlane, binary, user string) doctor {
	t.Helper()
	kubeconfig, err := cp.Kubeconfig(user)
	require.NoError(t, err)
	return doctor{binary: binary, kubeconfig: kubeconfig}
}

// outcome is what a user gets.
type outcome struct {
	code           int
	stdout, stderr string
	report         report
}

// report is the part of the contract that the tests look at.
type report struct {
	Summary struct {
		Checks   struct{ Passed, Failed, Skipped, NotApplicable int }
		Findings struct{ Suppressed int }
	}
	Baseline struct {
		Findings struct{ New, Resolved, Unchanged, NotComparable int }
	}
	Items []struct {
		Metadata                                   struct{ Name string }
		Check, Severity, Certainty, Message, Field string
		Object                                     struct{ Kind, Namespace, Name string }
		Related                                    []struct{ Kind, Namespace, Name string }
		Affected                                   int
		CausedBy                                   []string
		Evidence                                   []struct {
			Object       struct{ Name string }
			Field, Value string
		}
	}
	Namespaces []struct {
		Name      string
		Admission struct{ State, BrokenLink, Reason string }
	}
	Checks []struct {
		ID, Status, Coverage, Reason string
		Unseen                       []struct{ Verb, Resource, Namespace, Reason string }
	}
}

// scan runs "scan -o json" with more arguments.
func (d doctor) scan(t *testing.T, args ...string) outcome {
	t.Helper()
	o := d.run(t, append([]string{"scan", "-o", "json", "--confirm-after", "1s"}, args...)...)
	if o.stdout != "" {
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &o.report), o.stdout)
	}
	return o
}

func (d doctor) run(t *testing.T, args ...string) outcome {
	t.Helper()
	o, err := d.exec(t.Context(), args...)
	require.NoError(t, err)
	require.NotContains(t, o.stderr, "DATA RACE")
	require.NotContains(t, o.stderr, "goroutine ")
	return o
}

// env has the race detector not wait a second at the end of each run (go.dev/doc/articles/race_detector).
func (d doctor) env() []string {
	return slices.Concat(os.Environ(), []string{"KUBECONFIG=" + d.kubeconfig, "GORACE=atexit_sleep_ms=0"}, d.variables)
}

// exec runs the binary; an exit code is no error.
func (d doctor) exec(ctx context.Context, args ...string) (outcome, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, d.binary, args...)
	cmd.Env = d.env()
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return outcome{}, err
	}
	return outcome{code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}, nil
}

// findings are "severity certainty check kind namespace/name", in the report's order.
func (o outcome) findings() []string {
	list := []string{}
	for _, i := range o.report.Items {
		list = append(list, strings.Join([]string{i.Severity, i.Certainty, i.Check, i.Object.Kind, i.Object.Namespace + "/" + i.Object.Name},
			" "))
	}
	return list
}

// admission is the verdict on a namespace: its state, and the link that is broken.
func (o outcome) admission(t *testing.T, namespace string) string {
	t.Helper()
	for _, n := range o.report.Namespaces {
		if n.Name == namespace {
			return strings.TrimSpace(n.Admission.State + " " + n.Admission.BrokenLink)
		}
	}
	require.Fail(t, "no verdict on "+namespace, o.stdout)
	return ""
}

// chain are the checks that must have looked before admission is called healthy.
const chain = "SD1002,SD1003,SD1004,SD1005,SD1007,SD1008"

// message is that of the only finding.
func (o outcome) message(t *testing.T) string {
	t.Helper()
	require.Len(t, o.report.Items, 1, o.stdout)
	return o.report.Items[0].Message
}

// TestScan shows every check its situation, on every release where the release makes a difference.
func TestScan(t *testing.T) {
	t.Parallel()
	binary := build(t)
	for i, version := range operators() {
		newest := i == len(operators())-1
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, cp.Stop()) })
			op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: jobNamespaces()})
			require.NoError(t, err)
			s := situation{cp: cp, op: op, doctor: as(t, cp, binary, "admin"), version: version}
			for _, one := range situations() {
				if one.on == once && !newest {
					continue
				}
				t.Run(one.name, func(t *testing.T) {
					s.settled(t)
					one.run(t, s)
				})
			}
		})
	}
}

// settled waits until the webhook's Deployment is not that new, after what the situation before did to it, that it is not judged.
func (s situation) settled(t *testing.T) {
	t.Helper()
	until(t, "the webhook's Deployment to settle", func(context.Context) (bool, error) {
		o := s.doctor.scan(t, "--checks", "SD1008")
		return len(o.report.Checks) == 1 && !strings.Contains(o.report.Checks[0].Reason, "ago"), nil
	})
}
