package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// objectOf is an object of a view.
func objectOf(t *testing.T, v snapshot.View, text string) *snapshot.Whole {
	t.Helper()
	src, known := snapshot.SourceOf(v)
	require.True(t, known)
	raw, err := yaml.YAMLToJSON([]byte(text))
	require.NoError(t, err)
	w, err := whole.Of(src, raw, snapshot.Location{})
	require.NoError(t, err)
	return w
}

const apacheJob = `
apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: {name: etl, namespace: a, uid: u}
spec:
  applicationTolerations:
    instanceConfig: {initExecutors: 5, minExecutors: 2, maxExecutors: 9}
    applicationTimeoutConfig: {driverStartTimeoutMillis: 60000, driverReadyTimeoutMillis: -1, executorStartTimeoutMillis: never}
    restartConfig: {restartPolicy: OnFailure, maxRestartAttempts: 3}
  sparkConf: {spark.dynamicAllocation.enabled: "TRUE", spark.dynamicAllocation.maxExecutors: "4", bad: 1}
status:
  currentAttemptSummary: {attemptInfo: {id: 1}}
  previousAttemptSummary:
    stateTransitionHistory:
      "2": {currentStateSummary: Submitted, lastTransitionTime: "2026-11-23T12:00:00Z"}
      "10":
        currentStateSummary: Failed
        lastTransitionTime: "2026-11-23T12:05:00.5Z"
        message: " Driver failed. "
        lastObservedDriverStatus: {phase: Failed, podIP: 3, containerStatuses: [{name: c, state: {terminated: {exitCode: 3}}}]}
  currentState: {currentStateSummary: ScheduledToRestart, lastTransitionTime: "2026-11-23T12:05:10Z"}
  stateTransitionHistory:
    "11": {currentStateSummary: ScheduledToRestart, lastTransitionTime: "2026-11-23T12:05:10Z"}
    x: {currentStateSummary: Submitted}
    "9": 3
`

func TestDecodeApache(t *testing.T) {
	b := snapshot.NewBuilder(time.Date(2026, 11, 23, 13, 0, 0, 0, time.UTC))
	b.Add(snapshot.WholeApacheApplications, objectOf(t, snapshot.WholeApacheApplications, apacheJob))
	s := b.Seal()
	ref, err := app.Find(s, app.Query{Namespace: "a", Name: "etl"})
	require.NoError(t, err)
	e := app.From(s, ref)
	require.Nil(t, e.Application)
	a := e.Apache
	require.NotNil(t, a)
	require.Equal(t, []any{5, 2, 9, time.Minute, time.Duration(0), 5 * time.Minute, 1, "OnFailure", 4},
		[]any{a.Init, a.Min, a.Max, a.DriverStart, a.DriverReady, a.ExecutorStart, a.Attempt, a.RestartPolicy, a.MaxAttempts()})
	var states []string
	for _, one := range a.Transitions {
		states = append(states, one.State)
	}
	require.Equal(t, []string{"Submitted", "Failed", "ScheduledToRestart"}, states, "by number, and those that have one")
	out := a.Outcome()
	require.Equal(t, []string{"Failed", "Driver failed.", "status.previousAttemptSummary.stateTransitionHistory[10]"},
		[]string{out.State, out.Message, out.Field})
	require.Equal(t, int32(3), out.Driver.ContainerStatuses[0].State.Terminated.ExitCode, "beside what does not decode")
	require.True(t, a.Failed())
	require.True(t, a.Restarts())
	most, setting, set := a.Most()
	require.Equal(t, []any{4, "spark.dynamicAllocation.maxExecutors", true}, []any{most, setting, set})
}

// TestFindOfApache: a name is looked for among the kinds of the Kubeflow operator first, and a driver leads to its object.
func TestFindOfApache(t *testing.T) {
	driver := podWith("a", "etl-1-driver", 1, of("s1", "driver", "spark.operator/spark-app-name", "etl"))
	executor := podWith("a", "etl-1-exec-1", 2, of("s1", "executor", "spark.operator/spark-app-name", "etl"))
	worker := podWith("a", "prod-worker-0", 2, map[string]any{"spark-role": "worker", "spark.operator/spark-cluster-name": "prod"})
	const cluster = "{apiVersion: spark.apache.org/v1, kind: SparkCluster, metadata: {name: prod, namespace: a, uid: c}}"
	const other = "{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: etl, namespace: a, uid: o}}"
	made := func(more func(b *snapshot.Builder)) *snapshot.Snapshot {
		b := snapshot.NewBuilder(time.Date(2026, 11, 23, 13, 0, 0, 0, time.UTC))
		b.Add(snapshot.WholeApacheApplications, objectOf(t, snapshot.WholeApacheApplications, apacheJob))
		b.Add(snapshot.WholeApacheClusters, objectOf(t, snapshot.WholeApacheClusters, cluster))
		b.Add(snapshot.WholePods, worker)
		more(b)
		return b.Seal()
	}
	find := func(s *snapshot.Snapshot, asked string) *app.Evidence {
		q, err := app.ParseQuery(asked, "a")
		require.NoError(t, err)
		ref, err := app.Find(s, q)
		require.NoError(t, err)
		return app.From(s, ref)
	}
	pods := func(e *app.Evidence) (out []string) {
		for _, p := range e.Pods {
			out = append(out, p.Name)
		}
		return out
	}
	withPods := made(func(b *snapshot.Builder) { b.Add(snapshot.WholePods, driver); b.Add(snapshot.WholePods, executor) })
	for _, asked := range []string{"etl", "sparkapplication/etl", "pod/etl-1-driver", "pod/etl-1-exec-1"} {
		e := find(withPods, asked)
		require.Equal(t, "Pod", e.Subject.Kind, asked)
		require.Equal(t, "etl", e.Apache.Name, asked)
		require.Equal(t, []string{"etl-1-driver", "etl-1-exec-1"}, pods(e), asked)
	}
	e := find(made(func(b *snapshot.Builder) { b.Add(snapshot.WholePods, executor) }), "etl")
	require.Equal(t, "spark.apache.org/v1", e.Subject.APIVersion, "no driver is left")
	require.Equal(t, []string{"etl-1-exec-1"}, pods(e))
	for _, asked := range []string{"prod", "sparkcluster/prod"} {
		e := find(withPods, asked)
		require.Equal(t, []string{"SparkCluster", "SparkCluster"}, []string{e.Subject.Kind, e.Apache.Kind})
		require.Equal(t, []string{"prod-worker-0"}, pods(e))
	}
	both := made(func(b *snapshot.Builder) {
		b.Add(snapshot.WholeApplications, objectOf(t, snapshot.WholeApplications, other))
	})
	e = find(both, "etl")
	require.Nil(t, e.Apache)
	require.Equal(t, "o", string(e.Application.UID))
	require.Equal(t, "sparkoperator.k8s.io/v1beta2", app.Query{Kind: "SparkApplication", Name: "gone"}.Ref().APIVersion)
}
