package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/proxy"
)

// replaced is an application that is re-created between the plan and its application, with the same fault.
func replaced(t *testing.T, f fixing) {
	owner := ownerReferences("Pipeline", "pipelines.example.com/v1", "nightly", "00000000-0000-4000-8000-000000000001")
	f.application(t, "replaced", "etl")
	f.patch(t, "replaced", "etl", owner)
	r := repair{check: "SD2002", kind: "SparkApplication", namespace: "replaced", name: "etl"}
	planned := f.fix(t, r, t.TempDir(), "-o", "yaml")
	require.Equal(t, 0, planned.code, planned.stdout+planned.stderr)
	plan := filepath.Join(t.TempDir(), "plan.yaml")
	require.NoError(t, os.WriteFile(plan, []byte(planned.stdout), 0o600))

	f.deleteApp(t, "replaced", "etl", metav1.DeletePropagationBackground)
	require.NoError(t, f.cp.WaitForGone(t.Context(), controlplane.Applications(), "replaced", "etl"))
	require.NoError(t, f.cp.WaitForGone(t.Context(), pod("", "").resource, "replaced", "etl-driver"))
	f.application(t, "replaced", "etl")
	f.patch(t, "replaced", "etl", owner)
	before := f.versions(t, []object{application("replaced", "etl")})
	f.proxy.Forget()
	o := f.doctor.run(t, "fix", "--plan", plan, "--yes", "--record-dir", t.TempDir())
	require.Equal(t, 4, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout+o.stderr, "was replaced by another object of that name")
	require.Empty(t, f.writes())
	require.Equal(t, before, f.versions(t, []object{application("replaced", "etl")}))
}

// contended is a list of finalizers that gets shorter at the front while one further back is about to be removed.
func contended(t *testing.T, f fixing) {
	app := controlplane.NewApplication("contended", "etl")
	app.SetFinalizers([]string{"example.com/first", "sparkoperator.k8s.io/finalizer", "example.com/last"})
	_, err := f.cp.CreateApplication(t.Context(), app)
	require.NoError(t, err)
	_, err = f.cp.WaitForState(t.Context(), "contended", "etl", "RUNNING")
	require.NoError(t, err)
	require.NoError(t, f.cp.EndPod(t.Context(), "contended", "etl-driver", corev1.PodSucceeded))
	_, err = f.cp.WaitForState(t.Context(), "contended", "etl", "COMPLETED")
	require.NoError(t, err)
	f.deleteApp(t, "contended", "etl", metav1.DeletePropagationBackground)
	r := repair{
		check: "SD2005", kind: "SparkApplication", namespace: "contended", name: "etl", flags: []string{"--stuck-after", "1s"},
		allow: []string{"--max-risk", "destructive"},
	}
	until(t, "it to be stuck", func(context.Context) (bool, error) { return f.found(t, r) != "", nil })
	apps := f.cp.Dynamic.Resource(controlplane.Applications()).Namespace("contended")
	f.proxy.Forget()
	changed := make(chan error, 1)
	f.proxy.Inject(writesTo("/sparkapplications/etl"), 1, proxy.Before(func() {
		_, err := apps.Patch(context.WithoutCancel(t.Context()), "etl", types.JSONPatchType,
			[]byte(`[{"op":"remove","path":"/metadata/finalizers/0"}]`), metav1.PatchOptions{})
		changed <- err
	}))
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.NoError(t, <-changed)
	require.Equal(t, 1, o.code, "the last one remains: "+o.stdout+o.stderr)
	require.Contains(t, o.stdout, "fix 1 applied: ")
	require.Len(t, f.writes(), 2, "the first was refused by its test")
	left, err := apps.Get(t.Context(), "etl", metav1.GetOptions{})
	require.NoError(t, err)
	require.Equal(t, []string{"example.com/last"}, left.GetFinalizers())
	f.release(t, "contended", "etl")
}

// prunesUnderFire prunes the status of an application whose executors come and go, so that the controller writes the
// same status all the time. What may go is looked up by somebody else at the moment of each request.
func prunesUnderFire(t *testing.T, f fixing) {
	const entries, kept = 15_000, 100
	f.application(t, "churn", "stream")
	f.fill(t, "churn", "stream", entries)
	driver, err := f.cp.WaitForPod(t.Context(), "churn", "stream-driver")
	require.NoError(t, err)
	stop := f.churn(t, driver)
	f.proxy.Forget()
	var mu sync.Mutex
	var alive []map[string]corev1.PodPhase // at each write, what exists
	f.proxy.Inject(writesTo("/sparkapplications/stream/status"), 1000, func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		now := f.podNames(t, "churn")
		mu.Lock()
		alive = append(alive, now)
		mu.Unlock()
		pass.ServeHTTP(w, r)
	})
	r := repair{check: "SD3001", kind: "SparkApplication", namespace: "churn", name: "stream", plan: []object{application("churn", "stream")}}
	require.Equal(t, "warning", f.found(t, r))
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "SD3001 SparkApplication churn/stream: resolved")
	stop()

	writes := f.writes()
	batches := (entries - kept) / 4900
	require.LessOrEqual(t, len(writes), 5*(batches+1), "five attempts at most")
	require.Len(t, alive, len(writes))
	f.wroteNoSpec(t)
	for i, w := range writes {
		for _, op := range operationsOf(t, w) {
			if op.Op == "remove" {
				require.NotContains(t, alive[i], strings.TrimPrefix(op.Path, "/status/executorState/"), "of an existing pod")
			}
		}
	}
	states := map[string]string{}
	until(t, "every executor that exists to be in the status", func(ctx context.Context) (bool, error) {
		states = f.executorState(t, "churn", "stream")
		for name, phase := range f.podNames(t, "churn") {
			if name != driver.Name && phase == corev1.PodRunning && states[name] != "RUNNING" {
				return false, fmt.Errorf("%s is %q", name, states[name])
			}
		}
		return true, nil
	})
	old := 0
	for name := range states {
		if strings.HasPrefix(name, "stream-0123456789abcdef") {
			old++
			id, err := strconv.Atoi(name[strings.LastIndex(name, "-")+1:])
			require.NoError(t, err)
			require.Greater(t, id, entries-kept, "the newest are kept")
		}
	}
	require.LessOrEqual(t, old, kept, "nothing came back")
	f.deleteApp(t, "churn", "stream", metav1.DeletePropagationBackground)
}

// churn starts and ends executors as fast as the API server takes it, with a few running at any time, until stopped.
func (f fixing) churn(t *testing.T, driver *corev1.Pod) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		const running = 3
		var err error
		for id := 1; err == nil && ctx.Err() == nil; id++ {
			var made []*corev1.Pod
			if made, err = f.cp.CreateExecutors(ctx, driver, id, 1); err != nil {
				break
			}
			if id <= running {
				continue
			}
			old := strings.TrimSuffix(made[0].Name, strconv.Itoa(id)) + strconv.Itoa(id-running)
			if err = f.cp.EndPod(ctx, driver.Namespace, old, corev1.PodSucceeded); err != nil {
				break
			}
			zero := int64(0)
			err = f.cp.Client.CoreV1().Pods(driver.Namespace).Delete(ctx, old, metav1.DeleteOptions{GracePeriodSeconds: &zero})
		}
		if ctx.Err() != nil {
			err = nil
		}
		done <- err
	}()
	return func() {
		cancel()
		require.NoError(t, <-done)
	}
}

func (f fixing) podNames(t *testing.T, namespace string) map[string]corev1.PodPhase {
	t.Helper()
	list, err := f.cp.Client.CoreV1().Pods(namespace).List(context.WithoutCancel(t.Context()), metav1.ListOptions{})
	if err != nil {
		t.Errorf("listing pods: %v", err) // also called by the proxy, where a test must not be ended
		return nil
	}
	out := map[string]corev1.PodPhase{}
	for _, p := range list.Items {
		out[p.Name] = p.Status.Phase
	}
	return out
}
