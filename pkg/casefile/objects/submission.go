package objects

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// submissionFailed reads what the operator wrote of a failed spark-submit.
func submissionFailed(v *View) []cause.Cause {
	text := v.Message
	for _, e := range v.eventsOn("SparkApplication", v.AppRef().Name, "SparkApplicationSubmissionFailed") {
		if text == "" {
			text = e.Message
		}
	}
	if !v.Unsubmitted() && !OfSubmission(text) {
		return nil
	}
	c := cause.Cause{Class: cause.Submission, Trust: cause.ByOperator, Subject: v.AppRef(), At: v.Submitted.UTC(),
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.applicationState.errorMessage", Value: text}}}
	if SubmitKilled(text) {
		return []cause.Cause{v.submitKilled(c)}
	}
	if NameTaken(text) {
		return []cause.Cause{v.taken(c)}
	}
	if r, known := NewMessages().Refused(text); known {
		c.Class = r.Class
		c.Message = "the submission failed: " + sentence(r.Says)
		c.Next = []command.Command{command.Do("%s", r.Next)}
		return []cause.Cause{c}
	}
	c.Certainty = check.Likely
	c.Message = "the submission failed: " + sentence(LastWords(text))
	c.Next = []command.Command{command.Do("read what spark-submit printed in the log of the operator's controller")}
	return []cause.Cause{c}
}

// quotedNear matches the object of which a decoder quotes the surroundings of what it does not take (iter.go of json-iterator/go@v1.1.12).
var quotedNear = regexp.MustCompile(`bigger context .*"name":"([\w.-]+)","namespace":"([\w.-]+)"`)

// operatorRefuses is the last error that the operator's log, where it was read, holds about an application without a status.
func (v *View) operatorRefuses() (cause.Cause, bool) {
	if len(v.OperatorSaid) == 0 {
		return cause.Cause{}, false
	}
	said := v.OperatorSaid[len(v.OperatorSaid)-1]
	c := cause.Cause{Class: cause.Submission, Certainty: check.Likely, Trust: cause.ByOperator, Subject: v.AppRef(),
		Message:  "the operator does not submit it: its log says " + sentence(said.Text),
		Evidence: []cause.Proof{{Object: said.Pod, Field: "log " + said.Container, Value: said.Text, At: said.At}},
		Next:     []command.Command{command.Do("mend what the operator's log names")}}
	switch lower := strings.ToLower(said.Text); {
	case strings.Contains(said.Text, " is forbidden: User "):
		c.Class = cause.Credentials
		c.Next = []command.Command{command.Do("grant the operator's service account what its log names")}
	case strings.Contains(lower, "failed to list") && (strings.Contains(lower, "decode") || strings.Contains(lower, "unmarshal")):
		// One object that a typed client does not take fails the whole list (SD5003).
		c.Class = cause.Configuration
		what, _, _ := strings.Cut(said.Text[strings.Index(lower, "failed to list"):], ", error found in")
		c.Message = "the operator cannot decode one of the applications that it lists, and so handles none, this one included: " +
			sentence(what)
		c.Next = []command.Command{command.Do("find the application that it cannot decode").With("kubectl sparkdoctor scan --checks SD5003")}
		if m := quotedNear.FindStringSubmatch(said.Text); m != nil {
			c.Message += "; near " + m[2] + "/" + m[1]
			c.Next = append(c.Next, command.Do("look at %s, near which it stops", m[1]).
				With("kubectl -n %s get sparkapplication %s -o yaml", m[2], m[1]))
		}
	}
	return c, true
}

// Unsubmitted reports whether spark-submit failed, so that no driver was ever there.
func (v *View) Unsubmitted() bool {
	return v.State == "SUBMISSION_FAILED" || OfSubmission(v.Message)
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

// taken says which pod has the driver's name. It was there before this submission, or it would be its driver.
func (v *View) taken(c cause.Cause) cause.Cause {
	name := cmp.Or(v.text("spec", "driver", "podName"), v.DriverName, v.AppRef().Name+"-driver")
	c.Certainty, c.Class = check.Likely, cause.Submission
	c.Message = fmt.Sprintf("the submission failed: a pod %q already existed, and it is gone by now", name)
	c.Next = []command.Command{command.Do("submit it again, once nothing else uses the pod name %s", name)}
	for i := range v.Pods {
		p := &v.Pods[i]
		if p.Name != name || v.Submitted.IsZero() || p.CreationTimestamp.After(v.Submitted) {
			continue
		}
		c.Certainty = check.Proven
		c.Message = fmt.Sprintf("the submission failed: pod %q already existed, of %s: %s since %s, and this submission was at %s", name,
			v.holder(p), p.Status.Phase, p.CreationTimestamp.UTC().Format(time.TimeOnly), v.Submitted.UTC().Format(time.TimeOnly))
		c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "metadata.creationTimestamp",
			Value: p.CreationTimestamp.UTC().Format(time.TimeOnly), At: p.CreationTimestamp.UTC()})
		c.Next = []command.Command{
			command.Do("look whether pod %s does the job's work, and let it finish", name).On("logs", podRef(p)),
			command.Do("delete the pod if it does not, or set another spec.driver.podName, then submit again"),
		}
	}
	return c
}

// holder is whose pod it is, by its labels (pkg/common/spark.go@v2.5.2).
func (v *View) holder(p *corev1.Pod) string {
	const app, submission = "sparkoperator.k8s.io/app-name", "sparkoperator.k8s.io/submission-id"
	switch name := p.Labels[app]; {
	case name == "":
		return "no SparkApplication"
	case name != v.AppRef().Name:
		return fmt.Sprintf("SparkApplication %q", name)
	case p.Labels[submission] != "":
		return fmt.Sprintf("submission %q of this application", p.Labels[submission])
	default:
		return "another submission of this application"
	}
}
