package snapshot

import (
	"time"
)

// Run is what the operator records of the runs of an application, and what it is told about further ones
// (api/v1beta2/sparkapplication_types.go@v2.5.2).
type Run struct {
	Suspend            bool // spec.suspend, from 2.4.0 on (#2387)
	RestartPolicy      RestartPolicy
	UIService          string // status.driverInfo.webUIServiceName
	UIIngress          string // status.driverInfo.webUIIngressName
	ExecutionAttempts  int
	SubmissionAttempts int
	Refusal            string    // what the API server answered spark-submit, if status.applicationState.errorMessage quotes it
	StatusChanged      time.Time // when somebody last wrote what includes the status; zero where managedFields do not tell
}

// RestartPolicy is spec.restartPolicy. What is not set is nil.
type RestartPolicy struct {
	Type                             string `json:"type"` // Never, OnFailure, Always
	OnFailureRetries                 *int32 `json:"onFailureRetries"`
	OnSubmissionFailureRetries       *int32 `json:"onSubmissionFailureRetries"`
	OnFailureRetryInterval           *int64 `json:"onFailureRetryInterval"`           // seconds
	OnSubmissionFailureRetryInterval *int64 `json:"onSubmissionFailureRetryInterval"` // seconds
}

// NeverSubmitted reports whether every submission since the spec was last changed failed, so that no driver pod was made. Only a
// submission that succeeds counts as an execution (submitSparkApplication in internal/controller/sparkapplication/controller.go@v2.0.0
// to @v2.5.2; pkg/controller/sparkapplication/controller.go@v1beta2-1.6.2-3.5.0), and with restartPolicy Never one that fails
// is FAILED at once (reconcileFailedSubmissionSparkApplication, ibid.).
func (a *SparkApplication) NeverSubmitted() bool {
	return a.SubmissionAttempts > 0 && a.ExecutionAttempts == 0
}

// Reruns reports whether the operator runs the application again after a run that failed or succeeded (ShouldRetry,
// pkg/util/sparkapplication.go@v2.5.2, and shouldRetry, pkg/controller/sparkapplication/
// controller.go@v1beta2-1.6.2-3.5.0).
func (a *SparkApplication) Reruns(failed bool) bool {
	switch a.RestartPolicy.Type {
	case "Always":
		return true
	case "OnFailure":
		retries := a.RestartPolicy.OnFailureRetries
		return failed && retries != nil && a.ExecutionAttempts <= int(*retries)
	default:
		return false
	}
}
