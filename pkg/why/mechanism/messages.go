package mechanism

import (
	"strconv"
	"strings"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// Messages reads what the operator writes into status.applicationState.errorMessage.
type Messages struct {
	driver   *lazyregexp.Regexp
	refusals []refusal
}

// NewMessages returns the reader.
func NewMessages() *Messages { return messages() }

// Compiling the expressions takes longer than to read a message, and each scan reads many.
var messages = sync.OnceValue(func() *Messages { //nolint:gochecknoglobals // made once, never changed
	return &Messages{
		// internal/controller/sparkapplication/controller.go@v2.5.2, pkg/controller/sparkapplication/controller.go@v1beta2-1.6.2-3.5.0
		driver:   lazyregexp.New(`driver container failed with ExitCode: (\d+), Reason: (\w*)`),
		refusals: refusals(),
	}
})

// Recorded is what an operator wrote of a failure: its words, and what they tell where they are known.
type Recorded struct {
	Text string
	// Submission says that spark-submit failed, or what the operator does before it, so that no driver was ever there.
	Submission    bool
	NameTaken     bool          // spark-submit was refused because a pod of the driver's name existed
	Killed        bool          // spark-submit got SIGKILL
	NoMode        bool          // spark-submit was given no deploy mode
	Refusal       *Refusal      // of a submission; nil: in no words that are known
	Settings      []string      // of Spark, that the words about a submission name
	DriverMissing bool          // the operator did not find the driver
	Driver        *ContainerEnd // how the operator saw the driver's container end; nil: it does not say
}

// ContainerEnd is how a container ended.
type ContainerEnd struct {
	Code   int
	Reason string
}

// Read reads a message. That a submission failed may be known by the state of the application.
func (m *Messages) Read(text string, submission bool) Recorded {
	lower := strings.ToLower(text)
	driverNotFound := strings.Contains(lower, "not found") && strings.Contains(lower, "driver")
	r := Recorded{Text: text, Submission: submission || ofSubmissionBy(text),
		DriverMissing: driverNotFound || strings.Contains(lower, "driver pod missing")}
	if found := m.driver.FindStringSubmatch(text); found != nil {
		if code, err := strconv.Atoi(found[1]); err == nil {
			r.Driver = &ContainerEnd{Code: code, Reason: found[2]}
		}
	}
	if !r.Submission {
		return r
	}
	first := FirstAnswer(text)
	// The operator puts its own words for the API server's 409 (runSparkSubmit, internal/controller/sparkapplication/submission.go@v2.5.2).
	podExists := strings.Contains(first, "AlreadyExists") && strings.Contains(first, "pods \"")
	r.NameTaken = podExists || strings.Contains(first, nameTaken)
	r.Killed = strings.Contains(text, "signal: killed") || strings.Contains(text, "exit status 137")
	r.NoMode = strings.Contains(text, withoutMode)
	r.Settings = logs.SettingsIn(text)
	if refusal, known := m.Refused(text); known {
		r.Refusal = &refusal
	}
	return r
}

// received begins the API server's answer once more, as spark-submit prints it (io.fabric8.kubernetes.client.KubernetesClientException).
const received = ". Received status: Status("

// FirstAnswer is a text without that repetition.
func FirstAnswer(text string) string {
	text, _, _ = strings.Cut(text, received)
	return text
}

// nameTaken is how the operator says that a pod of the driver's name existed.
const nameTaken = "driver pod already exist"

// ofSubmissionBy reports whether a message is about spark-submit, or about what the operator does before it
// (submitSparkApplication in internal/controller/sparkapplication/controller.go@v2.5.2).
func ofSubmissionBy(text string) bool {
	if strings.Contains(text, "spark-submit") || strings.Contains(text, "failed to submit") || strings.Contains(text, nameTaken) {
		return true
	}
	for _, before := range []string{ofWebUI, ofWebUIBefore, "failed to configure Prometheus monitoring: ",
		"failed during batch scheduler setup or check: ", "failed to process batch scheduler: "} {
		if strings.HasPrefix(text, before) {
			return true
		}
	}
	return false
}

// ofWebUI begins an error about what the operator makes before it submits, for the driver's web UI.
const ofWebUI = "failed to configure web UI: "

// ofWebUIBefore begins it in releases before that (submitSparkApplication in internal/controller/sparkapplication/controller.go@v2.1.0).
const ofWebUIBefore = "failed to create web UI "
