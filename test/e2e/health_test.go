package e2e

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestHealthy installs each release as its chart comes, with applications in every state that they pass through: nothing
// may be found.
func TestHealthy(t *testing.T) {
	t.Parallel()
	binary := build(t)
	for _, version := range operators() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, cp.Stop()) })
			op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: []string{"jobs", "more"}})
			require.NoError(t, err)
			s := situation{cp: cp, op: op, doctor: as(t, cp, binary, "admin"), version: version}
			silent := func(what string, args ...string) {
				o := s.doctor.scan(t, args...)
				require.Empty(t, o.findings(), "%s: %s", what, o.stdout)
				require.Equal(t, 0, o.code, "%s: %s", what, o.stdout+o.stderr)
				require.Zero(t, o.report.Summary.Checks.Skipped, o.stdout)
			}
			silent("nothing but the operator")
			s.everyState(t, "jobs")
			others := []string{"--skip-checks", "SD8001"} // says that one failed
			silent("what the operator leads applications through", others...)
			silent("the same, asked closely", append(others, "--probe", "--logs")...)
			require.NoError(t, op.StopController(t.Context()))
			for _, state := range passing() {
				s.writtenState(t, "more", state)
			}
			o := s.doctor.scan(t, append(others, "--confirm-after", "10m")...)
			require.Empty(t, o.findings(), "what it leaves again within moments, while it is being restarted: %s", o.stdout)
			require.Equal(t, 3, o.code, "what waits for an operator that is down is not judged: %s", o.stdout+o.stderr)
			require.Zero(t, o.report.Summary.Checks.Skipped, o.stdout)

			o = s.scanUntil(t, "--new-after", "0s", "--checks", "SD5001,SD5005,SD5008")
			require.Equal(t, []string{"error proven SD5008 Deployment spark-operator/spark-operator-controller"}, o.findings(), o.stdout)
			require.Regexp(t, "^operator "+regexp.QuoteMeta(version)+` has had no ready replica \(0 of 1\) for \d+ (?:s|min) \(since \S+ UTC\): `+
				"container spark-operator-controller of pod ", o.message(t))
			require.Contains(t, o.message(t), "CrashLoopBackOff")
			require.Contains(t, o.message(t), " without a state, the oldest for ")
		})
	}
}

// everyState makes applications that are new, running with and without executors, completed, failed, suspended, with a time
// to live, and those of a schedule.
func (s situation) everyState(t *testing.T, ns string) {
	t.Helper()
	s.schedule(t, ns)
	withTTL := func(app *unstructured.Unstructured) {
		app.Object["spec"].(map[string]any)["timeToLiveSeconds"] = int64(3600)
	}
	retrying := func(app *unstructured.Unstructured) {
		app.Object["spec"].(map[string]any)["restartPolicy"] = map[string]any{
			"type": "OnFailure", "onFailureRetries": int64(3), "onFailureRetryInterval": int64(1), "onSubmissionFailureRetries": int64(3),
			"onSubmissionFailureRetryInterval": int64(1),
		}
	}
	for name, end := range map[string]corev1.PodPhase{"completed": corev1.PodSucceeded, "failed": corev1.PodFailed} {
		s.application(t, ns, name, withTTL)
		s.grow(t, ns, name, 1, 2, 2)
		require.NoError(t, s.cp.EndPod(t.Context(), ns, name+"-driver", end))
	}
	for name, state := range map[string]string{"completed": "COMPLETED", "failed": "FAILED"} {
		_, err := s.cp.WaitForState(t.Context(), ns, name, state)
		require.NoError(t, err)
	}
	s.application(t, ns, "running")
	s.grow(t, ns, "running", 1, 3, 3)
	// A run that fails is run again, by way of FAILING and PENDING_RERUN.
	app := s.application(t, ns, "retried", retrying)
	first, _, _ := unstructured.NestedString(app.Object, "status", "submissionID")
	require.NoError(t, s.cp.EndPod(t.Context(), ns, "retried-driver", corev1.PodFailed))
	until(t, "the second run", func(ctx context.Context) (bool, error) {
		app, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Get(ctx, "retried", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		id, _, _ := unstructured.NestedString(app.Object, "status", "submissionID")
		state, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state")
		return id != first && state == "RUNNING", nil
	})
	if s.version >= "2.4" {
		s.application(t, ns, "suspended")
		s.patch(t, ns, "suspended", map[string]any{"spec": map[string]any{"suspend": true}})
		_, err := s.cp.WaitForState(t.Context(), ns, "suspended", "SUSPENDED")
		require.NoError(t, err)
	}
	_, err := s.cp.CreateApplication(t.Context(), controlplane.NewApplication(ns, "new"))
	require.NoError(t, err)
}

// passing are the states in which the operator leaves no application for long.
func passing() []string {
	return []string{"", "SUBMITTED", "PENDING_RERUN", "INVALIDATING", "SUCCEEDING", "FAILING", "SUBMISSION_FAILED", "UNKNOWN", "SUSPENDING",
		"RESUMING"}
}

// writtenState makes an application whose state is written by hand, as the operator would have a moment ago.
func (s situation) writtenState(t *testing.T, ns, state string) {
	t.Helper()
	name := "passing-" + map[string]string{"": "new", "SUBMITTED": "submitted", "PENDING_RERUN": "rerun", "INVALIDATING": "invalidating",
		"SUCCEEDING": "succeeding", "FAILING": "failing", "SUBMISSION_FAILED": "refused", "UNKNOWN": "unknown", "SUSPENDING": "suspending",
		"RESUMING": "resuming"}[state]
	_, err := s.cp.CreateApplication(t.Context(), controlplane.NewApplication(ns, name))
	require.NoError(t, err)
	if state == "" {
		return
	}
	s.patch(t, ns, name, map[string]any{"status": map[string]any{
		"applicationState": map[string]any{"state": state}, "driverInfo": map[string]any{"podName": name + "-driver"},
		"submissionID": "00000000-0000-4000-8000-000000000001", "submissionAttempts": int64(1), "executionAttempts": int64(1),
		"lastSubmissionAttemptTime": time.Now().UTC().Format(time.RFC3339),
	}}, "status")
}

// TestTwoOperatorsOneNamespace lets two operators take one namespace, and none another.
func TestTwoOperatorsOneNamespace(t *testing.T) {
	t.Parallel()
	binary := build(t)
	for _, version := range operators() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, cp.Stop()) })
			green, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: []string{"green", "shared"}})
			require.NoError(t, err)
			s := situation{cp: cp, op: green, doctor: as(t, cp, binary, "admin"), version: version}
			require.NoError(t, cp.CreateNamespace(t.Context(), "nobodys"))
			_, err = cp.CreateApplication(t.Context(), controlplane.NewApplication("nobodys", "pi"))
			require.NoError(t, err)
			s.application(t, "green", "pi")

			const only = "SD5001,SD5004,SD5005,SD5008,SD6001"
			require.Empty(t, s.doctor.scan(t, "--checks", only).findings(), "five minutes have not passed")
			unwatched := "error proven SD5001 Namespace /nobodys"
			o := s.scanUntil(t, "--checks", only, "--new-after", "0s")
			require.Equal(t, []string{unwatched}, o.findings(), o.stdout)
			require.Contains(t, o.message(t), "1 application waits without a state")
			require.Contains(t, o.message(t), "operator "+version+" of namespace spark-operator watches only namespaces green, shared")
			require.Equal(t, []string{unwatched}, s.doctor.scan(t, "-n", "nobodys", "--checks", only, "--new-after", "0s").findings())
			require.Empty(t, s.doctor.scan(t, "-n", "green", "--checks", only, "--new-after", "0s").findings())
			require.Equal(t, []string{unwatched}, s.doctor.scan(t, "sparkapplication/pi", "-n", "nobodys", "--checks", only, "--new-after",
				"0s").findings())
			s.deleteApp(t, "nobodys", "pi", metav1.DeletePropagationBackground)

			_, err = cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, Release: "blue", Namespace: "operators",
				JobNamespaces: []string{"shared"}})
			require.NoError(t, err)
			o = s.doctor.scan(t, "--checks", only)
			require.Equal(t, []string{"warning proven SD5004 Deployment operators/blue-spark-operator-controller"}, o.findings(), o.stdout)
			require.Contains(t, o.message(t), "reconciles namespace shared, and so does operator "+version+
				" of namespace spark-operator; no application exists there yet")
			_, err = cp.CreateApplication(t.Context(), controlplane.NewApplication("shared", "pi"))
			require.NoError(t, err)
			o = s.doctor.scan(t, "--checks", only)
			require.Equal(t, []string{"error proven SD5004 Deployment operators/blue-spark-operator-controller"}, o.findings(), o.stdout)
			require.Contains(t, o.message(t), "; both mutate its pods; 1 application there")
			until(t, "both to have had a go at it", func(ctx context.Context) (bool, error) {
				app, err := cp.Dynamic.Resource(controlplane.Applications()).Namespace("shared").Get(ctx, "pi", metav1.GetOptions{})
				if err != nil {
					return false, err
				}
				state, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state")
				message, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "errorMessage")
				t.Logf("state %q %.300s", state, message)
				return state != "" && state != "SUBMITTED", nil
			})

			for _, name := range []string{"blue-spark-operator-controller", "blue-spark-operator-webhook"} {
				_, err = cp.Client.AppsV1().Deployments("operators").Patch(t.Context(), name, "application/merge-patch+json",
					[]byte(`{"spec":{"replicas":0}}`), metav1.PatchOptions{})
				require.NoError(t, err)
			}
			require.Empty(t, s.doctor.scan(t, "--checks", "SD5004,SD5005,SD5008").findings(), "scaled to zero, and nothing waits for it")

			d, err := cp.Client.AppsV1().Deployments("operators").Get(t.Context(), "blue-spark-operator-controller", metav1.GetOptions{})
			require.NoError(t, err)
			for i, arg := range d.Spec.Template.Spec.Containers[0].Args {
				switch arg {
				case "--leader-election=true":
					d.Spec.Template.Spec.Containers[0].Args[i] = "--leader-election=false"
				case "--namespaces=shared":
					d.Spec.Template.Spec.Containers[0].Args[i] = "--namespaces=elsewhere"
				}
			}
			d.Spec.Replicas = new(int32(2))
			_, err = cp.Client.AppsV1().Deployments("operators").Update(t.Context(), d, metav1.UpdateOptions{})
			require.NoError(t, err)
			o = s.doctor.scan(t, "--checks", "SD5004,SD5005")
			require.Equal(t, []string{"error proven SD5005 Deployment operators/blue-spark-operator-controller"}, o.findings(), o.stdout)
			require.Contains(t, o.message(t), "2 replicas of operator "+version+" run without leader election")
		})
	}
}
