package snapshot

import (
	"bytes"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// SparkApplication is what checks read of a sparkapplications.sparkoperator.k8s.io (api/v1beta2@v2.5.2).
type SparkApplication struct {
	Object
	Sizes Sizes
	Run

	DriverPodName     string // spec.driver.podName
	SparkConf         SparkConf
	DynamicAllocation bool // spec.dynamicAllocation.enabled
	Driver            DriverAccess
	ExecutorInstances int
	Contested
	Asks          []string // what only some releases get wrong: the constants Ask…
	WebhookFields []string // paths below spec of what only the webhook puts on pods, such as "driver.env"
	driverSets    []Field  // of its fields, those on which releases make an executor's depend
	driverWants   []Feature
	executorWants []Feature
	SpecChanged   time.Time // when somebody last wrote what includes the spec; zero where managedFields do not tell

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

type wireApplication struct {
	wireObject
	Spec   sized[wireSpec] `json:"spec"`
	Status wireStatus      `json:"status"`
}

type wireSpec struct {
	wireWebhookSpec
	Driver    wireRole        `json:"driver"`
	Executor  wireRole        `json:"executor"`
	SparkConf sized[wireConf] `json:"sparkConf"`
	wireRunSpec
	wireDriverSpec
	wireMainFile
	wireAsks
	DynamicAllocation struct {
		Enabled bool `json:"enabled"`
	} `json:"dynamicAllocation"`
	TimeToLive *int64 `json:"timeToLiveSeconds"`
}

type wireStatus struct {
	ApplicationState struct {
		State        string        `json:"state"`
		ErrorMessage sized[string] `json:"errorMessage"`
	} `json:"applicationState"`
	wireRunStatus
	DriverInfo struct {
		PodName   string `json:"podName"`
		UIService string `json:"webUIServiceName"`
		UIIngress string `json:"webUIIngressName"`
	} `json:"driverInfo"`
	ExecutorState         sized[ExecutorStates] `json:"executorState"`
	SubmissionID          string                `json:"submissionID"`
	LastSubmissionAttempt wireTime              `json:"lastSubmissionAttemptTime"`
	Terminated            wireTime              `json:"terminationTime"`
}

// keptErrorMessage bounds what a record keeps of spark-submit's output, of which 2.x stores all.
const keptErrorMessage = 512

// decodeSparkApplication reads an application into d.app.
func (d *Decoder) decodeSparkApplication(raw []byte, loc Location) (*SparkApplication, error) {
	a, w := &d.app, &d.application
	*a, *w = SparkApplication{}, wireApplication{}
	err := json.Unmarshal(raw, w, decodeOptions())
	if err == nil {
		*a = w.application(raw, loc)
	} else if head := new(wireObject); json.Unmarshal(raw, head, decodeOptions()) == nil {
		a.Object, a.Malformed = head.object(loc), problemOf(err)
	}
	d.object(&a.Object)
	a.Driver.SparkVersion, a.Driver.AccountName = d.string(a.Driver.SparkVersion), d.string(a.Driver.AccountName)
	a.Driver.BatchScheduler, a.Driver.BatchQueue = d.string(a.Driver.BatchScheduler), d.string(a.Driver.BatchQueue)
	return a, err
}

// application returns what is kept of what raw held.
func (w *wireApplication) application(raw []byte, loc Location) SparkApplication {
	message := w.Status.ApplicationState.ErrorMessage
	a := SparkApplication{
		Object:        w.object(loc),
		DriverPodName: w.Spec.Value.Driver.podName, SparkConf: w.Spec.Value.SparkConf.Value.SparkConf,
		DynamicAllocation: w.Spec.Value.DynamicAllocation.Enabled, ExecutorInstances: w.Spec.Value.Executor.instances,
		SpecChanged: w.Metadata.ManagedFields.Value.SpecChanged,
		State:       w.Status.ApplicationState.State, ErrorMessage: excerpt(message.Value, keptErrorMessage),
		SubmissionID: w.Status.SubmissionID, StatusDriverPodName: w.Status.DriverInfo.PodName,
		LastSubmissionAttempt: w.Status.LastSubmissionAttempt.Time, Terminated: w.Status.Terminated.Time,
		Executors: w.Status.ExecutorState.Value, Lifetime: lifetime(w.Spec.Value.TimeToLive),
		Sizes: Sizes{
			Object: len(raw), ManagedFields: w.Metadata.ManagedFields.Bytes, Spec: w.Spec.Bytes,
			SparkConf: w.Spec.Value.SparkConf.Bytes, ExecutorState: w.Status.ExecutorState.Bytes,
			ErrorMessage: message.Bytes, LastApplied: w.Metadata.Annotations.LastApplied,
		},
	}
	spec := &w.Spec.Value
	a.Contested = Contested{Settings: spec.SparkConf.Value.contested, NoMainFile: spec.MainFile == nil}
	if len(spec.Driver.sets(PriorityClassName)) == 0 || len(spec.Executor.sets(PriorityClassName)) == 0 {
		a.PriorityClass = spec.BatchSchedulerOptions.PriorityClassName
	}
	a.Lost = lostFields(raw, w.Metadata.Annotations.manifest)
	a.Undecodable = w.Spec.Value.undecodable()
	a.Driver = w.Spec.Value.driverAccess(a.Namespace)
	a.Run = w.run()
	a.Asks = w.Spec.Value.asks()
	a.driverWants = w.Spec.Value.wants(&w.Spec.Value.Driver, "driver", a.Name)
	a.executorWants = w.Spec.Value.wants(&w.Spec.Value.Executor, "executor", a.Name)
	a.driverSets = w.Spec.Value.Driver.sets(Env, SecurityContext)
	a.WebhookFields = webhookFields(&a)
	if a.Sizes.ManagedFields > 0 {
		a.Sizes.Object -= a.Sizes.ManagedFields + len(`"managedFields":,`)
	}
	return a
}

// UnmarshalJSONFrom counts the entries instead of keeping them: there may be tens of thousands.
func (e *ExecutorStates) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return rawMembers(dec, func(name []byte) error {
		e.HighestID = max(e.HighestID, executorID(name)) // before anything else is read
		if kind := dec.PeekKind(); kind != '"' && kind != 'n' {
			var state string
			return json.UnmarshalDecode(dec, &state) // says what is wrong, and where
		}
		state, err := dec.ReadValue()
		if err != nil {
			return err
		}
		switch string(state) {
		case `"PENDING"`:
			e.Pending++
		case `"RUNNING"`:
			e.Running++
		case `"COMPLETED"`:
			e.Completed++
		case `"FAILED"`:
			e.Failed++
		case `"UNKNOWN"`:
			e.Unknown++
		default:
			e.Other++
		}
		return nil
	})
}

// executorID returns N of a pod name that ends in "-exec-N", else 0.
func executorID(podName []byte) int {
	end := len(podName)
	for end > 0 && podName[end-1] >= '0' && podName[end-1] <= '9' {
		end--
	}
	if !bytes.HasSuffix(podName[:end], []byte("-exec-")) {
		return 0
	}
	n, err := strconv.Atoi(string(podName[end:]))
	if err != nil {
		return 0
	}
	return n
}
