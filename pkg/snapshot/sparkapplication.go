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
	DynamicAllocation bool // spec.dynamicAllocation.enabled
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
