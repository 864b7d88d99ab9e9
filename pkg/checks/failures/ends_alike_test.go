package failures_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestScanAndWhySeeTheSameEnd: what a scan keeps of a pod tells how it ended as all of the pod does.
func TestScanAndWhySeeTheSameEnd(t *testing.T) {
	const terminated = `containerStatuses: [{name: spark-kubernetes-driver, state: {terminated: {exitCode: %d, reason: %s, message: m, ` +
		`finishedAt: "2026-11-23T11:30:00Z"}}}]`
	statuses := []string{"phase: Running", "phase: Pending", "phase: Failed"}
	for _, reason := range []string{"Evicted", "Preempting", "NodeLost", "NodeShutdown", "DeadlineExceeded", "OutOfcpu", "SomethingElse"} {
		statuses = append(statuses, fmt.Sprintf("{phase: Failed, reason: %s, message: says}", reason),
			fmt.Sprintf("{phase: Failed, reason: %s, message: says, %s}", reason, fmt.Sprintf(terminated, 137, "Error")))
	}
	for _, reason := range []string{"PreemptionByScheduler", "DeletionByTaintManager", "EvictionByEvictionAPI", "TerminationByKubelet"} {
		statuses = append(statuses, fmt.Sprintf(`{phase: Failed, conditions: [{type: DisruptionTarget, status: "True", reason: %s}]`+
			", "+terminated+"}", reason, 143, "Error"))
	}
	for code, reason := range map[int]string{137: "OOMKilled", 1: "Error", 52: "Error", 143: "Error", 128: "StartError", 127: "Error"} {
		statuses = append(statuses, fmt.Sprintf("{phase: Failed, %s}", fmt.Sprintf(terminated, code, reason)))
	}
	for _, status := range statuses {
		text := `apiVersion: v1
kind: Pod
metadata:
  name: etl-driver
  namespace: jobs
  uid: u
  creationTimestamp: "2026-11-23T11:00:00Z"
  labels: {spark-role: driver, sparkoperator.k8s.io/app-name: etl, sparkoperator.k8s.io/launched-by-spark-operator: "true"}
spec: {nodeName: node-1, containers: [{name: spark-kubernetes-driver, image: spark}]}
status: ` + status
		if status[0] != '{' {
			text = text[:len(text)-len(status)] + "{" + status + "}"
		}
		var whole corev1.Pod
		require.NoError(t, yaml.Unmarshal([]byte(text), &whole))
		pods := checktest.Parse(t, text, time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)).SparkPods()
		require.Len(t, pods, 1, status)
		want, ended := mechanism.PodEnd(&whole)
		got, alsoEnded := mechanism.PodEnd(app.NarrowPod(pods[0]))
		require.Equal(t, ended, alsoEnded, status)
		require.Equal(t, []any{want.Why, want.Code, want.Reason, want.Message, want.Trust},
			[]any{got.Why, got.Code, got.Reason, got.Message, got.Trust}, status)
	}
}
