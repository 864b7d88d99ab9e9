package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/proxy"
)

const gcWouldDelete = "with the reference the garbage collector would delete the object"

func stripsForeignOwner(t *testing.T, f fixing) {
	f.application(t, "stripped", "etl")
	owner := f.configMap(t, f.namespace(t, "stripped-owner"), "workflow")
	f.withManagerPaused(t, func() {
		f.patch(t, "stripped", "etl", ownerReferences("ConfigMap", "v1", owner.Name, string(owner.UID)))
		f.shows(t, repair{
			check: "SD2001", kind: "SparkApplication", namespace: "stripped", name: "etl",
			plan: []object{application("stripped", "etl")}, noUndo: gcWouldDelete,
		})
	})
	f.keepsItsFormerOwner(t, "stripped", "etl", "ConfigMap stripped-owner/workflow, UID "+string(owner.UID))
}

// stripsMissingOwner is an owner that goes while the garbage collector does not look.
func stripsMissingOwner(t *testing.T, f fixing) {
	f.application(t, "bereft", "etl")
	owner := f.configMap(t, "bereft", "workflow")
	f.patch(t, "bereft", "etl", ownerReferences("ConfigMap", "v1", owner.Name, string(owner.UID)))
	f.withManagerPaused(t, func() {
		require.NoError(t, f.cp.Client.CoreV1().ConfigMaps("bereft").Delete(t.Context(), owner.Name, metav1.DeleteOptions{}))
		f.shows(t, repair{
			check: "SD2002", kind: "SparkApplication", namespace: "bereft", name: "etl", flags: []string{"--confirm-after", "1s"},
			plan: []object{application("bereft", "etl")}, noUndo: gcWouldDelete,
		})
	})
	f.keepsItsFormerOwner(t, "bereft", "etl", "ConfigMap workflow, UID "+string(owner.UID))
}

// keepsItsFormerOwner shows that the garbage collector, which works again, leaves the application alone, and that the
// operator has not submitted it again.
func (f fixing) keepsItsFormerOwner(t *testing.T, namespace, name, former string) {
	t.Helper()
	// What it was about to do it would do before it takes a reference that is newer.
	canary := f.configMap(t, namespace, "canary")
	_, err := f.cp.Client.CoreV1().ConfigMaps(namespace).Patch(t.Context(), canary.Name, types.MergePatchType,
		[]byte(`{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"never","uid":"00000000-0000-4000-8000-000000000002"}]}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	require.NoError(t, f.cp.WaitForGone(t.Context(), configMaps(), namespace, canary.Name))
	app, err := f.cp.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	require.Empty(t, app.GetOwnerReferences())
	require.Equal(t, former, app.GetAnnotations()["sparkdoctor.io/former-owner"])
	attempts, _, _ := unstructured.NestedInt64(app.Object, "status", "submissionAttempts")
	require.EqualValues(t, 1, attempts)
}

func removesKnownFinalizer(t *testing.T, f fixing) {
	f.application(t, "held", "etl", finalizer("sparkoperator.k8s.io/finalizer"))
	f.holdPod(t, "held", "etl-driver", "example.com/hold")
	f.deleteApp(t, "held", "etl", metav1.DeletePropagationBackground)
	r := repair{
		check: "SD2005", kind: "SparkApplication", namespace: "held", name: "etl", flags: []string{"--stuck-after", "1s"},
		allow: []string{"--max-risk", "destructive"}, plan: []object{application("held", "etl")},
		noUndo: "without its last finalizer the object is gone",
	}
	until(t, "it to be stuck", func(context.Context) (bool, error) { return f.found(t, r) != "", nil })
	f.proxy.Forget()
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 1, o.code, "the driver is still there: "+o.stdout+o.stderr)
	require.Contains(t, o.stdout, "what the finalizer may guard is still there: Pod held/etl-driver")
	require.Empty(t, f.writes())

	f.holdPod(t, "held", "etl-driver")
	require.NoError(t, f.cp.WaitForGone(t.Context(), pod("", "").resource, "held", "etl-driver"), "the operator deletes the driver")
	f.shows(t, r)
	require.NoError(t, f.cp.WaitForGone(t.Context(), controlplane.Applications(), "held", "etl"))
}

// holdPod gives a pod these finalizers and no others.
func (f fixing) holdPod(t *testing.T, namespace, name string, finalizers ...string) {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"metadata": map[string]any{"finalizers": finalizers}})
	require.NoError(t, err)
	_, err = f.cp.Client.CoreV1().Pods(namespace).Patch(t.Context(), name, types.MergePatchType, raw, metav1.PatchOptions{})
	require.NoError(t, err)
}

// removesNamedFinalizer is one whose controller could be anywhere: only a person can know that it is gone.
func removesNamedFinalizer(t *testing.T, f fixing) {
	f.application(t, "named", "etl", finalizer("flyte/flytek8s"))
	require.NoError(t, f.cp.EndPod(t.Context(), "named", "etl-driver", corev1.PodSucceeded))
	_, err := f.cp.WaitForState(t.Context(), "named", "etl", "COMPLETED")
	require.NoError(t, err)
	f.deleteApp(t, "named", "etl", metav1.DeletePropagationBackground)
	r := repair{
		check: "SD2005", kind: "SparkApplication", namespace: "named", name: "etl", flags: []string{"--stuck-after", "1s"},
		allow: []string{"--max-risk", "destructive"}, plan: []object{application("named", "etl")},
		noUndo: "without its last finalizer the object is gone",
	}
	until(t, "it to be stuck", func(context.Context) (bool, error) { return f.found(t, r) != "", nil })
	f.proxy.Forget()
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 1, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "its controller is not proven to be absent")
	require.Contains(t, o.stdout, "--finalizer flyte/flytek8s allows it")
	require.Empty(t, f.writes())
	r.allow = append(r.allow, "--finalizer", "flyte/flytek8s")
	f.shows(t, r)
}

// removesDriverFinalizer is the finalizer of #2076, which a fork sets on drivers, so that their result is not lost.
func removesDriverFinalizer(t *testing.T, f fixing) {
	f.application(t, "driver", "etl")
	pods := f.cp.Client.CoreV1().Pods("driver")
	f.holdPod(t, "driver", "etl-driver", "kubeflow/spark-operator")
	require.NoError(t, f.op.StopController(t.Context()))
	require.NoError(t, f.cp.EndPod(t.Context(), "driver", "etl-driver", corev1.PodSucceeded))
	zero := int64(0)
	require.NoError(t, pods.Delete(t.Context(), "etl-driver", metav1.DeleteOptions{GracePeriodSeconds: &zero}))
	r := repair{
		check: "SD2005", kind: "Pod", namespace: "driver", name: "etl-driver", flags: []string{"--stuck-after", "1s"},
		allow: []string{"--max-risk", "destructive"}, plan: []object{pod("driver", "etl-driver")},
		noUndo: "without its last finalizer the object is gone",
	}
	until(t, "it to be stuck", func(context.Context) (bool, error) { return f.found(t, r) != "", nil })
	f.proxy.Forget()
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 1, o.code, "nobody has read how the driver exited: "+o.stdout+o.stderr)
	require.Contains(t, o.stdout, "its result is not recorded yet, and is lost with the pod")
	require.Empty(t, f.writes())

	require.NoError(t, f.op.StartController(t.Context()))
	_, err := f.cp.WaitForState(t.Context(), "driver", "etl", "COMPLETED")
	require.NoError(t, err)
	f.shows(t, r)
	_, err = f.cp.WaitForState(t.Context(), "driver", "etl", "COMPLETED")
	require.NoError(t, err)
}

func addsOwner(t *testing.T, f fixing) {
	app := f.application(t, "adopted", "etl")
	pods := f.cp.Client.CoreV1().Pods("adopted")
	was, err := pods.Get(t.Context(), "etl-driver", metav1.GetOptions{})
	require.NoError(t, err)
	_, err = pods.Patch(t.Context(), "etl-driver", types.MergePatchType, []byte(`{"metadata":{"ownerReferences":null}}`),
		metav1.PatchOptions{})
	require.NoError(t, err)
	r := repair{
		check: "SD2006", kind: "Pod", namespace: "adopted", name: "etl-driver", flags: []string{"--new-after", "0s"},
		plan: []object{pod("adopted", "etl-driver")},
	}
	f.shows(t, r)
	f.applies(t, r)
	now, err := pods.Get(t.Context(), "etl-driver", metav1.GetOptions{})
	require.NoError(t, err)
	require.Equal(t, was.OwnerReferences, now.OwnerReferences, "as the operator set it")
	require.Equal(t, app.GetUID(), now.OwnerReferences[0].UID)
	f.deleteApp(t, "adopted", "etl", metav1.DeletePropagationBackground)
	require.NoError(t, f.cp.WaitForGone(t.Context(), pod("", "").resource, "adopted", "etl-driver"), "it goes with its application again")
}

// orphan makes a driver whose application is gone.
func (f fixing) orphan(t *testing.T, namespace, name string) {
	t.Helper()
	f.application(t, namespace, name)
	_, err := f.cp.Client.CoreV1().Pods(namespace).Patch(t.Context(), name+"-driver", types.MergePatchType,
		[]byte(`{"metadata":{"ownerReferences":null}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	f.deleteApp(t, namespace, name, metav1.DeletePropagationBackground)
	require.NoError(t, f.cp.WaitForGone(t.Context(), controlplane.Applications(), namespace, name))
}

func deletesOrphans(t *testing.T, f fixing) {
	f.orphan(t, "orphans", "etl")
	require.NoError(t, f.cp.EndPod(t.Context(), "orphans", "etl-driver", corev1.PodSucceeded))
	r := repair{
		check: "SD4001", kind: "Pod", namespace: "orphans", name: "etl-driver", flags: []string{"--new-after", "0s"},
		allow: []string{"--max-risk", "destructive"}, plan: []object{pod("orphans", "etl-driver")}, noUndo: "a deleted object is gone",
	}
	f.proxy.Forget()
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 1, o.code, "an hour has not passed: "+o.stdout+o.stderr)
	require.Contains(t, o.stdout, "Not fixed automatically")
	require.Empty(t, f.writes())

	etcd, err := f.cp.Etcd()
	require.NoError(t, err)
	require.NoError(t, load.AgePod(t.Context(), etcd, "orphans", "etl-driver", 2*time.Hour))
	f.shows(t, r)
	require.NoError(t, f.cp.WaitForGone(t.Context(), pod("", "").resource, "orphans", "etl-driver"))
}

func deletesNamedOrphans(t *testing.T, f fixing) {
	f.orphan(t, "running", "etl")
	flags := []string{"--new-after", "0s", "-n", "running"}
	o := f.doctor.run(t, append([]string{"fix", "SD4001", "--yes", "--max-risk", "destructive", "--record-dir", t.TempDir()}, flags...)...)
	require.Equal(t, 1, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "it still runs")
	require.Contains(t, o.stdout, "fix SD4001=running/etl-driver allows it")
	f.shows(t, repair{
		check: "SD4001", kind: "Pod", namespace: "running", name: "etl-driver", flags: flags,
		allow: []string{"--max-risk", "destructive"}, plan: []object{pod("running", "etl-driver")}, noUndo: "a deleted object is gone",
	})
}

// kicks an application whose driver vanished while nobody looked. The operator looks again when it is back.
func kicks(t *testing.T, f fixing) {
	f.application(t, "kicked", "etl")
	require.NoError(t, f.op.StopController(t.Context()))
	zero := int64(0)
	require.NoError(t, f.cp.Client.CoreV1().Pods("kicked").Delete(t.Context(), "etl-driver", metav1.DeleteOptions{GracePeriodSeconds: &zero}))
	r := repair{
		check: "SD3005", kind: "SparkApplication", namespace: "kicked", name: "etl", flags: []string{"--new-after", "0s"},
		allow: []string{"--max-risk", "disruptive"}, plan: []object{application("kicked", "etl")},
		noUndo: "what the operator does cannot be taken back",
	}
	// Every look waits for the driver's grace of ten seconds, so there are two.
	before := f.versions(t, r.plan)
	f.proxy.Forget()
	until(t, "the driver to be missed", func(context.Context) (bool, error) {
		tried := f.fix(t, r, t.TempDir(), "--dry-run=server")
		require.Equal(t, 0, tried.code, tried.stdout+tried.stderr)
		return strings.Contains(tried.stdout, "fix 1 checked: "), errors.New(tried.stdout)
	})
	require.Empty(t, f.writes())
	require.Equal(t, before, f.versions(t, r.plan))

	started := make(chan error, 1)
	f.proxy.Inject(writesTo("/sparkapplications/etl"), 1,
		proxy.After(func() { started <- f.op.StartController(context.WithoutCancel(t.Context())) }))
	records := t.TempDir()
	o := f.fix(t, r, records, "--yes")
	require.NoError(t, <-started)
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "resolved")
	f.wroteNoSpec(t)
	_, err := f.cp.WaitForState(t.Context(), "kicked", "etl", "FAILED")
	require.NoError(t, err)
	require.Equal(t, "warning", f.found(t, r), "how the driver ended is not known")
	f.takesBack(t, r, recordsIn(t, records)[0])
}

func dropsLastApplied(t *testing.T, f fixing) {
	f.application(t, "copied", "etl", func(app *unstructured.Unstructured) {
		app.SetAnnotations(map[string]string{lastApplied: `{"password":"` + strings.Repeat("hunter2", 4000) + `"}`})
	})
	r := repair{
		check: "SD3004", kind: "SparkApplication", namespace: "copied", name: "etl", flags: []string{"--max-object-size", "40000"},
		plan: []object{application("copied", "etl")}, noUndo: "its value is not kept",
	}
	require.NotContains(t, f.fix(t, r, t.TempDir(), "--dry-run").stdout, "hunter2")
	record := f.shows(t, r)
	require.NotContains(t, text(t, record), "hunter2")
	app, err := f.cp.Dynamic.Resource(controlplane.Applications()).Namespace("copied").Get(t.Context(), "etl", metav1.GetOptions{})
	require.NoError(t, err)
	require.NotContains(t, app.GetAnnotations(), lastApplied)

	// Who applies from the client's side needs it.
	f.patch(t, "copied", "etl", map[string]any{"metadata": map[string]any{"annotations": map[string]any{lastApplied: strings.Repeat("x",
		28000)}}})
	_, err = f.cp.Dynamic.Resource(controlplane.Applications()).Namespace("copied").Patch(t.Context(), "etl", types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"applied":"yes"}}}`), metav1.PatchOptions{FieldManager: "kubectl-client-side-apply"})
	require.NoError(t, err)
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 1, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "kubectl apply --server-side")
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
