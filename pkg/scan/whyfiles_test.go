package scan_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

func evidenceOf(t *testing.T, subject, namespace string, paths ...string) *app.Evidence {
	t.Helper()
	e, err := scan.Evidence(t.Context(), scan.WhyOptions{
		Options: scan.Options{Source: scan.Files{Paths: paths}}, Subject: subject, Namespace: namespace,
	})
	require.NoError(t, err)
	return e
}

// TestEvidenceOfADirectory reads objects and, beside them, logs in the plain layout.
func TestEvidenceOfADirectory(t *testing.T) {
	e := evidenceOf(t, "var-scenarios", "risk", caseNumbered(t, "009").files(t))
	require.NotNil(t, e.Application)
	require.Equal(t, "SparkApplication", e.Subject.Kind)
	require.NotEmpty(t, e.Pods)
	require.Len(t, e.Logs, 1)
	require.Equal(t, "driver", e.Logs[0].Role)
	require.NotEmpty(t, e.Logs[0].Tail)
	require.True(t, e.Partial("pods"), "files prove nothing by what they lack")
}

// TestLogsGoOnAfterTheObjects: objects say when something began, and logs what came of it.
func TestLogsGoOnAfterTheObjects(t *testing.T) {
	paths := []string{caseNumbered(t, "788").files(t)}
	e := evidenceOf(t, "publish-hourly", "ferry-ops", paths...)
	require.Equal(t, "2026-06-15T03:12:09Z", e.Now.Format(time.RFC3339))
	given := time.Date(2026, 6, 15, 3, 11, 0, 0, time.UTC)
	e, err := scan.Evidence(t.Context(), scan.WhyOptions{
		Options: scan.Options{Source: scan.Files{Paths: paths, AsOf: given}}, Subject: "publish-hourly", Namespace: "ferry-ops",
	})
	require.NoError(t, err)
	require.Equal(t, given, e.Now, "--as-of is the last word")
}

// TestOneClock: what is asked about files does not change what time it is in them.
func TestOneClock(t *testing.T) {
	dir := unpacked(t, `
-- objects.yaml --
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: etl, namespace: a, uid: u, creationTimestamp: '2026-01-02T00:00:00Z'}
spec: {type: Scala, mode: cluster}
status: {applicationState: {state: SUBMITTED}, driverInfo: {podName: etl-driver}, lastSubmissionAttemptTime: '2026-01-02T00:00:05Z'}
---
apiVersion: v1
kind: Event
metadata: {name: e, namespace: a, creationTimestamp: '2026-01-02T00:00:09Z'}
reason: BackOff
involvedObject: {kind: Pod, namespace: a, name: etl-driver}
lastTimestamp: '2026-01-02T03:00:41Z'
---
apiVersion: v1
kind: Event
metadata: {name: other, namespace: b, creationTimestamp: '2026-01-02T00:00:09Z'}
reason: Pulled
involvedObject: {kind: Pod, namespace: b, name: web}
lastTimestamp: '2026-01-02T03:02:00Z'
`)
	const want = "2026-01-02T03:02:00Z"
	source := scan.Files{Paths: []string{dir}}
	d, err := scan.Diagnose(t.Context(), scan.Options{Source: source})
	require.NoError(t, err)
	require.Equal(t, want, d.Snapshot.TakenAt.Format(time.RFC3339))
	require.Equal(t, want, evidenceOf(t, "etl", "a", dir).Now.Format(time.RFC3339))
	cases, err := scan.WhyEach(t.Context(), scan.WhyOptions{Options: scan.Options{Source: source}})
	require.NoError(t, err)
	require.Equal(t, want, cases.AsOf.Format(time.RFC3339))
	require.Len(t, cases.Files, 1)
	require.Equal(t, want, cases.Files[0].AsOf.Format(time.RFC3339))
}
