package e2e

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// scheduled makes a schedule; nil leaves a field of its spec out.
func (s situation) scheduled(t *testing.T, ns, name string, spec map[string]any) {
	t.Helper()
	template, _, err := unstructured.NestedMap(controlplane.NewApplication(ns, "unused").Object, "spec")
	require.NoError(t, err)
	all := map[string]any{"schedule": "@every 5s", "concurrencyPolicy": "Allow", "template": template}
	for field, value := range spec {
		if all[field] = value; value == nil {
			delete(all, field)
		}
	}
	_, err = s.cp.Dynamic.Resource(schedules()).Namespace(ns).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "ScheduledSparkApplication", "metadata": map[string]any{"name": name}, "spec": all,
	}}, metav1.CreateOptions{})
	require.NoError(t, err)
}

func (s situation) respecify(t *testing.T, ns, name string, spec map[string]any) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"spec": spec})
	require.NoError(t, err)
	_, err = s.cp.Dynamic.Resource(schedules()).Namespace(ns).Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{})
	require.NoError(t, err)
}

// waitForSchedule waits until a field of a schedule's status is as it should be.
func (s situation) waitForSchedule(t *testing.T, ns, name string, holds func(status map[string]any) bool) {
	t.Helper()
	until(t, "the status of schedule "+name, func(ctx context.Context) (bool, error) {
		got, err := s.cp.Dynamic.Resource(schedules()).Namespace(ns).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		status, _, err := unstructured.NestedMap(got.Object, "status")
		return holds(status), err
	})
}

func (s situation) removeSchedule(t *testing.T, ns, name string) {
	t.Helper()
	foreground := metav1.DeletePropagationForeground
	require.NoError(t, s.cp.Dynamic.Resource(schedules()).Namespace(ns).Delete(t.Context(), name,
		metav1.DeleteOptions{PropagationPolicy: &foreground}))
	require.NoError(t, s.cp.WaitForGone(t.Context(), schedules(), ns, name))
}

func (s situation) runsOf(t *testing.T, ns, name string) []unstructured.Unstructured {
	t.Helper()
	list, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).List(t.Context(),
		metav1.ListOptions{LabelSelector: "sparkoperator.k8s.io/scheduled-app-name=" + name})
	require.NoError(t, err)
	return list.Items
}

func inState(state string) func(map[string]any) bool {
	return func(status map[string]any) bool { return status["scheduleState"] == state }
}

func ranOnce(status map[string]any) bool { return status["lastRunName"] != nil }

// refusedByTheOperator has the operator refuse a schedule, which stays refused when it is corrected (#3174).
func refusedByTheOperator(t *testing.T, s situation) {
	ns := s.namespace(t, "scheduled")
	s.scheduled(t, ns, "nightly", map[string]any{"schedule": "0 3 * *"})
	s.waitForSchedule(t, ns, "nightly", inState("FailedValidation"))
	want := []string{"error proven SD6007 ScheduledSparkApplication scheduled/nightly"}
	o := s.doctor.scan(t, "-n", ns)
	require.Equal(t, want, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "FailedValidation: expected exactly 5 fields, found 4")
	s.respecify(t, ns, "nightly", map[string]any{"schedule": "@every 2s"})
	until(t, "the finding to tell that the schedule is good", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "-n", ns)
		return strings.Contains(o.message(t), `although spec.schedule "@every 2s" is valid now: operator `+s.version), nil
	})
	require.Empty(t, s.runsOf(t, ns, "nightly"), "the operator does not look again")
	s.respecify(t, ns, "nightly", map[string]any{"suspend": true})
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "on purpose")
	s.removeSchedule(t, ns, "nightly")
}

// withoutPolicy shows that a schedule without concurrencyPolicy runs once.
func withoutPolicy(t *testing.T, s situation) {
	ns := s.namespace(t, "scheduled")
	s.scheduled(t, ns, "once", map[string]any{"concurrencyPolicy": nil})
	s.waitForSchedule(t, ns, "once", ranOnce)
	o := s.doctor.scan(t, "-n", ns)
	require.Equal(t, []string{"warning proven SD6007 ScheduledSparkApplication scheduled/once"}, o.findings(), o.stdout)
	until(t, "the run that does not come to be due", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "-n", ns, "--checks", "SD6007", "--new-after", "4s")
		return len(o.findings()) == 1 && strings.HasPrefix(o.findings()[0], "error proven"), nil
	})
	require.Contains(t, o.message(t), "without concurrencyPolicy, operator "+s.version+" starts a run only while no earlier one exists")
	require.Len(t, s.runsOf(t, ns, "once"), 1, "and there is one")
	s.respecify(t, ns, "once", map[string]any{"concurrencyPolicy": "Replace"})
	until(t, "the next run", func(context.Context) (bool, error) {
		runs := s.runsOf(t, ns, "once")
		return len(runs) > 0 && runs[0].GetCreationTimestamp().After(runs[len(runs)-1].GetCreationTimestamp().Time) || s.silent(t, ns), nil
	})
	s.removeSchedule(t, ns, "once")
}

func (s situation) silent(t *testing.T, ns string) bool {
	t.Helper()
	return len(s.doctor.scan(t, "-n", ns, "--checks", "SD6007", "--new-after", "4s").findings()) == 0
}

// namesTooLong shows that a schedule which every webhook admits makes no run.
func namesTooLong(t *testing.T, s situation) {
	ns, name := s.namespace(t, "scheduled"), strings.Repeat("nightly", 6)+"xx"
	require.Len(t, name, 44)
	s.scheduled(t, ns, name, nil)
	s.waitForSchedule(t, ns, name, inState("Scheduled"))
	o := s.doctor.scan(t, "-n", ns, "--checks", "SD6007")
	require.Equal(t, []string{"error proven SD6007 ScheduledSparkApplication scheduled/" + name}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "run names have 64 characters")
	if s.version >= "2.4" {
		until(t, "the run to be due", func(ctx context.Context) (bool, error) {
			events, err := s.cp.Dynamic.Resource(schedules()).Namespace(ns).Get(ctx, name, metav1.GetOptions{})
			return err == nil && events != nil && strings.Contains(s.op.Logs(), "Failed to start next run"), err
		})
		require.Empty(t, s.runsOf(t, ns, name), "the webhook refuses them")
	}
	s.removeSchedule(t, ns, name)
}

// behindARun shows what Forbid waits for: a run that runs is none of our business, one that stands is.
func behindARun(t *testing.T, s situation) {
	ns := s.namespace(t, "scheduled")
	s.scheduled(t, ns, "forbids", map[string]any{"concurrencyPolicy": "Forbid"})
	s.waitForSchedule(t, ns, "forbids", ranOnce)
	run := s.runsOf(t, ns, "forbids")[0].GetName()
	_, err := s.cp.WaitForState(t.Context(), ns, run, "RUNNING")
	require.NoError(t, err)
	flags := []string{"-n", ns, "--checks", "SD6007", "--new-after", "0s", "--stuck-after", "0s"}
	until(t, "the next run to be overdue", func(ctx context.Context) (bool, error) {
		pods, err := s.cp.Client.CoreV1().Pods(ns).List(ctx, metav1.ListOptions{})
		return err == nil && len(pods.Items) == 1 && len(s.doctor.scan(t, flags...).findings()) == 0, err
	})
	require.NoError(t, s.op.StopController(t.Context()))
	s.patch(t, ns, run, map[string]any{"status": map[string]any{"applicationState": map[string]any{"state": "PENDING_RERUN"}}}, "status")
	var o outcome
	until(t, "the schedule to be blocked", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, flags...)
		return len(o.findings()) > 0, nil
	})
	require.Equal(t, []string{"warning proven SD6007 ScheduledSparkApplication scheduled/forbids"}, o.findings(), o.stdout)
	require.Regexp(t, "Forbid waits for run "+run+`, which has been PENDING_RERUN for \d+ (?:s|min) \(since \S+ UTC\)`, o.message(t))
	require.NoError(t, s.op.StartController(t.Context()))
	s.removeSchedule(t, ns, "forbids")
}

// changedSchedule shows that the operator keeps to the time that it had reckoned (#2555).
func changedSchedule(t *testing.T, s situation) {
	ns := s.namespace(t, "scheduled")
	s.scheduled(t, ns, "yearly", map[string]any{"schedule": "0 0 1 1 *"})
	s.waitForSchedule(t, ns, "yearly", func(status map[string]any) bool { return status["nextRun"] != nil })
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings())
	s.respecify(t, ns, "yearly", map[string]any{"schedule": "@every 2s"})
	o := s.doctor.scan(t, "-n", ns)
	require.Equal(t, []string{"warning proven SD6007 ScheduledSparkApplication scheduled/yearly"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), `spec.schedule "@every 2s"`)
	require.Empty(t, s.runsOf(t, ns, "yearly"))
	s.removeSchedule(t, ns, "yearly")
}

// withoutIntervals makes an application past the webhook: it gets no defaults, and its failure is never retried.
func withoutIntervals(t *testing.T, s situation) {
	ns := s.namespace(t, "retries")
	s.failurePolicy(t, "Ignore")
	require.NoError(t, s.op.StopWebhook(t.Context()))
	s.application(t, ns, "etl", func(app *unstructured.Unstructured) {
		_ = unstructured.SetNestedMap(app.Object, map[string]any{"type": "OnFailure", "onFailureRetries": int64(3)}, "spec", "restartPolicy")
	})
	require.NoError(t, s.op.StartWebhook(t.Context()))
	s.failurePolicy(t, "Fail")
	o := s.doctor.scan(t, "-n", ns, "--checks", "SD6009")
	require.Equal(t, []string{"warning proven SD6009 SparkApplication retries/etl"}, o.findings(), o.stdout)
	require.NoError(t, s.cp.EndPod(t.Context(), ns, "etl-driver", corev1.PodFailed))
	_, err := s.cp.WaitForState(t.Context(), ns, "etl", "FAILING")
	require.NoError(t, err)
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--checks", "SD6009").findings(), "five minutes have not passed")
	o = s.doctor.scan(t, "-n", ns, "--checks", "SD6009", "--new-after", "0s")
	require.Equal(t, []string{"error proven SD6009 SparkApplication retries/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "without onFailureRetryInterval, operator "+s.version+" never retries")
	until(t, "the controller to say why", func(context.Context) (bool, error) {
		return strings.Contains(s.op.Logs(), "invalid retry interval"), nil
	})
	// With the interval the same application is run again. The controller is away meanwhile: it decodes the answer to its update for a
	// changed spec into the object of its cache, and a reconcile at that moment submits what has no mode yet (EventFilter.Update in
	// internal/controller/sparkapplication/event_filter.go@v2.5.2, targetZeroingDecoder of sigs.k8s.io/controller-runtime@v0.20.4).
	require.NoError(t, s.op.StopController(t.Context()))
	s.patch(t, ns, "etl", map[string]any{"spec": map[string]any{"restartPolicy": map[string]any{"onFailureRetryInterval": 1,
		"onSubmissionFailureRetryInterval": 1}}})
	require.NoError(t, s.op.StartController(t.Context()))
	_, err = s.cp.WaitForState(t.Context(), ns, "etl", "RUNNING")
	require.NoError(t, err)
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationForeground)
}

// refusedRuns has a quota refuse the runs of a schedule: only the operator's log says so.
func refusedRuns(t *testing.T, s situation) {
	ns := s.namespace(t, "scheduled")
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "none"}, Spec: corev1.ResourceQuotaSpec{
		Hard: corev1.ResourceList{"count/sparkapplications.sparkoperator.k8s.io": resource.MustParse("0")},
	}}
	_, err := s.cp.Client.CoreV1().ResourceQuotas(ns).Create(t.Context(), quota, metav1.CreateOptions{})
	require.NoError(t, err)
	s.scheduled(t, ns, "nightly", map[string]any{"schedule": "@every 3s"})
	var o outcome
	until(t, "the run to be overdue", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "-n", ns, "--checks", "SD6007", "--new-after", "2s", "--logs")
		return len(o.findings()) == 1 && strings.Contains(o.message(t), "; the operator tried "), nil
	})
	require.Equal(t, []string{"error proven SD6007 ScheduledSparkApplication scheduled/nightly"}, o.findings(), o.stdout)
	require.Contains(t, o.stdout, "quota", "the log is quoted")
	require.NoError(t, s.cp.Client.CoreV1().ResourceQuotas(ns).Delete(t.Context(), "none", metav1.DeleteOptions{}))
	s.waitForSchedule(t, ns, "nightly", ranOnce)
	s.removeSchedule(t, ns, "nightly")
}

// badName makes an application whose name has a dot: past the webhook since 2.4.0, which then refuses any change of
// it, and before that with the operator's consent, which then cannot submit it.
func badName(t *testing.T, s situation) {
	ns := s.namespace(t, "names")
	app, refuses := controlplane.NewApplication(ns, "etl.v2"), s.version >= "2.4"
	if refuses {
		s.failurePolicy(t, "Ignore")
		require.NoError(t, s.op.StopWebhook(t.Context()))
	}
	_, err := s.cp.CreateApplication(t.Context(), app)
	require.NoError(t, err)
	if !refuses {
		_, err = s.cp.WaitForState(t.Context(), ns, "etl.v2", "SUBMITTED")
		require.NoError(t, err)
		o := s.doctor.scan(t, "-n", ns, "--checks", "SD6012")
		require.Equal(t, []string{"error proven SD6012 SparkApplication names/etl.v2"}, o.findings(), o.stdout)
		s.deleteApp(t, ns, "etl.v2", metav1.DeletePropagationBackground)
		return
	}
	_, err = s.cp.WaitForState(t.Context(), ns, "etl.v2", "SUBMITTED")
	require.NoError(t, err)
	require.NoError(t, s.op.StartWebhook(t.Context()))
	s.failurePolicy(t, "Fail")
	o := s.doctor.scan(t, "-n", ns, "--checks", "SD6012")
	require.Equal(t, []string{"warning proven SD6012 SparkApplication names/etl.v2"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "the name has a dot: the webhook of operator "+s.version+" rejects every update")
	_, err = s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Patch(t.Context(), "etl.v2", types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"a":"b"}}}`), metav1.PatchOptions{})
	require.ErrorContains(t, err, "invalid SparkApplication name")
	s.deleteApp(t, ns, "etl.v2", metav1.DeletePropagationBackground)
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, "etl.v2"), "a deletion is no update")
}
