package wire

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// lifetime narrows the field as it is on the wire.
func lifetime(seconds *int64) snapshot.Lifetime {
	if seconds == nil {
		return snapshot.Lifetime{}
	}
	return snapshot.Lifetime{Limited: true, Seconds: *seconds}
}

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
	wireReleaseFields
	DynamicAllocation wireAllocation `json:"dynamicAllocation"`
	TimeToLive        *int64         `json:"timeToLiveSeconds"`
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
	ExecutorState         sized[executorStates] `json:"executorState"`
	SubmissionID          string                `json:"submissionID"`
	LastSubmissionAttempt wireTime              `json:"lastSubmissionAttemptTime"`
	Terminated            wireTime              `json:"terminationTime"`
}

// keptErrorMessage bounds what a record keeps of spark-submit's output, of which 2.x stores all.
const keptErrorMessage = 512

// decodeSparkApplication reads an application into d.app.
func (d *Decoder) decodeSparkApplication(_ snapshot.Source, item Item) (*snapshot.SparkApplication, error) {
	raw, loc := item.Raw, item.Location
	a, w := &d.app, &d.application
	*a, *w = snapshot.SparkApplication{}, wireApplication{}
	err := json.Unmarshal(raw, w, Options())
	if err == nil {
		*a = d.keptApplication(w, raw, loc)
	} else if head := new(wireObject); json.Unmarshal(raw, head, Options()) == nil {
		a.Object, a.Malformed = head.object(loc), Problem(err)
	}
	d.object(&a.Object)
	return a, err
}

// keptApplication returns what is kept of what raw held.
func (d *Decoder) keptApplication(w *wireApplication, raw []byte, loc snapshot.Location) snapshot.SparkApplication {
	message := w.Status.ApplicationState.ErrorMessage
	a := snapshot.SparkApplication{
		Object:        w.object(loc),
		DriverPodName: w.Spec.Value.Driver.PodName, SparkConf: w.Spec.Value.SparkConf.Value.SparkConf,
		DynamicAllocation: w.Spec.Value.DynamicAllocation.Enabled, ExecutorBounds: w.Spec.Value.DynamicAllocation.bounds(),
		ExecutorInstances: w.Spec.Value.Executor.Instances.Value,
		SpecChanged:       w.Metadata.ManagedFields.Value.SpecChanged,
		State:             w.Status.ApplicationState.State, ErrorMessage: redact.Excerpt(message.Value, keptErrorMessage),
		SubmissionID: w.Status.SubmissionID, StatusDriverPodName: w.Status.DriverInfo.PodName,
		LastSubmissionAttempt: w.Status.LastSubmissionAttempt.Time, Terminated: w.Status.Terminated.Time,
		Executors: snapshot.ExecutorStates(w.Status.ExecutorState.Value), Lifetime: lifetime(w.Spec.Value.TimeToLive),
		Sizes: snapshot.Sizes{
			Object: len(raw), ManagedFields: w.Metadata.ManagedFields.Bytes, Spec: w.Spec.Bytes,
			SparkConf: w.Spec.Value.SparkConf.Bytes, ExecutorState: w.Status.ExecutorState.Bytes,
			ErrorMessage: message.Bytes, LastApplied: w.Metadata.Annotations.LastApplied,
		},
	}
	a.Spec = d.applicationSpec(&w.Spec.Value)
	a.Lost = lostFields(raw, w.Metadata.Annotations.manifest)
	a.Undecodable = w.Spec.Value.undecodable()
	a.Run = w.run()
	if a.Sizes.ManagedFields > 0 {
		a.Sizes.Object -= a.Sizes.ManagedFields + len(`"managedFields":,`)
	}
	return a
}

// executorStates decodes status.executorState.
type executorStates snapshot.ExecutorStates

// UnmarshalJSONFrom counts the entries instead of keeping them: there may be tens of thousands.
func (e *executorStates) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
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

type wireRunSpec struct {
	Suspend       bool                   `json:"suspend"`
	RestartPolicy snapshot.RestartPolicy `json:"restartPolicy"`
}

type wireRunStatus struct {
	ExecutionAttempts  int32 `json:"executionAttempts"`
	SubmissionAttempts int32 `json:"submissionAttempts"`
}

func (w *wireApplication) run() snapshot.Run {
	spec, status := &w.Spec.Value, &w.Status
	return snapshot.Run{
		Suspend: spec.Suspend, RestartPolicy: spec.RestartPolicy,
		UIService: status.DriverInfo.UIService, UIIngress: status.DriverInfo.UIIngress,
		ExecutionAttempts: int(status.ExecutionAttempts), SubmissionAttempts: int(status.SubmissionAttempts),
		Refusal:       refusalIn(status.ApplicationState.ErrorMessage.Value),
		StatusChanged: w.Metadata.ManagedFields.Value.StatusChanged,
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
		return redact.Excerpt(text, keptRefusal)
	}
	return ""
}
