package mechanism_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestWebhookNotCalled holds that refused certificates explain a pod that the webhook did not change only around the time when the pod was
// made, and that a selector which leaves the namespace out comes before.
func TestWebhookNotCalled(t *testing.T) {
	const objects = `
- apiVersion: sparkoperator.k8s.io/v1beta2
  kind: SparkApplication
  metadata: {name: etl, namespace: jobs, uid: app}
  spec:
    volumes: [{name: ref, emptyDir: {}}]
    driver: {volumeMounts: [{name: ref, mountPath: /mnt/ref}]}
  status: {driverInfo: {podName: etl-driver}}
- apiVersion: v1
  kind: Pod
  metadata: {name: etl-driver, namespace: jobs, uid: d, creationTimestamp: "2026-06-03T11:00:00Z", labels: {spark-role: driver}}
  spec: {containers: [{name: spark-kubernetes-driver}]}
- apiVersion: v1
  kind: Pod
  metadata: {name: hook-0, namespace: ops, uid: h, labels: {app.kubernetes.io/name: spark-operator, app.kubernetes.io/component: webhook}}
`
	var list []map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(objects), &list))
	var all []unstructured.Unstructured
	for _, o := range list {
		all = append(all, unstructured.Unstructured{Object: o})
	}
	asked := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "jobs", Name: "etl"}
	const refused = " http: TLS handshake error from 10.0.0.1:40000: remote error: tls: bad certificate\n"
	found := func(line string, skips *app.WebhookSkip) mechanism.NotCalled {
		e := app.FromObjects(all, []app.Log{{Namespace: "ops", Pod: "hook-0", Container: "webhook", Tail: line}}, asked, time.Time{})
		e.WebhookSkips = skips
		about := cause.Cause{Subject: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "jobs", Name: "etl-driver"},
			Detail: logs.Failure{Finding: logs.Finding{}, Absent: logs.Absent{Paths: []string{"/mnt/ref/rates.csv"}}}}
		c, is := mechanism.WebhookDidNotMutate(mechanism.Look(e), &about)
		require.True(t, is)
		d, is := c.Detail.(mechanism.NeverArrived)
		require.True(t, is)
		return d.Why
	}
	down := func(ended, state string) mechanism.NotCalled {
		hook := all[len(all)-1]
		require.NoError(t, unstructured.SetNestedSlice(hook.Object, []any{map[string]any{"name": "webhook", "restartCount": int64(4),
			"state":     map[string]any{state: map[string]any{}},
			"lastState": map[string]any{"terminated": map[string]any{"exitCode": int64(137), "reason": "OOMKilled", "finishedAt": ended}},
		}}, "status", "containerStatuses"))
		return found("", nil)
	}
	require.Equal(t, &mechanism.WebhookDown{Pod: "hook-0", Reason: "OOMKilled", Code: 137, Restarts: 4},
		down("2026-06-03T10:58:00Z", "waiting").Down)
	require.Zero(t, down("2026-06-03T11:00:05Z", "waiting"), "it went down after the pod was made")
	require.Zero(t, down("2026-06-03T10:58:00Z", "running"), "it runs again, and may have run then")
	require.Equal(t, "hook-0", found("2026/06/03 11:00:10"+refused, nil).Pod)
	require.Zero(t, found("2026/06/03 10:40:00"+refused, nil), "long before the pod was made")
	require.Zero(t, found("2026/06/03 11:00:10 http: TLS handshake error from 10.0.0.1:40000: EOF\n", nil))
	require.NotNil(t, found("2026/06/03 11:00:10"+refused, &app.WebhookSkip{}).Skips)
}
