package objects

import (
	"fmt"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

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
		{re(`((?:maximum|minimum) \S+ usage per (?:Container|Pod) is (?s:.+?))(?:$|\. Received)`), cause.Submission,
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
		{re(`(?:ClassNotFoundException|NoClassDefFoundError): (\S+)`), cause.Dependency, "spark-submit in the operator lacks class ${1}",
			"add the jar to the operator's image, or use a scheme that it knows"},
		{re(`(?:401|Unauthorized)[^\n]*`), cause.Credentials, "the API server did not accept the operator's credentials: ${0}", "restart the operator and check its service account"},
		{re(`(?:Connection refused|connect timed out|Connect timed out|Connection timed out|No route to host)[^\n]*`), cause.Network,
			"spark-submit could not connect: ${0}", "check the network from the operator's pod to the address"},
	}
}

// submissionFailed reads what the operator wrote of a failed spark-submit.
func submissionFailed(v *View) []cause.Cause {
	text := v.Message
	for _, e := range v.eventsOn("SparkApplication", v.AppRef().Name, "SparkApplicationSubmissionFailed") {
		if text == "" {
			text = e.Message
		}
	}
	if !v.Unsubmitted() && !strings.Contains(text, "spark-submit") && !strings.Contains(text, "failed to submit") {
		return nil
	}
	c := cause.Cause{Class: cause.Submission, Trust: cause.ByOperator, Subject: v.AppRef(), At: v.Submitted.UTC(),
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.applicationState.errorMessage", Value: text}}}
	if strings.Contains(text, "signal: killed") || strings.Contains(text, "exit status 137") {
		return []cause.Cause{v.submitKilled(c)}
	}
	text, _, _ = strings.Cut(text, ". Received status: Status(") // the same again
	if nameTaken(text) {
		return []cause.Cause{v.taken(c)}
	}
	for _, r := range refusals() {
		m := r.text.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		c.Class = r.class
		c.Message = "the submission failed: " + sentence(string(r.text.ExpandString(nil, r.says, text, m)))
		c.Next = []command.Command{command.Do("%s", string(r.text.ExpandString(nil, r.next, text, m)))}
		return []cause.Cause{c}
	}
	c.Certainty = check.Likely
	c.Message = "the submission failed: " + sentence(lastWords(text))
	c.Next = []command.Command{command.Do("read what spark-submit printed in the log of the operator's controller")}
	return []cause.Cause{c}
}

// Unsubmitted reports whether spark-submit failed, so that no driver was ever there.
func (v *View) Unsubmitted() bool {
	return v.State == "SUBMISSION_FAILED" || strings.Contains(v.Message, "spark-submit") || strings.Contains(v.Message, "failed to submit")
}

// lastWords leaves out how the operator wraps an error.
func lastWords(text string) string {
	text = strings.TrimPrefix(text, "failed to submit spark application: ")
	for strings.HasPrefix(text, "failed to run spark-submit: ") {
		text = strings.TrimPrefix(text, "failed to run spark-submit: ")
	}
	if _, rest, found := strings.Cut(text, `Exception in thread "main" `); found {
		return rest
	}
	return text
}

// submitKilled is about a spark-submit that got SIGKILL in the operator's pod, whose memory limit it shares.
func (v *View) submitKilled(c cause.Cause) cause.Cause {
	c.Certainty = check.Likely
	c.Message = "spark-submit was killed (SIGKILL) inside the operator's controller, most likely by the memory limit that it shares with it"
	c.Next = []command.Command{command.Do("raise the memory limit of the operator's controller to 1Gi or more, or lower controller.workers")}
	for i := range v.Operator {
		p := &v.Operator[i]
		for _, one := range p.Spec.Containers {
			if limit, has := one.Resources.Limits[corev1.ResourceMemory]; has {
				c.Message = fmt.Sprintf("spark-submit was killed (SIGKILL) inside the operator's controller, whose memory limit of %s it shares",
					limit.String())
				c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "spec.containers[" + one.Name + "].resources.limits.memory",
					Value: limit.String()})
			}
		}
		for _, e := range v.eventsOn("Node", p.Spec.NodeName, "OOMKilling", "SystemOOM") {
			c.Evidence = append(c.Evidence, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
	}
	return c
}
