package checktest

import (
	"fmt"
	"time"
)

// Now is when snapshots of Application and SparkPod are taken.
func Now() time.Time { return time.Date(2026, 11, 20, 4, 0, 0, 0, time.UTC) }

const podLabels = `"sparkoperator.k8s.io/launched-by-spark-operator":"true","sparkoperator.k8s.io/app-name":"etl","sparkoperator.k8s.io/submission-id":"s-1"`

// Application is application team-a/etl, submitted an hour before Now. spec and more are members of JSON objects.
func Application(state, spec string) string {
	return fmt.Sprintf(`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication",
		"metadata":{"name":"etl","namespace":"team-a","uid":"app-1","creationTimestamp":"2026-11-20T02:59:00Z"},
		"spec":{"mode":"cluster"%s},
		"status":{"applicationState":{"state":%q},"submissionID":"s-1","driverInfo":{"podName":"etl-driver"},"lastSubmissionAttemptTime":"2026-11-20T03:00:00Z"}}`, spec, state)
}

// SparkPod is a pod of it, as old as it says at Now.
func SparkPod(role, name string, old time.Duration, metadata, spec, status string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":"team-a","uid":%q,"creationTimestamp":%q,
		"labels":{%s,"spark-role":%q}%s},"spec":{%s},"status":{%s}}`,
		name, name, Now().Add(-old).Format(time.RFC3339), podLabels, role, metadata, spec, status)
}
