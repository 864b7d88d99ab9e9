package snapshot

import (
	"strings"
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

type wireRunSpec struct {
	Suspend       bool          `json:"suspend"`
	RestartPolicy RestartPolicy `json:"restartPolicy"`
}

type wireRunStatus struct {
	ExecutionAttempts  int32 `json:"executionAttempts"`
	SubmissionAttempts int32 `json:"submissionAttempts"`
}

func (w *wireApplication) run() Run {
	spec, status := &w.Spec.Value, &w.Status
	return Run{
		Suspend: spec.Suspend, RestartPolicy: spec.RestartPolicy,
		UIService: status.DriverInfo.UIService, UIIngress: status.DriverInfo.UIIngress,
		ExecutionAttempts: int(status.ExecutionAttempts), SubmissionAttempts: int(status.SubmissionAttempts),
		Refusal:       refusalIn(status.ApplicationState.ErrorMessage.Value),
		StatusChanged: w.Metadata.ManagedFields.Value.StatusChanged,
	}
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

// keptRefusal bounds what is kept of an answer: a quota lists what is requested, used and limited.
const keptRefusal = 512

// refusalIn finds the API server's answer in what spark-submit wrote, behind warnings and before the stack: "pods \"etl-driver\"
// is forbidden: exceeded quota: …" (io.fabric8.kubernetes.client.KubernetesClientException).
func refusalIn(output string) string {
	for _, mark := range []string{"is forbidden: ", "denied the request"} {
		at := strings.Index(output, mark)
		if at < 0 {
			continue
		}
		from := max(strings.LastIndexByte(output[:at], '\n')+1, at-256)
		if message := strings.LastIndex(output[from:at], "Message: "); message >= 0 {
			from += message + len("Message: ")
		}
		if from == at-256 { // in the middle of a word, which may be half a secret
			from += strings.IndexByte(output[from:at], ' ') + 1
		}
		text, _, _ := strings.Cut(output[from:], "\n")
		text, _, _ = strings.Cut(text, " Received status: ")
		text = strings.TrimRight(text, ". ")
		return excerpt(text, keptRefusal)
	}
	return ""
}
