package mechanism

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
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
	if strings.Contains(text, withoutMode) && v.text("spec", "mode") == "cluster" {
		return []cause.Cause{v.halfRead(c)}
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

// withoutMode is what spark-submit says to another deploy mode, and to none (core/src/main/scala/org/apache/spark/deploy/
// SparkSubmitArguments.scala@v3.5.5).
const withoutMode = "--deploy-mode must be either"

// halfRead is about a submission that lacks what the spec has. For a change of the spec the operator's event filter updates the status of
// the application in its cache; the client empties that object and then decodes the answer into it, while the controller may read it
// (EventFilter.Update in internal/controller/sparkapplication/event_filter.go@v2.2.1 to @v2.5.2; targetZeroingDecoder in
// pkg/client/apiutil/apimachinery.go of sigs.k8s.io/controller-runtime@v0.20.4).
func (v *View) halfRead(c cause.Cause) cause.Cause {
	c.Certainty = check.Likely
	c.Message = "the submission failed: the operator gave spark-submit no deploy mode, though spec.mode is cluster; it read the application " +
		"while it took up a change of the spec"
	c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: "spec.mode", Value: "cluster"})
	c.Next = []command.Command{command.Do("delete the application and create it again: its spec is complete")}
	return c
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
	switch {
	case strings.Contains(said.Text, " is forbidden: User "):
		c.Class = cause.Credentials
		c.Next = []command.Command{command.Do("grant the operator's service account what its log names")}
	case said.Unlisted():
		return v.unlisted(c, said), true
	}
	return c, true
}

// operatorDown is about an operator of which every pod that was seen crashes again and again.
func (v *View) operatorDown(c cause.Cause) (cause.Cause, bool) {
	c.Evidence = nil
	for i := range v.Operator {
		p := &v.Operator[i]
		at := slices.IndexFunc(p.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool {
			return s.State.Waiting != nil && s.State.Waiting.Reason == "CrashLoopBackOff"
		})
		if at < 0 {
			return c, false
		}
		s := p.Status.ContainerStatuses[at]
		how := ""
		if t := s.LastTerminationState.Terminated; t != nil {
			how = fmt.Sprintf(", exit code %d (%s)", t.ExitCode, t.Reason)
		}
		c.Class, c.Effect, c.Subject, c.Trust = cause.Configuration, false, podRef(p), cause.ByContainer
		c.Message = fmt.Sprintf("the operator does not run, so nothing submits it: container %s of its pod %s crashes again and again "+
			"(CrashLoopBackOff%s)", s.Name, p.Name, how)
		c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "status.containerStatuses[" + s.Name + "].state.waiting",
			Value: s.State.Waiting.Reason + ": " + s.State.Waiting.Message})
		c.Next = []command.Command{command.Do("read why it ends, and mend its arguments, image, permissions or memory").
			With("kubectl -n %s logs %s -c %s --previous", p.Namespace, p.Name, s.Name)}
	}
	return c, len(c.Evidence) > 0
}

// unlisted is about one object that a typed client does not take, which fails the whole list (SD5003).
func (v *View) unlisted(c cause.Cause, said app.Said) cause.Cause {
	c.Class, c.Next = cause.Configuration, nil
	if len(v.Broken) > 0 {
		return v.broken(c)
	}
	what, _, _ := strings.Cut(said.Text[strings.Index(strings.ToLower(said.Text), "failed to list"):], ", error found in")
	c.Message = "the operator cannot decode one of the applications that it lists, and so handles none, this one included: " + sentence(what)
	c.Next = []command.Command{command.Do("find the application that it cannot decode").With("kubectl sparkdoctor scan --checks SD5003")}
	if m := quotedNear.FindStringSubmatch(said.Text); m != nil {
		c.Message += "; near " + m[2] + "/" + m[1]
		c.Next = append(c.Next, command.Do("look at %s, near which it stops", m[1]).
			With("kubectl -n %s get sparkapplication %s -o yaml", m[2], m[1]))
	}
	return c
}

// broken is about other applications that do not decode.
func (v *View) broken(c cause.Cause) cause.Cause {
	c.Class, c.Next = cause.Configuration, nil
	var broken []string
	for _, b := range v.Broken {
		broken = append(broken, fmt.Sprintf("%s (%s)", b.Object, b.Text))
		c.Evidence = append(c.Evidence, cause.Proof{Object: b.Object, Field: "spec", Value: b.Text})
		c.Next = append(c.Next, command.Do("correct or delete %s", b.Object.Name).On("edit", b.Object))
	}
	c.Message = "the operator cannot decode " + strings.Join(broken, ", ") + ", and so handles no application that it lists, this one included"
	return c
}

// waiting is about an application without a driver that the operator has not got to, or is about to try again.
func waiting(v *View) []cause.Cause {
	if v.Application == nil || v.Driver != nil || v.suspended() || len(v.Queued) > 0 {
		return nil
	}
	if v.State != "" || !v.Submitted.IsZero() {
		return nil
	}
	age := v.Now.Sub(v.Application.GetCreationTimestamp().Time)
	c := cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Effect: true, Trust: cause.ByOperator, Subject: v.AppRef(),
		Message: fmt.Sprintf("the operator has not written a status for %s: it does not watch namespace %s, is down, or has not got to it",
			duration.HumanDuration(age), v.AppRef().Namespace),
		Next: []command.Command{command.Do("scan the operator").With("kubectl sparkdoctor scan sparkapplication/%s -n %s", v.AppRef().Name,
			v.AppRef().Namespace)}}
	early := age < takenUp
	if early {
		c.Class, c.Effect, c.Message = cause.RunningNormally, false, fmt.Sprintf("created %s ago; the operator has not got to it",
			duration.HumanDuration(age))
	}
	if u := v.Undecodable; u != nil {
		return []cause.Cause{v.undecodable(c, u.Path, u.Text)}
	}
	if refused, is := v.operatorRefuses(); is {
		return []cause.Cause{refused}
	}
	if down, is := v.operatorDown(c); is {
		return []cause.Cause{down}
	}
	if slices.ContainsFunc(v.Broken, func(b app.Broken) bool { return b.Object.Namespace == v.AppRef().Namespace }) {
		c.Effect = false // a list of one namespace or of all fails for it
		return []cause.Cause{v.broken(c)}
	}
	if !early && len(v.Elsewhere) > 0 {
		return []cause.Cause{v.unwatched(c, age)}
	}
	for i := range v.Operator {
		p := &v.Operator[i]
		c.Next = append(c.Next, command.Do("read what the operator's log says of it").
			With("kubectl -n %s logs %s --since=1h", p.Namespace, p.Name))
		break
	}
	return []cause.Cause{c}
}

// undecodable is about a pod template that the operator cannot decode. It lists and watches all applications, so it submits no others
// either (SD5003, which needs to see the operator).
func (v *View) undecodable(c cause.Cause, path, what string) cause.Cause {
	c.Class, c.Effect, c.Trust = cause.Configuration, false, cause.BySpec
	c.Message = fmt.Sprintf("the operator cannot decode this application, and so handles none: %s %s", path, what)
	c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: path, Value: what}}
	c.Next = append([]command.Command{command.Do("correct %s", path).On("edit", v.AppRef())}, c.Next...)
	return c
}

// unwatched is about an application in a namespace that the operators which were seen do not watch. Where all Deployments were seen, SD5001
// says the same for certain.
func (v *View) unwatched(c cause.Cause, age time.Duration) cause.Cause {
	c.Class, c.Effect, c.Next = cause.Configuration, false, nil
	namespace := v.AppRef().Namespace
	var told []string
	for _, in := range v.Elsewhere {
		told = append(told, fmt.Sprintf("operator %s of namespace %s watches %s", in.Stated, in.Namespace, facts.ScopeOf(in)))
		flag := facts.ToldTo(in)
		c.Evidence = append(c.Evidence, cause.Proof{Object: flag.Object, Field: flag.Field, Value: flag.Value})
	}
	c.Message = fmt.Sprintf("no operator that was seen watches namespace %s: %s; no status for %s", namespace, facts.FirstOf(told),
		duration.HumanDuration(age))
	if in := v.Elsewhere[0]; len(v.Elsewhere) == 1 && in.NamespaceSelector() == "" && !in.Legacy() {
		c.Next = append(c.Next, command.Set(in, command.JobNamespaces(in, append(slices.Clone(in.Listed()), namespace))))
	} else {
		c.Next = append(c.Next, command.Do("let the operator that should run it watch namespace %s", namespace))
	}
	return c
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
