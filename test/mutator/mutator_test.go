// Package mutator compares what sparkdoctor knows of the operator's webhook and types with the real ones, on random applications:
// the webhook's pod mutator and the API types of a release run in a program that is built within the operator's own module.
package mutator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

// releases are those of SPARKDOCTOR_OPERATORS, or the oldest and the newest.
func releases() []string {
	all := build.OperatorVersions()
	return build.Operators(all[0], all[len(all)-1])
}

// applications is how many each release gets.
const applications = 200

// seed is SPARKDOCTOR_SEED, else a fixed one: a run of CI tells of the change that it tests, not of luck.
func seed(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("SPARKDOCTOR_SEED")
	if text == "" {
		return 20261120
	}
	n, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err)
	return n
}

// trial is an application and its pods, without the webhook and after it.
type trial struct {
	app           object
	before, after []corev1.Pod
	answer        answer
}

type answer struct {
	Refused, Denied string
	Pods            []corev1.Pod
}

// ask puts applications and pods through a release.
func ask(t *testing.T, version string, trials []*trial) {
	t.Helper()
	builder, err := build.New(t.Output())
	require.NoError(t, err)
	dir, err := builder.Mutator(t.Context(), version)
	require.NoError(t, err)
	var in, out, errout bytes.Buffer
	requests := json.NewEncoder(&in)
	for _, one := range trials {
		require.NoError(t, requests.Encode(object{"application": one.app, "pods": one.before}))
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "mutator"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errout
	require.NoError(t, cmd.Run(), errout.String())
	answers := json.NewDecoder(&out)
	for _, one := range trials {
		require.NoError(t, answers.Decode(&one.answer))
		one.after = one.answer.Pods
	}
	require.ErrorIs(t, answers.Decode(&answer{}), io.EOF)
}

// look runs a check on an application, its pods and an operator of a release.
func look(t *testing.T, id, version string, app object, pods []corev1.Pod) []check.Reported {
	t.Helper()
	items := []any{app, deployment(version, "controller"), deployment(version, "webhook")}
	for i := range pods {
		items = append(items, pods[i])
	}
	text, err := json.Marshal(object{"apiVersion": "v1", "kind": "List", "items": items})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "cluster.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	s, _, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{path}})
	require.NoError(t, err)
	c, err := check.Lookup(checks.Catalogue(), id)
	require.NoError(t, err)
	result := check.Run(s, []check.Check{c}, check.DefaultParams())[0]
	require.NotContains(t, result.Reason, "internal error")
	return result.Findings
}

func deployment(version, component string) object {
	name := "spark-operator-" + component
	return object{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": object{"name": name, "namespace": "spark-operator", "uid": name,
			"labels": object{"app.kubernetes.io/name": "spark-operator"}},
		"spec": object{"replicas": 1, "selector": object{"matchLabels": object{"a": component}}, "template": object{
			"metadata": object{"labels": object{"a": component}},
			"spec": object{"containers": []any{object{
				"name": name, "image": "ghcr.io/kubeflow/spark-operator/controller:" + version,
				"args": []any{component, "start", "--namespaces=jobs", "--webhook-svc-name=spark-operator-webhook-svc"},
			}}},
		}},
		"status": object{"readyReplicas": 1},
	}
}

// eachRelease makes applications and shows a release what becomes of them. Before it fails, a trial is printed.
func eachRelease(t *testing.T, change func(maker, *trial), test func(t *testing.T, version string, one *trial)) {
	t.Helper()
	for _, version := range releases() {
		t.Run(version, func(t *testing.T) {
			start := seed(t)
			m := maker{rand.New(rand.NewPCG(start, 1))} //nolint:gosec // the same ones again
			trials := make([]*trial, applications)
			for i := range trials {
				app := m.application(fmt.Sprintf("app-%d", i))
				trials[i] = &trial{app: app, before: []corev1.Pod{submitted(t, app, "driver"), submitted(t, app, "executor")}}
				change(m, trials[i])
			}
			ask(t, version, trials)
			for i, one := range trials {
				ok := t.Run(strconv.Itoa(i), func(t *testing.T) { test(t, version, one) })
				if !ok {
					text, _ := json.Marshal(one.app)
					t.Fatalf("SPARKDOCTOR_SEED=%d, application %d:\n%s", start, i, text)
				}
			}
		})
	}
}

// TestUnmutatedPods holds SD4002 to the webhook: no finding about pods that went through it, and one about those that did not, if
// the webhook would have brought either of them something.
func TestUnmutatedPods(t *testing.T) {
	same, more := 0, 0
	eachRelease(t, func(maker, *trial) {}, func(t *testing.T, version string, one *trial) {
		require.Empty(t, one.answer.Refused)
		require.Empty(t, one.answer.Denied)
		require.Empty(t, unmutated(look(t, "SD4002", version, one.app, one.after)), "the pods went through the webhook")
		brings := slices.ContainsFunc([]int{0, 1}, func(i int) bool { return carried(t, one.before[i], one.after[i]) })
		require.Equal(t, brings, len(unmutated(look(t, "SD4002", version, one.app, one.before))) > 0,
			"the pods did not go through the webhook, and it changes one of them: %t", brings)
		for i := range one.before { // by themselves, so that one does not speak for the other
			brings := carried(t, one.before[i], one.after[i])
			if brings {
				more++
			} else {
				same++
			}
			told := unmutated(look(t, "SD4002", version, one.app, one.before[i:i+1]))
			require.Equal(t, brings, len(told) > 0, "%s alone: the webhook makes\n%s\nof\n%s\n%s", one.before[i].Name, what(t, one.after[i]),
				what(t, one.before[i]), told)
		}
	})
	require.Greater(t, more, applications/2, "the applications ask for something")
	require.Greater(t, same, applications/10, "some ask for nothing")
}

// unmutated leaves out what a release itself loses, which SD4002 tells by itself.
func unmutated(list []check.Reported) []string {
	var out []string
	for _, f := range list {
		if f.Kind != "executor-env" {
			out = append(out, f.Message)
		}
	}
	return out
}

// TestDroppedEnv holds what SD4002 says of executors whose env the webhook of old releases drops.
func TestDroppedEnv(t *testing.T) {
	eachRelease(t, func(maker, *trial) {}, func(t *testing.T, version string, one *trial) {
		v, err := operator.ReleaseNamed(version)
		require.NoError(t, err)
		spec := one.app["spec"].(object)
		lost := len(listOf(spec["executor"].(object)["env"])) > 0 && len(listOf(spec["driver"].(object)["env"])) == 0
		dropped := len(look(t, "SD4002", version, one.app, one.after)) > 0
		require.False(t, dropped && (!lost || !v.Application.Before(2, 3, 0)))
	})
}
