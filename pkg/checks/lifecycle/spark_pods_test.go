package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
)

// podsAt is when the snapshots of these tests are taken.
var podsAt = time.Date(2026, 11, 20, 4, 0, 0, 0, time.UTC)

const podLabels = `"sparkoperator.k8s.io/launched-by-spark-operator":"true","sparkoperator.k8s.io/app-name":"etl","sparkoperator.k8s.io/submission-id":"s-1"`

// etl is application team-a/etl, submitted an hour before podsAt. spec and more are members of JSON objects.
func etl(state, spec string) string {
	return fmt.Sprintf(`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication",
		"metadata":{"name":"etl","namespace":"team-a","uid":"app-1","creationTimestamp":"2026-11-20T02:59:00Z"},
		"spec":{"mode":"cluster"%s},
		"status":{"applicationState":{"state":%q},"submissionID":"s-1","driverInfo":{"podName":"etl-driver"},"lastSubmissionAttemptTime":"2026-11-20T03:00:00Z"}}`, spec, state)
}

// sparkPod is a pod of it, as old as it says at podsAt.
func sparkPod(role, name string, old time.Duration, metadata, spec, status string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":"team-a","uid":%q,"creationTimestamp":%q,
		"labels":{%s,"spark-role":%q}%s},"spec":{%s},"status":{%s}}`,
		name, name, podsAt.Add(-old).Format(time.RFC3339), podLabels, role, metadata, spec, status)
}

// asked reads documents as all that there is, and asks one check.
func asked(t *testing.T, id string, documents ...string) check.Result {
	t.Helper()
	return run(t, checktest.Parse(t, strings.Join(documents, "\n---\n"), podsAt), id)
}
