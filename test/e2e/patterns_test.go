package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// bothRolesAsk gives executors what drivers have already: 2.2.1 passes them over otherwise, too.
func bothRolesAsk(app *unstructured.Unstructured) {
	env := []any{map[string]any{"name": fromHook, "value": "yes"}}
	for _, role := range []string{"driver", "executor"} {
		app.Object["spec"].(map[string]any)[role].(map[string]any)["env"] = env
	}
}

func (s situation) driver(t *testing.T, ns, name string) *corev1.Pod {
	t.Helper()
	driver, err := s.cp.WaitForPod(t.Context(), ns, name+"-driver")
	require.NoError(t, err)
	return driver
}

// creations are when pods were made, by name.
func (s situation) creations(t *testing.T, ns string) map[string]string {
	t.Helper()
	pods, err := s.cp.Client.CoreV1().Pods(ns).List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	out := map[string]string{}
	for _, p := range pods.Items {
		out[p.Name] = p.CreationTimestamp.UTC().Format(time.RFC3339)
	}
	return out
}

// evidenceOf are the values of the first finding's evidence about one field.
func (o outcome) evidenceOf(field string) []string {
	var out []string
	for _, e := range o.report.Items[0].Evidence {
		if e.Field == field {
			out = append(out, e.Object.Name+" "+e.Value)
		}
	}
	return out
}

// wholeNamespace takes a namespace out of the selector: every pod of every application there goes without, and the
// applications are one finding with one cause.
func wholeNamespace(t *testing.T, s situation) {
	ns := s.namespace(t, "whole")
	restore := s.editWebhooks(t, func(w *admissionv1.MutatingWebhook) {
		names := &w.NamespaceSelector.MatchExpressions[0]
		names.Values = slices.DeleteFunc(names.Values, func(v string) bool { return v == ns })
	})
	for _, name := range []string{"etl", "stream"} {
		s.application(t, ns, name, bothRolesAsk)
		s.grow(t, ns, name, 1, 2, 2)
	}
	alone := s.doctor.scan(t, "-n", ns, "--checks", "SD4002")
	require.Len(t, alone.findings(), 2, "without the other checks nothing tells that the cause is one")
	o := s.doctor.scan(t, "-n", ns, "--checks", "SD1007,SD4002")
	require.Equal(t, []string{"error proven SD1007 Namespace /" + ns, "error proven SD4002 SparkApplication whole/etl"}, o.findings(),
		o.stdout)
	folded := o.report.Items[1]
	require.Equal(t, 6, folded.Affected, "a driver and two executors of each")
	require.Equal(t, []string{o.report.Items[0].Metadata.Name}, folded.CausedBy)
	require.Contains(t, folded.Message, "6 pods of 2 applications lack fields that only the webhook adds, such as those of SparkApplication "+
		"whole/etl: all 3 pods lack")
	require.Contains(t, folded.Message, `so do all comparable pods in namespace "whole", 6 of 2 applications`)
	restore()
	for _, name := range []string{"etl", "stream"} {
		s.deleteApp(t, ns, name, metav1.DeletePropagationBackground)
		require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, name))
	}
	s.silentAgain(t)
}

// sinceATime lets the webhook die while a job runs: what was made before is as asked for, what comes after is not.
func sinceATime(t *testing.T, s situation) {
	ns := s.namespace(t, "since")
	s.application(t, ns, "etl", bothRolesAsk)
	s.grow(t, ns, "etl", 1, 2, 2)
	time.Sleep(time.Second) // creation times have seconds
	s.withWebhookDown(t, func() {
		executors, err := s.cp.CreateExecutors(t.Context(), s.driver(t, ns, "etl"), 3, 2)
		require.NoError(t, err)
		made := s.creations(t, ns)
		first := executors[0].Name
		o := s.scanUntil(t, "-n", ns, "--checks", "SD4002")
		require.Equal(t, []string{"error proven SD4002 SparkApplication since/etl"}, o.findings(), o.stdout)
		require.Contains(t, o.message(t), "every pod since "+made[first]+", 2 of 5, lacks fields that only the webhook adds: spec.executor.env ("+
			fromHook+")")
		times := o.evidenceOf("metadata.creationTimestamp")
		require.Len(t, times, 2)
		require.True(t, strings.HasSuffix(times[0], ", the last that was mutated"), times[0])
		require.Equal(t, first+" "+made[first]+", the first that was not", times[1])
		var down outcome
		until(t, "the webhook to have been down for a second", func(context.Context) (bool, error) {
			down = s.doctor.scan(t, "--checks", path+",SD4002")
			return slices.Contains(down.findings(), "error proven SD1002 "+mutating+installed), nil
		})
		i := slices.IndexFunc(down.findings(), func(f string) bool { return f == "error proven SD4002 SparkApplication since/etl" })
		require.GreaterOrEqual(t, i, 0, down.stdout)
		var causes []string
		for _, item := range down.report.Items {
			if slices.Contains(down.report.Items[i].CausedBy, item.Metadata.Name) {
				causes = append(causes, item.Check)
			}
		}
		require.ElementsMatch(t, []string{"SD1001", "SD1002"}, causes, "it fails open, and it is down")
	})
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
}

// someOfThem lets one replica of three serve another certificate while calls that fail are passed over: some pods go
// without, whatever the time, and the log of that replica says why.
func someOfThem(t *testing.T, s situation) {
	ns := s.namespace(t, "fraction")
	require.NoError(t, s.op.Scale(t.Context(), "webhook", 3))
	s.application(t, ns, "etl", bothRolesAsk)
	driver := s.driver(t, ns, "etl")
	bad := s.divergedReplica(t, 3)
	s.failurePolicy(t, "Ignore")
	next := 1
	without := 0
	for round := 0; round < 20 && (without == 0 || without == next-1); round++ {
		next = s.manyExecutors(t, driver, next)
		without = s.executorsWithout(t, ns)
	}
	require.Positive(t, without)
	require.Less(t, without, next-1)
	time.Sleep(time.Second) // what is refused within the second in which caBundle was written does not count
	o := s.doctor.scan(t, "-n", ns, "--checks", "SD1005,SD4002", "--probe", "--logs")
	require.Equal(t, []string{"error proven SD1005 Deployment spark-operator/spark-operator-webhook",
		"error proven SD4002 SparkApplication fraction/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.report.Items[1].Message, fmt.Sprintf("%d of %d pods lack fields that only the webhook adds: spec.executor.env (%s)",
		without, next, fromHook))
	require.Equal(t, []string{o.report.Items[0].Metadata.Name}, o.report.Items[1].CausedBy)
	require.Equal(t, without, o.report.Items[1].Affected)
	o.quotes(t, "SD4002", bad+": ", "TLS handshake error", "bad certificate")
	var open outcome
	until(t, "a call to be refused a second after the configuration was last written", func(context.Context) (bool, error) {
		s.op.DropConnections()
		s.call(t)
		open = s.doctor.scan(t, "--checks", "SD1001", "--logs")
		return len(open.quoted()) > 0, nil
	})
	open.quotes(t, "SD1001", bad+": ", "TLS handshake error", "bad certificate")
	s.failurePolicy(t, "Fail")
	require.NoError(t, s.op.Scale(t.Context(), "webhook", 1))
	s.healed(t)
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
}

// manyExecutors makes executors at once, so that the API server calls over many connections.
func (s situation) manyExecutors(t *testing.T, driver *corev1.Pod, first int) int {
	t.Helper()
	const many = 12
	errs := make(chan error, many)
	s.op.DropConnections()
	for i := range many {
		go func() {
			_, err := s.cp.CreateExecutors(t.Context(), driver, first+i, 1)
			errs <- err
		}()
	}
	for range many {
		require.NoError(t, <-errs)
	}
	return first + many
}

func (s situation) executorsWithout(t *testing.T, ns string) int {
	t.Helper()
	pods, err := s.cp.Client.CoreV1().Pods(ns).List(t.Context(), metav1.ListOptions{LabelSelector: "spark-role=executor"})
	require.NoError(t, err)
	n := 0
	for _, p := range pods.Items {
		if !slices.ContainsFunc(p.Spec.Containers[0].Env, func(e corev1.EnvVar) bool { return e.Name == fromHook }) {
			n++
		}
	}
	return n
}
