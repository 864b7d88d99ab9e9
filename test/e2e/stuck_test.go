package e2e

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// ofDriver sets a field of spec.driver.
func ofDriver(value any, field ...string) func(*unstructured.Unstructured) {
	return func(app *unstructured.Unstructured) {
		_ = unstructured.SetNestedField(app.Object, value, append([]string{"spec", "driver"}, field...)...)
	}
}

// retries has the operator run a failed application again, or submit it again, after a second.
func retries(app *unstructured.Unstructured) {
	_ = unstructured.SetNestedField(app.Object, map[string]any{
		"type": "OnFailure", "onFailureRetries": int64(9), "onFailureRetryInterval": int64(1), "onSubmissionFailureRetries": int64(99),
		"onSubmissionFailureRetryInterval": int64(1),
	}, "spec", "restartPolicy")
}

// create makes an application and waits for a state.
func (s situation) create(t *testing.T, ns, name, state string, change ...func(*unstructured.Unstructured)) {
	t.Helper()
	app := controlplane.NewApplication(ns, name)
	for _, c := range change {
		c(app)
	}
	_, err := s.cp.CreateApplication(t.Context(), app)
	require.NoError(t, err)
	_, err = s.cp.WaitForState(t.Context(), ns, name, state)
	require.NoError(t, err)
}

func (s situation) patchPod(t *testing.T, ns, name string, patch any, subresources ...string) {
	t.Helper()
	raw, err := json.Marshal(patch)
	require.NoError(t, err)
	_, err = s.cp.Client.CoreV1().Pods(ns).Patch(t.Context(), name, types.StrategicMergePatchType, raw, metav1.PatchOptions{}, subresources...)
	require.NoError(t, err)
}

func (s situation) fix(t *testing.T, args ...string) outcome {
	t.Helper()
	return s.doctor.run(t, append([]string{"fix", "--yes", "--confirm-after", "1s", "--record-dir", t.TempDir()}, args...)...)
}

func (s situation) gone(t *testing.T, ns string, names ...string) {
	t.Helper()
	for _, name := range names {
		s.deleteApp(t, ns, name, metav1.DeletePropagationBackground)
		require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, name))
	}
}

// hungSubmission lets spark-submit hang: the controller is up and watches, and the application has no state.
func hungSubmission(t *testing.T, s situation) {
	ns := s.namespace(t, "waiting")
	release, err := s.op.HoldSubmissions()
	require.NoError(t, err)
	_, err = s.cp.CreateApplication(t.Context(), controlplane.NewApplication(ns, "etl"))
	require.NoError(t, err)
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "it is new")
	o := s.scanUntil(t, "-n", ns, "--new-after", "0s", "--checks", "SD6001,SD6006")
	require.Equal(t, []string{"error proven SD6001 SparkApplication waiting/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "though Deployment spark-operator/spark-operator-controller watches its namespace")
	require.NoError(t, release())
	_, err = s.cp.WaitForState(t.Context(), ns, "etl", "RUNNING")
	require.NoError(t, err)
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--new-after", "0s", "--checks", "SD6001,SD6006").findings())
	s.gone(t, ns, "etl")
}

// pendingDrivers lets drivers wait for what the real scheduler, the real admission and a kubelet say.
func pendingDrivers(t *testing.T, s situation) {
	ns := s.namespace(t, "waiting")
	alone := ofDriver(map[string]any{"testbed.sparkdoctor.io/not-kwok": "true"}, "annotations")
	s.create(t, ns, "nowhere", "SUBMITTED", ofDriver(map[string]any{"disk": "none"}, "nodeSelector"))
	s.create(t, ns, "pulls", "SUBMITTED", alone)
	s.create(t, ns, "pulls-too", "SUBMITTED", alone)
	s.create(t, ns, "mounts", "SUBMITTED", alone)
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "they may yet start")
	for _, name := range []string{"pulls-driver", "pulls-too-driver"} {
		s.patchPod(t, ns, name, map[string]any{"status": corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
			Name: "spark-kubernetes-driver", Image: "spark:3.5.5",
			State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: "Back-off pulling image"}},
		}}}}, "status")
	}
	s.failedMount(t, ns, "mounts-driver", `MountVolume.SetUp failed for volume "keys" : secret "keys" not found`)
	until(t, "the scheduler's verdict", func(ctx context.Context) (bool, error) {
		pod, err := s.cp.Client.CoreV1().Pods(ns).Get(ctx, "nowhere-driver", metav1.GetOptions{})
		return err == nil && len(pod.Status.Conditions) > 0, err
	})
	var o outcome
	until(t, "all to have waited for a second", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "-n", ns, "--submitted-after", "0s", "--checks", "SD6002")
		return len(o.report.Items) == 3 && o.report.Items[2].Affected == 2, nil
	})
	require.Equal(t, []string{
		"error proven SD6002 SparkApplication waiting/mounts",
		"error proven SD6002 SparkApplication waiting/nowhere",
		"error proven SD6002 SparkApplication waiting/pulls",
	}, o.findings(), o.stdout)
	require.Contains(t, o.report.Items[0].Message, "Secret waiting/keys does not exist")
	require.Contains(t, o.report.Items[1].Message, "no node fits: didn't match Pod's node affinity/selector")
	require.Contains(t, o.report.Items[2].Message, `2 applications, such as SparkApplication waiting/pulls: driver pod "pulls-driver" has been Pending for `)
	require.Contains(t, o.report.Items[2].Message, `image "spark:3.5.5" cannot be pulled`)
	s.gone(t, ns, "nowhere", "pulls", "pulls-too", "mounts")
}

// failedMount is the event of a kubelet about a pod.
func (s situation) failedMount(t *testing.T, ns, name, message string) {
	t.Helper()
	pod, err := s.cp.Client.CoreV1().Pods(ns).Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	now := metav1.Now()
	_, err = s.cp.Client.CoreV1().Events(ns).Create(t.Context(), &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: name + ".1", Namespace: ns}, Type: corev1.EventTypeWarning, Reason: "FailedMount", Message: message,
		Count: 3, FirstTimestamp: now, LastTimestamp: now,
		InvolvedObject: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: ns, Name: name, UID: pod.UID},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
}

// usedUpQuota lets the API server refuse a driver.
func usedUpQuota(t *testing.T, s situation) {
	ns := s.namespace(t, "waiting")
	quotas := s.cp.Client.CoreV1().ResourceQuotas(ns)
	_, err := quotas.Create(t.Context(), &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "compute"},
		Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"pods": resource.MustParse("0")}}}, metav1.CreateOptions{})
	require.NoError(t, err)
	until(t, "the quota to count", func(ctx context.Context) (bool, error) {
		q, err := quotas.Get(ctx, "compute", metav1.GetOptions{})
		return err == nil && len(q.Status.Hard) > 0, err
	})
	s.create(t, ns, "etl", "SUBMISSION_FAILED", retries)
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "it may yet be admitted")
	o := s.scanUntil(t, "-n", ns, "--submitted-after", "0s", "--checks", "SD6002")
	require.Equal(t, []string{"warning proven SD6002 SparkApplication waiting/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "ResourceQuota waiting/compute is used up (requested: pods=1, used: pods=0, limited: pods=0)")
	require.NoError(t, quotas.Delete(t.Context(), "compute", metav1.DeleteOptions{}))
	s.gone(t, ns, "etl")
}

// hold keeps a pod from going when it is deleted, until it slips away.
func (s situation) hold(t *testing.T, ns, pod string) {
	t.Helper()
	s.patchPod(t, ns, pod, map[string]any{"metadata": map[string]any{"finalizers": []string{"example.com/hold"}}})
}

// slipAway lets a pod that was held go without the operator seeing it: it takes events of the current submission only.
func (s situation) slipAway(t *testing.T, ns, pod string) {
	t.Helper()
	another := map[string]any{"sparkoperator.k8s.io/submission-id": "another"}
	s.patchPod(t, ns, pod, map[string]any{"metadata": map[string]any{"labels": another}})
	s.patchPod(t, ns, pod, map[string]any{"metadata": map[string]any{"$deleteFromPrimitiveList/finalizers": []string{"example.com/hold"}}})
	require.NoError(t, s.cp.WaitForGone(t.Context(), corev1.SchemeGroupVersion.WithResource("pods"), ns, pod))
	time.Sleep(2 * time.Second) // nothing happens
}

// missedEnd lets a rerun wait for a driver pod, and the operator miss the end of that pod.
func missedEnd(t *testing.T, s situation) {
	ns := s.namespace(t, "rerun")
	s.application(t, ns, "etl", retries)
	s.hold(t, ns, "etl-driver")
	require.NoError(t, s.cp.EndPod(t.Context(), ns, "etl-driver", corev1.PodFailed))
	_, err := s.cp.WaitForState(t.Context(), ns, "etl", "PENDING_RERUN")
	require.NoError(t, err)
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "it is on its way")
	flags := []string{"-n", ns, "--transition-after", "0s", "--checks", "SD6003"}
	o := s.scanUntil(t, flags...)
	require.Equal(t, []string{"warning proven SD6003 SparkApplication rerun/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), `waits for Pod "etl-driver", which has been terminating`)

	s.slipAway(t, ns, "etl-driver")
	o = s.doctor.scan(t, flags...)
	require.Equal(t, []string{"error proven SD6003 SparkApplication rerun/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "gone, but the operator does not recheck")

	left := s.fix(t, append([]string{"SD6003"}, flags[:4]...)...)
	require.Equal(t, 1, left.code, "%s", left.stdout+left.stderr)
	done := s.fix(t, append([]string{"SD6003=" + ns + "/etl", "--max-risk", "disruptive"}, flags[:4]...)...)
	require.Equal(t, 0, done.code, "%s", done.stdout+done.stderr)
	_, err = s.cp.WaitForState(t.Context(), ns, "etl", "RUNNING")
	require.NoError(t, err)
	s.gone(t, ns, "etl")
}

// sidecarRunsOn lets the driver's container end beside one that does not.
func sidecarRunsOn(t *testing.T, s situation) {
	ns := s.namespace(t, "rerun")
	mesh := ofDriver([]any{map[string]any{"name": "mesh", "image": "mesh:1"}}, "sidecars")
	s.application(t, ns, "etl", mesh)
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--transition-after", "0s", "--checks", "SD6004").findings())
	ended := metav1.NewTime(time.Now().Add(-time.Hour))
	s.patchPod(t, ns, "etl-driver", map[string]any{"status": map[string]any{"containerStatuses": []any{map[string]any{
		"name": "spark-kubernetes-driver", "image": "spark:3.5.5", "imageID": "", "ready": false, "restartCount": 0,
		"state": map[string]any{"running": nil, "terminated": corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: ended,
			FinishedAt: ended}},
	}}}}, "status")
	time.Sleep(2 * time.Second) // nothing happens
	o := s.doctor.scan(t, "-n", ns)
	require.Equal(t, []string{"error proven SD6004 SparkApplication rerun/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "another container keeps the pod running")
	done := s.fix(t, "SD6004", "-n", ns)
	require.Equal(t, 0, done.code, "%s", done.stdout+done.stderr)
	_, err := s.cp.WaitForState(t.Context(), ns, "etl", "COMPLETED")
	require.NoError(t, err)
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings())
	s.gone(t, ns, "etl")
}

// missedSuspension lets an application be resumed while its driver still goes, and the operator miss the end of that.
func missedSuspension(t *testing.T, s situation) {
	if s.version < "2.4" {
		t.Skip("spec.suspend came with 2.4.0")
	}
	ns := s.namespace(t, "rerun")
	s.application(t, ns, "etl")
	s.hold(t, ns, "etl-driver")
	s.patch(t, ns, "etl", map[string]any{"spec": map[string]any{"suspend": true}})
	_, err := s.cp.WaitForState(t.Context(), ns, "etl", "SUSPENDED")
	require.NoError(t, err)
	flags := []string{"-n", ns, "--transition-after", "0s", "--checks", "SD6005"}
	require.Empty(t, s.doctor.scan(t, flags...).findings(), "it is as it should be")
	s.patch(t, ns, "etl", map[string]any{"spec": map[string]any{"suspend": false}})
	o := s.scanUntil(t, flags...)
	require.Equal(t, []string{"error proven SD6005 SparkApplication rerun/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), `driver pod "etl-driver" has been terminating for `)
	s.slipAway(t, ns, "etl-driver")
	o = s.doctor.scan(t, flags...)
	require.Equal(t, []string{"error proven SD6005 SparkApplication rerun/etl"}, o.findings(), o.stdout)
	done := s.fix(t, append([]string{"SD6005=" + ns + "/etl", "--max-risk", "disruptive"}, flags[:4]...)...)
	require.Equal(t, 0, done.code, "%s", done.stdout+done.stderr)
	_, err = s.cp.WaitForState(t.Context(), ns, "etl", "RUNNING")
	require.NoError(t, err)
	s.gone(t, ns, "etl")
}

// nameTaken lets the API server refuse a driver whose name a pod has already.
func nameTaken(t *testing.T, s situation) {
	ns := s.namespace(t, "rerun")
	_, err := s.cp.Client.CoreV1().Pods(ns).Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "taken-driver",
			Labels: map[string]string{"sparkoperator.k8s.io/launched-by-spark-operator": "true", "spark-role": "driver"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "spark-kubernetes-driver", Image: "spark:3.5.5"}}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = s.cp.WaitForPod(t.Context(), ns, "taken-driver")
	require.NoError(t, err)
	time.Sleep(time.Second) // the pod is older than the submission
	s.create(t, ns, "taken", "FAILED")
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--checks", "SD6006").findings(), "it may be tried again")
	o := s.scanUntil(t, "-n", ns, "--transition-after", "0s", "--checks", "SD6006")
	require.Equal(t, []string{"error proven SD6006 SparkApplication rerun/taken"}, o.findings(), o.stdout)
	require.Regexp(t, `^FAILED for \d+ (?:s|min) \(since \S+ UTC\): a pod of no application already has the name of its driver, "taken-driver"`, o.message(t))
	s.gone(t, ns, "taken")
	require.NoError(t, s.cp.Client.CoreV1().Pods(ns).Delete(t.Context(), "taken-driver", metav1.DeleteOptions{}))
}
