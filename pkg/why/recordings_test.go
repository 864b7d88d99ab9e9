package why_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

func readRecording(t *testing.T, dir string) ([]unstructured.Unstructured, time.Time) {
	t.Helper()
	var raw struct {
		Items []map[string]any `json:"items"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(readText(t, dir, "objects.yaml")), &raw), dir)
	list := make([]unstructured.Unstructured, 0, len(raw.Items))
	for _, item := range raw.Items {
		list = append(list, unstructured.Unstructured{Object: item})
	}
	var situation struct {
		Taken time.Time `json:"taken"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(readText(t, dir, "situation.yaml")), &situation), dir)
	return list, situation.Taken
}

// recording is what was recorded from a real node, which is read once. No test may write to it.
func recording(t *testing.T, name string) *app.Evidence {
	t.Helper()
	key := "recording " + name
	if e, is := kept.Load(key); is {
		return e.(*app.Evidence)
	}
	dir := filepath.Join("../../test/node/recordings", name)
	objects, taken := readRecording(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "logs", "*.log"))
	require.NoError(t, err)
	var logs []app.Log
	for _, file := range files {
		parts := strings.Split(strings.TrimSuffix(filepath.Base(file), ".log"), "_")
		logs = append(logs, app.Log{Namespace: name, Pod: parts[1], Container: parts[2], Tail: readText(t, file)})
	}
	subject := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: name, Name: "etl"}
	e := app.FromObjects(objects, logs, subject, taken.Add(time.Second))
	kept.Store(key, e)
	return e
}

// answers are what was done on the real node, as a verdict: its class, and words that it says or shows.
func answers() map[string][]string {
	return map[string][]string{
		"account-missing":                {"configuration", "service account", "spark"},
		"claim-missing":                  {"configuration", "warehouse", "not found"},
		"claim-pending":                  {"storage", "warehouse", `storageclass.storage.k8s.io "none" not found`},
		"command-missing":                {"image", "no-such-entrypoint.sh"},
		"config-map-env-missing":         {"configuration", `ConfigMap "settings" does not exist`},
		"config-map-volume-missing":      {"configuration", `ConfigMap "settings" does not exist`},
		"controller-recovered":           {"runningNormally"},
		"driver-class-missing":           {"dependency", "org.example.Missing"},
		"driver-deadline":                {"clusterKilled", "activeDeadlineSeconds of 25"},
		"driver-deleted":                 {"unknown", "143"},
		"driver-deleted-kept":            {"stoppedByUser", "DisruptionTarget"},
		"driver-drained":                 {"unknown", "143"},
		"driver-drained-kept":            {"clusterKilled", "evicted", "Eviction API"},
		"driver-exception":               {"codeFailed", "NoSuchFileException"},
		"driver-heap":                    {"configuration", "heap"},
		"driver-ignores-term":            {"stoppedByUser", "137"},
		"driver-liveness":                {"configuration", "liveness probe", "connection refused"},
		"driver-message":                 {"codeFailed", "NoSuchFileException"},
		"driver-not-permitted":           {"credentials", "system:serviceaccount:driver-not-permitted:default"},
		"driver-name-taken":              {"submission", `pod "etl-driver" already existed, of no SparkApplication: `},
		"submitted-twice":                {"submission", `pod "etl-driver" already existed, of submission "before"`},
		"node-disk-pressure":             {"clusterKilled", "low on resource: ephemeral-storage", "node-real"},
		"node-memory-pressure":           {"clusterKilled", "low on resource: memory", "node-real"},
		"driver-child-killed":            {"unknown", "137"},
		"native-sidecar-restarts":        {"runningNormally"},
		"driver-oom-killed":              {"clusterKilled", "OOMKilled", "512Mi = 128Mi heap + 384Mi overhead"},
		"driver-preempted":               {"clusterKilled", "preempted"},
		"driver-service-gone":            {"network", "driver-svc"},
		"ephemeral-storage-limit":        {"clusterKilled", "ephemeral", "20Mi"},
		"executor-image-missing":         {"image", "spark:3.5.5-typo", "1 of 1 executors"},
		"executor-preempted":             {"scheduling", "slot-b"},
		"executors-fail":                 {"unknown", "15 other executors failed"},
		"executors-local-dir-full":       {"clusterKilled", "3 executors", "20Mi", "spark-local-dir-1"},
		"executors-oom-killed":           {"clusterKilled", "OOMKilled", "512Mi"},
		"executors-without-driver":       {"unknown"},
		"executor-claim-pending":         {"slowButProgressing", "1 of 2 executors run", `1Gi of storage class "disks"`},
		"failed-executors-stay":          {"clusterKilled", "OOMKilled"},
		"healthy-dynamic-allocation":     {"runningNormally"},
		"healthy-progressing":            {"runningNormally", "tasks of the last stage finished"},
		"host-port-taken":                {"scheduling", "free ports", "hostPort"},
		"init-container-crashes":         {"configuration", "container proxy keeps crashing", "exit code 3"},
		"invalidating-refused":           {"stoppedByUser", "pod etl-driver of that run is not deleted"},
		"resuming-held":                  {"configuration", "resumes the application when pod etl-driver is gone", "example.com/accounting"},
		"rerun-held":                     {"configuration", "starts the next run when pod etl-driver is gone", "example.com/accounting"},
		"changed-held":                   {"configuration", "starts the next run when pod etl-driver is gone", "example.com/accounting"},
		"retried-executors-stay":         {"runningNormally"},
		"suspended-executors-stay":       {"suspended"},
		"suspended-too-late":             {"succeeded", "exited with 0"},
		"suspending-not-permitted":       {"runningNormally"},
		"executors-kept":                 {"succeeded"},
		"suspending-refused":             {"configuration", "tried", "etl-driver is not deleted"},
		"healthy-completed":              {"succeeded", "exited with 0"},
		"healthy-executor-drained":       {"runningNormally", "1 of 1"},
		"healthy-native-sidecar":         {"succeeded"},
		"healthy-running":                {"runningNormally"},
		"image-missing":                  {"image", "spark:3.5.5-typo"},
		"image-name-invalid":             {"image", "Team/Spark:3.5.5"},
		"image-never-pulled":             {"image", "spark:none", "imagePullPolicy"},
		"init-container-fails":           {"credentials", "fetch", "exit code 8", "403 Forbidden"},
		"init-container-hangs":           {"unknown", "fetch"},
		"local-dir-full":                 {"clusterKilled", "spark-local-dir-1"},
		"local-dir-in-memory":            {"clusterKilled", "spark.kubernetes.local.dirs.tmpfs"},
		"no-node-for-executors":          {"scheduling", "1 of 1 executors", "Insufficient cpu"},
		"no-node-large-enough":           {"scheduling", "Insufficient cpu"},
		"no-node-tolerated":              {"scheduling", "taint"},
		"no-node-with-label":             {"scheduling", "selector"},
		"node-lost":                      {"clusterKilled", "node-real", "not ready"},
		"node-removed":                   {"unknown"},
		"python-module-missing":          {"dependency", "pyarrow"},
		"python-traceback":               {"codeFailed", "FileNotFoundError"},
		"quota-used-up":                  {"quota", "team", "pods=1"},
		"runs-as-root":                   {"configuration", "runAsUser"},
		"secret-key-missing":             {"configuration", "access-key", "storage"},
		"secret-missing":                 {"configuration", `Secret "storage" does not exist`},
		"secret-volume-missing":          {"configuration", `Secret "tls" does not exist`},
		"sidecar-failed":                 {"runningNormally", "sidecar proxy"},
		"sidecar-outlives-driver":        {"succeeded", "sidecar proxy"},
		"sidecar-outlives-failed-driver": {"codeFailed", "NoSuchFileException"},
		"sidecar-outlives-lone-driver":   {"succeeded", "sidecar proxy"},
		"sub-path-unknown":               {"configuration", "NOT_SET"},
		"webhook-killed":                 {"runningNormally"},
	}
}

// TestOpenAnswersRecordings asks about applications of a real node: real objects, events and logs.
func TestOpenAnswersRecordings(t *testing.T) {
	dirs, err := filepath.Glob("../../test/node/recordings/*/objects.yaml")
	require.NoError(t, err)
	require.Greater(t, len(dirs), 50)
	for _, path := range dirs {
		name := filepath.Base(filepath.Dir(path))
		want, stated := answers()[name]
		if !stated {
			continue // not about one application
		}
		f := why.Open(recording(t, name))
		require.Equal(t, want[0], string(f.Verdict().Class), "%s: %s", name, f.Verdict().Message)
		for _, word := range want[1:] {
			require.Contains(t, corpus.Text(f.Verdict()), word, name)
		}
		if f.Verdict().Class != cause.Unknown {
			require.NotEmpty(t, f.Verdict().Evidence, name)
		}
		require.NotContains(t, corpus.Text(f.Verdict()), "<nil>", name)
		require.Empty(t, saidTwice(&f), name)
	}
}

// TestTimelineOfARecording is in order, names the parts, and ends with the state.
func TestTimelineOfARecording(t *testing.T) {
	f := why.Open(recording(t, "driver-oom-killed"))
	texts := make([]string, 0, len(f.Timeline))
	for i, m := range f.Timeline {
		texts = append(texts, m.Text)
		require.True(t, i == 0 || !m.At.Before(f.Timeline[i-1].At))
	}
	all := strings.Join(texts, " · ")
	for _, part := range []string{"submitted", "driver scheduled to node-real", "driver running", "first executor running",
		"OOMKilled (137)", "FAILED"} {
		require.Contains(t, all, part)
	}
	require.Equal(t, "FAILED", f.State.Word)
	require.Equal(t, 1, f.State.MaxAttempts)
	require.Equal(t, "OOMKilled (137)", f.Attempts[0].Outcome)
	require.NotNil(t, f.Executors)
	require.Equal(t, 1, f.Executors.Asked)
}

// TestRuledOutOnlyWhatWasRead: without the driver's log nothing is said of its code.
func TestRuledOutOnlyWhatWasRead(t *testing.T) {
	e := *recording(t, "driver-oom-killed")
	with := why.Open(&e)
	require.Contains(t, ruledOut(with), "a code failure")
	e.Logs = nil
	without := why.Open(&e)
	require.NotContains(t, ruledOut(without), "a code failure")
	require.Equal(t, cause.ClusterKilled, without.Verdict().Class)
}

func ruledOut(f why.CaseFile) []string {
	out := make([]string, 0, len(f.RuledOut))
	for _, r := range f.RuledOut {
		out = append(out, r.Message)
	}
	return out
}
