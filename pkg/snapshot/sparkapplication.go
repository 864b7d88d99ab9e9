package snapshot

import (
	"time"
)

// SparkApplication is what checks read of a sparkapplications.sparkoperator.k8s.io (api/v1beta2@v2.5.2).
type SparkApplication struct {
	Object
	Sizes Sizes
	Run

	DriverPodName     string // spec.driver.podName
	SparkConf         SparkConf
	DynamicAllocation bool           // spec.dynamicAllocation.enabled
	ExecutorBounds    ExecutorBounds `verdict:"none"` // only SD6016 reads it, which is not asked about archives without it
	ExecutorInstances int
	Spec
	SpecChanged time.Time // when somebody last wrote what includes the spec; zero where managedFields do not tell

	State                 string // status.applicationState.state; empty while new
	ErrorMessage          string // first 512 bytes of status.applicationState.errorMessage
	SubmissionID          string
	StatusDriverPodName   string // status.driverInfo.podName
	LastSubmissionAttempt time.Time
	Terminated            time.Time // status.terminationTime
	Executors             ExecutorStates

	Lifetime Lifetime // spec.timeToLiveSeconds

	Lost        []string     // fields below spec that were applied and are not there: see PrunableFields
	Undecodable *Undecodable // in a pod template; nil: none

	// Malformed says what of spec or status could not be decoded; metadata is good then, the rest is not.
	Malformed string
}

// Sizes are bytes of compact JSON, the form in which the API server stores custom resources.
type Sizes struct {
	Object        int // the whole object without managedFields, which the API server drops when a write is too large
	ManagedFields int
	Spec          int
	SparkConf     int
	ExecutorState int
	ErrorMessage  int
	LastApplied   int
}

// ExecutorStates condenses status.executorState, a map from executor pod name to state.
type ExecutorStates struct {
	Pending, Running, Completed, Failed, Unknown, Other int
	HighestID                                           int // highest number N in "…-exec-N"
}

// Total returns how many executors the map lists.
func (e ExecutorStates) Total() int {
	return e.Pending + e.Running + e.Completed + e.Failed + e.Unknown + e.Other
}

// DriverPod returns the name of the driver pod: the recorded one, else spec, sparkConf and the default, in the
// operator's own order (internal/controller/sparkapplication/submission.go@v2.5.2).
func (a *SparkApplication) DriverPod() string {
	for _, name := range []string{a.StatusDriverPodName, a.DriverPodName, a.SparkConf.DriverPodName} {
		if name != "" {
			return name
		}
	}
	return a.Name + "-driver"
}

// Ended reports whether the operator is done with the application, so that nothing of it should run.
func (a *SparkApplication) Ended() bool { return a.State == "COMPLETED" || a.State == "FAILED" }

func (a *SparkApplication) dates(see func(time.Time)) {
	see(a.LastSubmissionAttempt)
	see(a.Terminated)
}

// SparkConf keeps the few keys of spec.sparkConf that change what the operator does.
type SparkConf struct {
	DriverPodName     string         // spark.kubernetes.driver.pod.name
	Namespace         string         // spark.kubernetes.namespace
	DynamicAllocation bool           // spark.dynamicAllocation.enabled=true
	ExecutorBounds    ExecutorBounds `verdict:"none"` // as in the spec
	ExecutorInstances *int           `verdict:"none"` // spark.executor.instances
}

// ExecutorBounds are how many executors dynamic allocation begins with, and between which numbers it stays: minExecutors, initialExecutors
// and maxExecutors of spec.dynamicAllocation, or the settings below spark.dynamicAllocation with these names. What is not set, or is no
// whole number, is nil.
type ExecutorBounds struct{ Min, Initial, Max *int }

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

// ScheduledAppLabel is on every SparkApplication that a schedule made; its value is the schedule's name
// (pkg/common/spark.go@v2.5.2, pkg/config/constants.go@v1beta2-1.6.2-3.5.0).
const ScheduledAppLabel = "sparkoperator.k8s.io/scheduled-app-name"

// Lifetime is spec.timeToLiveSeconds: how long after its end an application is to be deleted.
type Lifetime struct {
	Limited bool // the field is set
	Seconds int64
}

// maxLifetime is longer than any cluster lasts, and still a duration.
const maxLifetime = 100 * 365 * 24 * 3600

// Span is the time after which the application has expired; zero if that is at once.
func (l Lifetime) Span() time.Duration {
	return time.Duration(min(max(l.Seconds, 0), maxLifetime)) * time.Second
}

// PrunableFields are fields of a SparkApplication, as paths below spec, that an older CRD does not name, so that the API
// server drops them. pkg/operator knows since when they are there.
func PrunableFields() []string {
	return []string{
		"driver.priorityClassName", "executor.priorityClassName", "driver.template", "executor.template", "deps.archives",
		"driver.memoryLimit", "executor.memoryLimit", "dynamicAllocation.shuffleTrackingEnabled", "suspend",
	}
}

// Undecodable is a value that the operator's typed decoder does not take, though the API server does: it is in a pod
// template, which the CRD does not describe (x-kubernetes-preserve-unknown-fields, config/crd/bases/
// sparkoperator.k8s.io_sparkapplications.yaml@v2.5.2).
type Undecodable struct {
	Path string // "spec.driver.template.spec.containers[0].env[1].value"
	Text string // "is a number, not a string"; never the value, which may be secret
}
