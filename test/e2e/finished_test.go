package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// ends makes an application whose driver succeeds.
func (s situation) ends(t *testing.T, namespace, name string, change ...func(*unstructured.Unstructured)) {
	t.Helper()
	s.application(t, namespace, name, change...)
	require.NoError(t, s.cp.EndPod(t.Context(), namespace, name+"-driver", corev1.PodSucceeded))
	_, err := s.cp.WaitForState(t.Context(), namespace, name, "COMPLETED")
	require.NoError(t, err)
}

func timeToLive(seconds int64) func(*unstructured.Unstructured) {
	return func(app *unstructured.Unstructured) {
		_ = unstructured.SetNestedField(app.Object, seconds, "spec", "timeToLiveSeconds")
	}
}

// finishedPileUp lets applications end that nobody deletes.
func finishedPileUp(t *testing.T, s situation) {
	ns := s.namespace(t, "finished")
	s.ends(t, ns, "one")
	s.ends(t, ns, "two")
	s.ends(t, ns, "kept", timeToLive(3600))
	s.application(t, ns, "running")
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "a week has not passed, and they are two")
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--finished-after", "0s", "--pile-up", "3").findings(), "they are two")
	var o outcome
	until(t, "their ends to be seconds ago", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "-n", ns, "--finished-after", "0s", "--pile-up", "2")
		return len(o.report.Items) > 0, nil
	})
	require.Equal(t, []string{"warning proven SD6008 Namespace /finished"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "2 of 4 applications have no timeToLiveSeconds and finished more than 0 s ago")
	require.Contains(t, o.message(t), "2 driver pods remain")
	require.Equal(t, 2, o.report.Items[0].Affected)
	require.Equal(t, o.findings(), s.doctor.scan(t, "sparkapplication/one", "-n", ns, "--finished-after", "0s", "--pile-up", "2").findings())
}

// outlivedItsTime holds the controller while a time to live ends. Once it is back, the application goes.
func outlivedItsTime(t *testing.T, s situation) {
	ns := s.namespace(t, "outlived")
	s.ends(t, ns, "etl", timeToLive(3600))
	require.NoError(t, s.op.StopController(t.Context()))
	ended := time.Now().Add(-2 * time.Hour).UTC().Format(time.RFC3339)
	s.patch(t, ns, "etl", map[string]any{"status": map[string]any{"terminationTime": ended}}, "status")
	o := s.doctor.scan(t, "-n", ns, "--checks", "SD6008")
	require.Equal(t, []string{"warning proven SD6008 Namespace /outlived"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "1 finished application outlived its time to live: etl finished 2 h ago and was to stay 60 min")
	require.NoError(t, s.op.StartController(t.Context()))
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, "etl"), "the operator deletes it when it looks")
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings())
}

// deletesFinished deletes what ended, and nothing that was not named.
func deletesFinished(t *testing.T, f fixing) {
	for _, name := range []string{"one", "two", "three"} {
		f.ends(t, "finished", name)
	}
	f.application(t, "finished", "running")
	r := repair{
		check: "SD6008", kind: "Namespace", name: "finished", flags: []string{"--finished-after", "0s", "--pile-up", "1", "-n", "finished"},
		allow: []string{"--max-risk", "destructive"}, plan: []object{application("finished", "one"), application("finished", "three")},
		noUndo: "a deleted object is gone",
	}
	until(t, "their ends to be seconds ago", func(context.Context) (bool, error) {
		o := f.doctor.scan(t, append([]string{"--checks", "SD6008"}, r.flags...)...)
		return len(o.report.Items) == 1 && o.report.Items[0].Affected == 3, nil
	})
	f.proxy.Forget()
	o := f.doctor.run(t, append([]string{"fix", "SD6008", "--yes", "--max-risk", "destructive", "--record-dir", t.TempDir()}, r.flags...)...)
	require.Equal(t, 1, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "not planned: delete the SparkApplication: that also deletes its status, its pods and their logs")
	require.Contains(t, o.stdout, "fix SD6008=finished allows it\n")
	require.Empty(t, f.writes())

	o = f.doctor.run(t, append([]string{"fix", "SD6008=finished/two", "--yes", "--max-risk", "destructive", "--record-dir", t.TempDir()},
		r.flags...)...)
	require.Contains(t, o.stdout, "SD6008 Namespace finished: unchanged: 2 of 3 applications")
	require.NoError(t, f.cp.WaitForGone(t.Context(), controlplane.Applications(), "finished", "two"))
	require.Len(t, f.writes(), 1, "none but the one that was named")

	f.shows(t, r)
	list, err := f.cp.Dynamic.Resource(controlplane.Applications()).Namespace("finished").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Equal(t, "running", list.Items[0].GetName())
	until(t, "the drivers to be collected", func(ctx context.Context) (bool, error) {
		pods, err := f.cp.Client.CoreV1().Pods("finished").List(ctx, metav1.ListOptions{})
		return err == nil && len(pods.Items) == 1, err
	})
}

// leftBehind orphans what the operator made for an application.
func leftBehind(t *testing.T, s situation) {
	ns := s.namespace(t, "leftovers")
	s.application(t, ns, "etl")
	_, err := s.cp.Client.CoreV1().Services(ns).Get(t.Context(), "etl-ui-svc", metav1.GetOptions{})
	require.NoError(t, err, "the operator makes it")
	// A controller that runs deletes them while the finalizer of the deletion is there.
	require.NoError(t, s.op.StopController(t.Context()))
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationOrphan)
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, "etl"))
	flags := []string{"-n", ns, "--new-after", "0s", "--checks", "SD6011,SD4001,SD2002"}
	require.Equal(t, []string{"error proven SD4001 Pod leftovers/etl-driver"}, s.doctor.scan(t, flags...).findings(), "its driver uses them")
	require.NoError(t, s.cp.Client.CoreV1().Pods(ns).Delete(t.Context(), "etl-driver", metav1.DeleteOptions{}))
	require.NoError(t, s.cp.WaitForGone(t.Context(), pod("", "").resource, ns, "etl-driver"))
	o := s.doctor.scan(t, flags...)
	require.Equal(t, []string{"warning proven SD6011 Namespace /leftovers"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), `of SparkApplication "etl", which does not exist, has no owner, so the garbage collector keeps it`)
	require.NoError(t, s.op.StartController(t.Context()))
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "five minutes have not passed")
	require.NoError(t, s.cp.Client.CoreV1().Services(ns).Delete(t.Context(), "etl-ui-svc", metav1.DeleteOptions{}))
}
