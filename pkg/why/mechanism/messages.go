package mechanism

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Messages reads what the operator writes into status.applicationState.errorMessage.
type Messages struct {
	driver   *regexp.Regexp
	refusals []refusal
}

// NewMessages returns the reader.
func NewMessages() *Messages { return messages() }

// Compiling the expressions takes longer than to read a message, and each scan reads many.
var messages = sync.OnceValue(func() *Messages { //nolint:gochecknoglobals // made once, never changed
	return &Messages{
		// internal/controller/sparkapplication/controller.go@v2.5.2, pkg/controller/sparkapplication/controller.go@v1beta2-1.6.2-3.5.0
		driver:   regexp.MustCompile(`driver container failed with ExitCode: (\d+), Reason: (\w*)`),
		refusals: refusals(),
	}
})

// DriverEnd is how the operator saw the driver's container end.
func (m *Messages) DriverEnd(text string) (code int, reason string, told bool) {
	found := m.driver.FindStringSubmatch(text)
	if found == nil {
		return 0, "", false
	}
	code, err := strconv.Atoi(found[1])
	return code, found[2], err == nil
}

// received begins the API server's answer once more, as spark-submit prints it (io.fabric8.kubernetes.client.KubernetesClientException).
const received = ". Received status: Status("

// FirstAnswer is a text without that repetition.
func FirstAnswer(text string) string {
	text, _, _ = strings.Cut(text, received)
	return text
}

// OfSubmission reports whether a message is about spark-submit, or about what the operator does before it, so that no driver was ever there
// (submitSparkApplication in internal/controller/sparkapplication/controller.go@v2.5.2).
func OfSubmission(text string) bool {
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
