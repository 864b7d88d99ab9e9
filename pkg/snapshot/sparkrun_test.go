package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	app, err := decodeSparkApplication([]byte(`{"metadata":{"name":"a","managedFields":[
		{"time":"2026-11-20T03:00:00Z","fieldsV1":{"f:spec":{}}},{"time":"2026-11-20T05:00:00Z","fieldsV1":{"f:status":{}}},{"time":"2026-11-20T04:00:00Z","fieldsV1":{"f:status":{}}}]},
		"spec":{"suspend":true,"restartPolicy":{"type":"OnFailure","onFailureRetries":2}},
		"status":{"executionAttempts":2,"submissionAttempts":3,"driverInfo":{"podName":"d","webUIServiceName":"s","webUIIngressName":"i"}}}`), Location{})
	require.NoError(t, err)
	require.Equal(t, "2026-11-20T05:00:00Z", app.StatusChanged.Format(time.RFC3339))
	require.Equal(t, "2026-11-20T03:00:00Z", app.SpecChanged.Format(time.RFC3339))
	retries := int32(2)
	app.StatusChanged = time.Time{}
	require.Equal(t, Run{Suspend: true, RestartPolicy: RestartPolicy{Type: "OnFailure", OnFailureRetries: &retries}, UIService: "s", UIIngress: "i", ExecutionAttempts: 2, SubmissionAttempts: 3}, app.Run)
	require.True(t, app.Reruns(true))
	require.False(t, app.Reruns(false))
	app.ExecutionAttempts = 3
	require.False(t, app.Reruns(true))
	app.RestartPolicy.Type = "Always"
	require.True(t, app.Reruns(false))
}
