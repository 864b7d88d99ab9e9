package why_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestWhatNeverRanHasNoTime: a run has lasted from the start of the driver's container. Where its pod is gone, the operator's times stand
// for it, and not where it says that spark-submit failed.
func TestWhatNeverRanHasNoTime(t *testing.T) {
	of := func(message, pod string) time.Duration {
		documents := []string{`{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: etl, namespace: jobs, uid: a},
			spec: {type: Scala}, status: {applicationState: {state: FAILED, errorMessage: "` + message + `"}, driverInfo: {podName: etl-driver},
			lastSubmissionAttemptTime: "2026-11-23T11:00:00Z", terminationTime: "2026-11-23T11:10:00Z"}}`}
		if pod != "" {
			documents = append(documents, `{apiVersion: v1, kind: Pod, metadata: {name: etl-driver, namespace: jobs, labels: {spark-role: driver,
				sparkoperator.k8s.io/app-name: etl}, creationTimestamp: "2026-11-23T11:00:02Z"}, `+pod+`}`)
		}
		var list []unstructured.Unstructured
		for _, text := range documents {
			var o unstructured.Unstructured
			require.NoError(t, yaml.Unmarshal([]byte(text), &o.Object), text)
			list = append(list, o)
		}
		return why.Open(app.FromObjects(list, nil, snapshot.Ref{Kind: "SparkApplication", Namespace: "jobs", Name: "etl"},
			time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))).State.Ran
	}
	const spec = "spec: {nodeName: n1, containers: [{name: spark-kubernetes-driver}]}, status: {phase: Failed, "
	const status = spec + "containerStatuses: [{name: spark-kubernetes-driver, state: "
	for name, c := range map[string]struct {
		message, pod string
		want         time.Duration
	}{
		"the pod is gone":     {"driver container failed with ExitCode: 1, Reason: Error", "", 10 * time.Minute},
		"spark-submit failed": {"failed to run spark-submit: exit status 1", "", 0},
		"it ended": {"", status + "{terminated: {exitCode: 1, startedAt: '2026-11-23T11:01:00Z', finishedAt: '2026-11-23T11:09:00Z'}}}]}",
			8 * time.Minute},
		"it waited for its image": {"", status + "{waiting: {reason: ImagePullBackOff}}}]}", 0},
		"it was started again": {"", status + "{waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, startedAt: " +
			"'2026-11-23T11:01:00Z', finishedAt: '2026-11-23T11:09:00Z'}}}]}", 9 * time.Minute},
		"no node took it": {"", "spec: {containers: [{name: spark-kubernetes-driver}]}, status: {phase: Failed, reason: " +
			"ApplicationRejected}", 0},
		"its node does not tell": {"", spec + "reason: NodeLost}", 9*time.Minute + 58*time.Second},
	} {
		require.Equal(t, c.want, of(c.message, c.pod), name)
	}
}
