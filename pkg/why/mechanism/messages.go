package mechanism

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Messages reads what the operator writes into status.applicationState.errorMessage.
type Messages struct {
	driver, name *regexp.Regexp
	refusals     []refusal
}

// NewMessages returns the reader.
func NewMessages() *Messages { return messages() }

// Compiling the expressions takes longer than to read a message, and each scan reads many.
var messages = sync.OnceValue(func() *Messages { //nolint:gochecknoglobals // made once, never changed
	return &Messages{
		// internal/controller/sparkapplication/controller.go@v2.5.2, pkg/controller/sparkapplication/controller.go@v1beta2-1.6.2-3.5.0
		driver:   regexp.MustCompile(`driver container failed with ExitCode: (\d+), Reason: (\w*)`),
		name:     regexp.MustCompile(`^[\w./:@-]{1,253}$`),
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

// Refusal is why a submission failed.
type Refusal struct {
	Class cause.Class
	Says  string // about "the driver"
	Next  string
	// Key is the same for submissions that failed for one reason: it holds the name of what refused, and no numbers.
	Key string
}

// Refused reads what spark-submit printed, or the API server answered.
func (m *Messages) Refused(text string) (Refusal, bool) {
	text, _, _ = strings.Cut(text, received)
	for _, r := range m.refusals {
		at := r.text.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		expand := func(template string) string { return string(r.text.ExpandString(nil, template, text, at)) }
		out := Refusal{Class: r.class, Says: expand(r.says), Next: expand(r.next), Key: r.says}
		if strings.HasPrefix(text, ofWebUI) || strings.HasPrefix(text, ofWebUIBefore) {
			out.Says = strings.Replace(out.Says, "refused the driver", "refused the Service or Ingress of the web UI", 1)
		}
		if who := expand("${1}"); m.name.MatchString(who) {
			out.Key += " " + who
		}
		return out, true
	}
	return Refusal{}, false
}

// received begins the API server's answer once more, as spark-submit prints it (io.fabric8.kubernetes.client.KubernetesClientException).
const received = ". Received status: Status("

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

// NameTaken reports whether spark-submit was refused because a pod of the driver's name existed. The operator puts its own words for
// the API server's 409 (runSparkSubmit, internal/controller/sparkapplication/submission.go@v2.5.2).
func NameTaken(text string) bool {
	text, _, _ = strings.Cut(text, received)
	return strings.Contains(text, nameTaken) ||
		strings.Contains(text, "AlreadyExists") && strings.Contains(text, "pods \"")
}

// ofWebUI begins an error about what the operator makes before it submits, for the driver's web UI.
const ofWebUI = "failed to configure web UI: "

// ofWebUIBefore begins it in releases before that (submitSparkApplication in internal/controller/sparkapplication/controller.go@v2.1.0).
const ofWebUIBefore = "failed to create web UI "

// nameTaken is how the operator says it.
const nameTaken = "driver pod already exist"

// SubmitKilled reports whether spark-submit got SIGKILL.
func SubmitKilled(text string) bool {
	return strings.Contains(text, "signal: killed") || strings.Contains(text, "exit status 137")
}

// LastWords leaves out how the operator wraps an error.
func LastWords(text string) string {
	text, _, _ = strings.Cut(text, received)
	text = strings.TrimPrefix(text, "failed to submit spark application: ")
	for strings.HasPrefix(text, "failed to run spark-submit: ") {
		text = strings.TrimPrefix(text, "failed to run spark-submit: ")
	}
	_, rest, found := strings.Cut(text, `Exception in thread "main" `)
	if !found {
		return text
	}
	if at := strings.LastIndex(rest, "\nCaused by: "); at >= 0 {
		rest = rest[at+len("\nCaused by: "):]
	}
	rest, _, _ = strings.Cut(rest, "\n\tat ") // frames say where, not what
	return rest
}

// refusal is one way in which a submission fails: what the text contains, and what that means.
type refusal struct {
	text  *regexp.Regexp
	class cause.Class
	says  string // ${1} stands for a group
	next  string
}

// refusals are in order: the API server's own words before those of spark-submit around them. Sources: kubernetes
// plugin/pkg/admission/{resourcequota,serviceaccount,podpriority,limitranger},
// staging/src/k8s.io/{pod-security-admission,apiserver}@v1.36.3.
func refusals() []refusal {
	re := regexp.MustCompile
	return []refusal{
		{re(`violates PodSecurity "([^"]+)": (?s:(.+))`), cause.Submission, "Pod Security admission refused the driver: it violates ${1}: ${2}",
			"set the securityContext that Pod Security asks for in spec.driver and spec.executor, or relax the label of the namespace"},
		{re(`exceeded quota: ([^,]+), (requested: .+?, used: .+?, limited: \S+)`), cause.Quota,
			"ResourceQuota ${1} has no room for the driver: ${2}",
			"free or raise quota ${1}, or ask for less: driver.memory, driver.memoryOverhead, driver.cores, driver.coreLimit"},
		{re(`exceeded quota: ([^,\s]+)`), cause.Quota, "ResourceQuota ${1} has no room for the driver",
			"free or raise quota ${1}, or ask for less: driver.memory, driver.memoryOverhead, driver.cores, driver.coreLimit"},
		{re(`failed quota: ([^:]+): (must specify \S+)`), cause.Quota, "ResourceQuota ${1} refuses the driver: ${2}",
			"set the resource that the quota counts: driver.coreLimit and executor.coreLimit for limits.cpu"},
		{re(`admission webhook "([^"]+)" denied the request: ?(?s:(.+))`), cause.Submission, "admission webhook ${1} refused the driver: ${2}",
			"change what the policy names in the spec, or ask its owners for an exception"},
		{re(`failed calling webhook "([^"]+)": (?s:(.+))`), cause.Submission, "admission webhook ${1} could not be called, so the API server refused the pod: ${2}",
			"repair the webhook ${1}"},
		{re(`error looking up service account (\S+?): (?s:(.+))`), cause.Configuration, "service account ${1} does not exist: ${2}",
			"create service account ${1}, or name one that exists in spec.driver.serviceAccount"},
		{re(`no PriorityClass with name (\S+) was found`), cause.Configuration, "PriorityClass ${1} does not exist (not found)",
			"create PriorityClass ${1}, or correct driver.priorityClassName"},
		{re(`[Uu]ser "([^"]+)" cannot (\w+) resource "([^"]+)"(?s:.*?)in the namespace "([^"]+)"`), cause.Credentials,
			"${1} may not ${2} ${3} in namespace ${4} (forbidden)", "add ${2} on ${3} in namespace ${4} to a Role that is bound to ${1}"},
		{re(`((?:maximum|minimum) \S+ usage per (?:Container|Pod) is (?s:.+?))(?:\]?$|\]?\. Received)`), cause.Submission,
			"a LimitRange of the namespace refused the driver: ${1}",
			"raise the LimitRange of the namespace, or keep within it: driver.memory and driver.memoryOverhead, driver.cores and driver.coreLimit"},
		{re(`is forbidden: (?s:(.+?))(?:$|\. Received)`), cause.Submission, "the API server refused the driver (forbidden): ${1}",
			"change what the message names"},
		{re(`(?:[Pp]od|Service|ConfigMap) "([^"]+)" is invalid: (?s:(.+?))(?:$|\. Received)`), cause.Configuration,
			"the API server found ${1} invalid: ${2}", "correct the field that the message names"},
		{re(`"([^"]+)" already exists`), cause.Submission, "${1} of an earlier run already exists", "delete ${1}, or submit under another name"},
		{re(`UnknownHostException: ([\w.-]+)`), cause.Network, "spark-submit could not resolve the name ${1} (DNS)", "check DNS from the operator's pod"},
		{re(`unresolved dependency: ([^\s:,]+)`), cause.Dependency, "spark-submit could not resolve the package ${1}",
			"correct spec.deps.packages, or make its repository reachable from the operator"},
		{re(`(?:ClassNotFoundException|NoClassDefFoundError): (?:Class )?(\S+)`), cause.Dependency,
			"spark-submit in the operator lacks class ${1}",
			"add the jar to the operator's image, or use a scheme that it knows"},
		{re(`(?:401|Unauthorized)[^\n]*`), cause.Credentials, "the API server did not accept the operator's credentials: ${0}", "restart the operator and check its service account"},
		{re(`(?:Connection refused|connect timed out|Connect timed out|Connection timed out|No route to host)[^\n]*`), cause.Network,
			"spark-submit could not connect: ${0}", "check the network from the operator's pod to the address"},
	}
}
