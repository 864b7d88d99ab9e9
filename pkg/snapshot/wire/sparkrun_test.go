package wire

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestRun(t *testing.T) {
	app, err := NewDecoder().decodeSparkApplication(snapshot.Source{}, Item{Raw: []byte(`{"metadata":{"name":"a","managedFields":[
		{"time":"2026-11-20T03:00:00Z","fieldsV1":{"f:spec":{}}},{"time":"2026-11-20T05:00:00Z","fieldsV1":{"f:status":{}}},{"time":"2026-11-20T04:00:00Z","fieldsV1":{"f:status":{}}}]},
		"spec":{"suspend":true,"restartPolicy":{"type":"OnFailure","onFailureRetries":2}},
		"status":{"executionAttempts":2,"submissionAttempts":3,"driverInfo":{"podName":"d","webUIServiceName":"s","webUIIngressName":"i"}}}`)})
	require.NoError(t, err)
	require.Equal(t, "2026-11-20T05:00:00Z", app.StatusChanged.Format(time.RFC3339))
	require.Equal(t, "2026-11-20T03:00:00Z", app.SpecChanged.Format(time.RFC3339))
	retries := int32(2)
	app.StatusChanged = time.Time{}
	require.Equal(t, snapshot.Run{Suspend: true, RestartPolicy: snapshot.RestartPolicy{Type: "OnFailure", OnFailureRetries: &retries},
		UIService: "s", UIIngress: "i", ExecutionAttempts: 2, SubmissionAttempts: 3}, app.Run)
	require.True(t, app.Reruns(true))
	require.False(t, app.Reruns(false))
	app.ExecutionAttempts = 3
	require.False(t, app.Reruns(true))
	app.RestartPolicy.Type = "Always"
	require.True(t, app.Reruns(false))
}

func TestRefusal(t *testing.T) {
	for output, want := range map[string]string{
		"": "",
		"failed to run spark-submit: connection refused": "",
		"WARN NativeCodeLoader\nException in thread \"main\" X: Failure executing: POST at: https://10.0.0.1/pods. Message: pods \"d\" is " +
			"forbidden: exceeded quota: q, requested: pods=1. Received status: Status(code=403)\n\tat x": `pods "d" is forbidden: exceeded quota: q, requested: pods=1`,
		"creating the driver pod: pods \"d\" is forbidden: no\nmore":            `creating the driver pod: pods "d" is forbidden: no`,
		"Message: admission webhook \"w\" denied the request: password=hunter2": `admission webhook "w" denied the request: password=[redacted]`,
	} {
		require.Equal(t, want, refusalIn(output), output)
	}
	require.LessOrEqual(t, len(refusalIn("x is forbidden: "+strings.Repeat("é", 2000))), keptRefusal)
}
