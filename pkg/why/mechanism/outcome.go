package mechanism

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// succeeded reports whether the run came to a good end: the operator says so, or the driver's container exited with 0.
func (v *View) succeeded() bool {
	if v.Driver != nil {
		if c := Container(v.Driver); c != nil && c.State.Terminated != nil {
			return c.State.Terminated.ExitCode == 0 && c.State.Terminated.Reason != StatusUnknown
		}
		if v.driverRuns() {
			return false
		}
	}
	return v.State == "COMPLETED" || v.State == "SUCCEEDING"
}

// finished is about an application whose driver did its work, whatever its pod and the operator make of it.
func finished(v *View) []cause.Cause {
	if !v.succeeded() || v.State == "PENDING_RERUN" && len(v.inTheWay()) > 0 {
		return nil
	}
	c := cause.Cause{Class: cause.Succeeded, Subject: v.AppRef(), Trust: cause.ByOperator, At: v.DriverEnd().UTC(),
		Message: "the application completed", Evidence: v.stateProof()}
	if v.Driver != nil {
		if s := Container(v.Driver); s != nil && s.State.Terminated != nil {
			c.Trust, c.At = cause.ByContainer, s.State.Terminated.FinishedAt.UTC()
			c.Message += ": its driver exited with 0"
			c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(v.Driver), Field: "status.containerStatuses[" + s.Name + "]",
				Value: "Completed (exit code 0)", At: c.At})
		}
		for _, s := range v.Driver.Status.ContainerStatuses {
			if s.State.Running != nil && s.Name != MainName(v.Driver) {
				c.Message += fmt.Sprintf("; its pod still counts as running because sidecar %s does not exit", s.Name)
				c.Next = append(c.Next, command.Do("make %s a native sidecar (an init container with restartPolicy Always), so that it ends with "+
					"the driver", s.Name))
			}
		}
	}
	if n := v.Attempts; n > 1 {
		c.Message += fmt.Sprintf("; it was attempt %d, after %s that failed", n, facts.Counted(n-1, "attempt"))
	}
	if n := len(v.Ends); n > 0 {
		c.Message += fmt.Sprintf("; %s lost on the way (%s), and Spark recomputed their part", facts.Counted(n, "executor"), v.Ends[0].Why)
	}
	if v.State == "FAILED" || v.State == "FAILING" {
		c.Class = cause.ObserverMissed
		c.Message = fmt.Sprintf("marked %s although the driver exited with 0 (completed): the operator recorded %q", v.State, v.Message)
		c.Next = []command.Command{command.Do("take the result as good, and ask whether a retry wrote it twice")}
	}
	v.unrecorded(&c)
	return []cause.Cause{c}
}

// stateProof is the state that the operator wrote; none if no operator did.
func (v *View) stateProof() []cause.Proof {
	if v.State == "" {
		return nil
	}
	return []cause.Proof{{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}}
}

// running is about an application at work, or one that is about to start.
func running(v *View) []cause.Cause {
	if !v.driverRuns() || slices.Contains([]string{"FAILED", "COMPLETED"}, v.State) {
		return nil
	}
	since := v.Age(v.Driver.CreationTimestamp.Time)
	asked, n := v.Asked(), v.Running()
	of := facts.Counted(n, "executor")
	if asked > 0 {
		of = fmt.Sprintf("%d of %d executors", n, asked)
	}
	c := cause.Cause{Class: cause.RunningNormally, Subject: v.AppRef(), Trust: cause.ByPod, At: v.Driver.CreationTimestamp.UTC(),
		Message: fmt.Sprintf("driver and %s run for %s", of, since),
		Evidence: append([]cause.Proof{{Object: podRef(v.Driver), Field: "status.phase", Value: string(v.Driver.Status.Phase)}},
			v.stateProof()...)}
	for _, s := range v.Driver.Status.ContainerStatuses {
		if t := s.State.Terminated; t != nil && t.ExitCode != 0 && s.Name != MainName(v.Driver) {
			c.Message += fmt.Sprintf("; sidecar %s of the driver exited with %d", s.Name, t.ExitCode)
		}
	}
	if v.Failing() {
		c.Certainty = check.Likely
		if n > 0 {
			c.Class = cause.SlowButProgressing // at best
		}
		c.Message += fmt.Sprintf("; %s failed before these", facts.Counted(v.failed(), "executor"))
		failing := cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Effect: true, Subject: v.AppRef(), Trust: cause.ByOperator,
			Message: fmt.Sprintf("%s failed one after the other while %d are asked for, and nothing that was seen says why",
				facts.Counted(v.failed(), "executor"), asked),
			Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.executorState", Value: fmt.Sprintf("%d FAILED", v.failed())}},
			Next:     []command.Command{command.Do("%s, and read the log of an executor that failed", v.KeepExecutors())}}
		return []cause.Cause{failing, c}
	}
	lost, oom := v.unexplained(), v.outgrown()
	before := fmt.Sprintf("; %s failed before these", facts.Counted(max(v.failed(), oom), "executor"))
	switch {
	case v.Relapsing(), asked > 0 && lost >= max(3, asked):
		c.Class, c.Certainty = cause.SlowButProgressing, check.Likely
		c.Message += before + Unsaid + "; their work is done again"
	case oom > 0 && v.failed() >= 2 && 2*v.failed() >= asked:
		c.Class = cause.SlowButProgressing
		c.Message += fmt.Sprintf("%s, %d of them OOMKilled (137), and their work is done again", before, oom)
		c.Next = append(c.Next, command.Do("raise executor.memoryOverhead, or use more partitions or fewer executor.cores, so that each task "+
			"holds less"))
	case lost >= 2 && 2*lost >= asked:
		c.Certainty = check.Likely // what ended them was not seen
	}
	if n < asked {
		c.Class, c.Certainty = cause.SlowButProgressing, check.Likely
		if v.starting() && 2*n >= asked {
			c.Class = cause.RunningNormally // a replacement is on its way
		}
		if n == 0 {
			c.Class, c.Effect = cause.Unknown, true
		}
	}
	return []cause.Cause{c}
}

// heldOnPurpose is about an application, or a schedule, that its user suspended.
func heldOnPurpose(v *View) []cause.Cause {
	var out []cause.Cause
	switch {
	case v.resumes():
		out = append(out, cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Effect: true, Subject: v.AppRef(), Trust: cause.ByOperator,
			Message:  "spec.suspend is no longer true, and the operator has not resumed the application",
			Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}},
			Next:     []command.Command{command.Do("scan the operator").With("kubectl sparkdoctor scan -n %s", v.AppRef().Namespace)}})
	case v.State == "SUSPENDING" && v.notSuspended() > 0:
	case v.State == "COMPLETED" || v.State == "FAILED":
		// It is over, and neither suspended nor resumed (Reconcile and IsTerminated, v2.5.2: internal/controller/sparkapplication/
		// controller.go, pkg/util/sparkapplication.go).
	case v.State == "RUNNING" && v.suspended() && v.driverRuns():
		out = append(out, cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Effect: true, Subject: v.AppRef(), Trust: cause.ByOperator,
			Message: "spec.suspend is true, and the operator has not suspended the application",
			Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.suspend", Value: "true"},
				{Object: v.AppRef(), Field: "status.applicationState.state", Value: v.State}},
			Next: []command.Command{command.Do("scan the operator").With("kubectl sparkdoctor scan -n %s", v.AppRef().Namespace)}})
	case !v.heldByQueue() && (v.suspended() || v.State == "SUSPENDED" || v.State == "SUSPENDING"):
		out = append(out, cause.Cause{Class: cause.Suspended, Subject: v.AppRef(), Trust: cause.ByCondition,
			Message:  "the application is suspended (spec.suspend is true), so the operator starts nothing",
			Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.suspend", Value: "true"}},
			Next: []command.Command{command.Do("set spec.suspend to false to start it").
				With(`kubectl -n %s patch sparkapplication %s --type=merge -p '{"spec":{"suspend":false}}'`, v.AppRef().Namespace, v.AppRef().Name)}})
	}
	if s := v.Schedule; s != nil && v.Subject.Kind == "ScheduledSparkApplication" {
		on, _, _ := unstructured.NestedBool(s.Object, "spec", "suspend")
		if on {
			out = append(out, cause.Cause{Class: cause.Suspended, Subject: v.Subject, Trust: cause.ByCondition,
				Message:  "the schedule is suspended (spec.suspend is true), so it starts no run",
				Evidence: []cause.Proof{{Object: v.Subject, Field: "spec.suspend", Value: "true"}},
				Next:     []command.Command{command.Do("set spec.suspend to false to start runs again")}})
		}
		state, _, _ := unstructured.NestedString(s.Object, "status", "scheduleState")
		reason, _, _ := unstructured.NestedString(s.Object, "status", "reason")
		if state == "FailedValidation" {
			out = append(out, cause.Cause{Class: cause.Configuration, Subject: v.Subject, Trust: cause.ByOperator,
				Message:  "the operator does not accept the schedule: " + sentence(reason),
				Evidence: []cause.Proof{{Object: v.Subject, Field: "status.scheduleState", Value: state + ": " + reason}},
				Next:     []command.Command{command.Do("correct spec.schedule or spec.timeZone")}})
		}
	}
	return out
}

// collected is about an application that the garbage collector deleted, or will, for an owner in another namespace.
func collected(v *View) []cause.Cause {
	var out []cause.Cause
	for _, e := range v.Events {
		if e.Reason != "OwnerRefInvalidNamespace" || e.Involved.Kind == "Pod" || v.Application != nil &&
			v.Application.GetDeletionTimestamp() == nil {
			continue
		}
		out = append(out, cause.Cause{Class: cause.Configuration, Subject: e.Involved, Trust: cause.ByEvent, At: e.First,
			Message: fmt.Sprintf("the garbage collector deleted the application because its owner is not in its namespace: %s",
				sentence(e.Message)),
			Evidence: []cause.Proof{{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last}},
			Next: []command.Command{command.Do("create the application in the namespace of its owner, or without the owner reference (Argo: " +
				"setOwnerReference: false)")}})
	}
	return out
}

// Unsaid is said of executors that failed where their pods are gone; the driver's log may know more.
const Unsaid = ", and nothing that was seen of their pods says why"

// outgrown counts executors that ended at their own memory limit.
func (v *View) outgrown() int {
	n := 0
	for _, e := range ends(v) {
		if e.Why == OOMKilled {
			n++
		}
	}
	return n
}

// platform are findings of checks that explain why nothing starts.
func platform(v *View) []cause.Cause {
	if v.State != "" && v.State != "SUBMISSION_FAILED" && v.State != "PENDING_RERUN" {
		return nil
	}
	var out []cause.Cause
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Severity != check.Error || !strings.HasPrefix(f.Check, "SD") || v.notYet(f) {
			continue
		}
		out = append(out, found(v, f))
	}
	return out
}

// notYet reports whether a finding is about a driver's account that nothing has used: the operator has not tried to create the driver, or
// could not, and then what its account may do has stopped nothing.
func (v *View) notYet(f *check.Finding) bool {
	return f.Check == "SD5007" && (v.State == "" || v.State == "SUBMISSION_FAILED" && f.Kind == "permissions")
}

// found is a finding of a check as a cause.
func found(v *View, f *check.Finding) cause.Cause {
	class := cause.Submission
	if f.Check == "SD5007" && f.Kind == "permissions" {
		class = cause.Credentials
	}
	return cause.Cause{Class: class, Certainty: check.Likely, Trust: cause.ByPlatform, Subject: f.Object,
		At: f.Since, Message: f.Message, Signature: f.Check,
		Evidence: []cause.Proof{{Object: f.Object, Field: f.Field, Value: f.Message}},
		Next: []command.Command{command.Do("read what %s found and how to repair it", f.Check).With("kubectl sparkdoctor scan -n %s",
			v.Subject.Namespace)}}
}

// recordsWithin is how long after the end of a driver an operator that works has recorded it: it hears of each change of a pod
// (newSparkPodEventFilter in internal/controller/sparkapplication/controller.go@v2.5.1; 1.x lists them every 30 s, too: resync-interval in
// main.go@v1beta2-1.3.8-3.1.1).
const recordsWithin = 5 * time.Minute

// unrecorded is about an application that counts as running long after its driver ended well, and its pod with it.
func (v *View) unrecorded(c *cause.Cause) {
	unknown := v.State == "" && v.AppRef().Kind == "SparkApplication" && strings.HasPrefix(v.AppRef().APIVersion, "sparkoperator.")
	if v.State != "RUNNING" && v.State != "SUBMITTED" && !unknown || v.Driver == nil || v.Driver.Status.Phase != corev1.PodSucceeded ||
		c.At.IsZero() || v.Now.Sub(c.At) < recordsWithin {
		return
	}
	c.Class, c.Certainty = cause.ObserverMissed, check.Likely
	c.Message = fmt.Sprintf("still %s, but its driver completed (exit code 0) %s ago: the operator has not recorded the end",
		cmp.Or(v.State, "without a state"), v.Age(c.At))
	if n := len(v.OperatorSaid); n > 0 {
		said := v.OperatorSaid[n-1]
		c.Message += "; its log says " + sentence(said.Text)
		c.Evidence = append(c.Evidence, cause.Proof{Object: said.Pod, Field: "log " + said.Container, Value: said.Text, At: said.At})
	}
	if v.Schedule != nil {
		if policy, _, _ := unstructured.NestedString(v.Schedule.Object, "spec", "concurrencyPolicy"); policy == "Forbid" {
			c.Message += "; until then the schedule starts no further run (concurrencyPolicy Forbid)"
		}
	}
	c.Next = []command.Command{command.Do("see whether the operator runs and watches the namespace").With("kubectl sparkdoctor scan -n %s",
		v.Subject.Namespace), command.Do("take the result as good")}
}
