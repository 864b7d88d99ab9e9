package mechanism

import (
	"fmt"
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

// driverGone is what is left of a driver whose pod was deleted: events, and what the operator wrote.
func driverGone(v *View) []cause.Cause {
	if v.Driver != nil || v.Application == nil || v.Submitted.IsZero() || v.succeeded() || v.Unsubmitted() {
		return nil
	}
	name := v.DriverName
	if name == "" {
		name = v.AppRef().Name + "-driver"
	}
	c := cause.Cause{Class: cause.ClusterKilled, Subject: v.podNamed(name), Trust: cause.ByEvent, At: v.Ended.UTC()}
	v.alsoRecorded(&c)
	for _, e := range v.eventsOn("Pod", name) {
		why := endReason(e.Source, e.Reason)
		if why == "" || strings.HasPrefix(e.Message, "Cancelling") {
			continue
		}
		c.At = e.Last
		c.Evidence = append([]cause.Proof{{Object: c.Subject, Field: "event " + e.Reason, Value: e.Message, At: e.Last}}, c.Evidence...)
		switch why {
		case Preempted:
			c.Message = "the scheduler preempted the driver for a pod of higher priority" + v.priority("driver") + ": " + sentence(e.Message)
			c.Next = []command.Command{PriorityNext("driver")}
		case Evicted:
			c.Message = "the kubelet evicted the driver (Evicted): " + sentence(e.Message)
			c.Next = []command.Command{EvictionNext("driver", e.Message)}
		default:
			c.Message = fmt.Sprintf("the driver was lost (%s%s): %s", why, v.drainedBy(e, name), sentence(e.Message))
			if why == Descheduled {
				c.Message = fmt.Sprintf("the descheduler evicted the driver (%s): %s", e.Reason, sentence(e.Message))
			}
			c.Next = []command.Command{drainNext("driver", e.Source, e.Reason)}
			v.nodeProof(&c, v.nodeOf(name), "DisruptionTerminating")
		}
		return []cause.Cause{c}
	}
	return []cause.Cause{v.recordedEnd(c, name)}
}

// recordedEnd is what the operator recorded of the end of a driver that is gone.
func (v *View) recordedEnd(c cause.Cause, name string) cause.Cause {
	c.Trust, c.Certainty = cause.ByOperator, check.Likely
	killing := v.eventsOn("Pod", name, "Killing")
	for _, e := range killing {
		c.Evidence = append(c.Evidence, cause.Proof{Object: c.Subject, Field: "event Killing", Value: e.Message, At: e.Last})
	}
	code, reason, told := NewMessages().DriverEnd(v.Message)
	lower := strings.ToLower(v.Message)
	switch {
	case told && reason == "OOMKilled":
		c.Certainty = check.Proven
		c.Message = "driver exceeded its memory limit and the kernel killed it (OOMKilled, 137): " + v.limitText(nil, "driver")
		c.Next = []command.Command{command.Do("raise driver.memoryOverhead, or driver.memory if its heap is full")}
	case told && (code == 143 || code == 137):
		c.Class, c.Effect = cause.Unknown, true
		if len(killing) == 0 {
			c.Message = fmt.Sprintf(
				"driver was ended by a signal (exit code %d); its pod, its log and the events that would say who sent it are gone",
				code)
			return c
		}
		c = v.deleted(c, code, false)
		v.whoDeleted(&c, name)
	case told:
		c.Class, c.Effect = cause.Unknown, true
		c.Message = fmt.Sprintf("driver exited with exit code %d (%s); its pod and its log are gone", code, reason)
	case strings.Contains(lower, "not found") && strings.Contains(lower, "driver"), strings.Contains(lower, "driver pod missing"):
		c.Class, c.Effect = cause.Unknown, true
		if v.ended("COMPLETED") && !v.ended("FAILED") {
			c.Class, c.Effect = cause.ObserverMissed, false // Spark ended its executors in order
		}
		c.Message = fmt.Sprintf("marked %s because driver pod %q was gone when the operator looked; the operator did not see how the driver "+
			"ended, the job may have succeeded%s", v.State, name, v.over(&c))
		c.Next = []command.Command{command.Do("look into what the job writes for its result")}
		if v.unlookedFor(name) {
			c.Class, c.Effect = cause.ObserverMissed, false
			c.Message = fmt.Sprintf("marked %s because the operator did not find driver pod %q %s after it was submitted, before any container "+
				"of it ran: it did not know of the pod yet, or something deleted it at once", v.State, name, v.Ended.Sub(v.Submitted))
			c.Next = []command.Command{command.Do("submit it again, and ask the audit log of the API server who deletes pods of drivers if it " +
				"happens again")}
		}
		if len(killing) > 0 {
			c = v.deleted(c, 0, false)
			v.whoDeleted(&c, name)
		}
	case v.State == "RUNNING" || v.State == "SUBMITTED":
		c.Class, c.Effect = cause.Unknown, true
		c.Message = fmt.Sprintf("%s, but no driver pod %q was seen", v.State, name)
	default:
		c.Class, c.Effect = cause.Unknown, true
		c.Message = "the driver's pod, its log and its events are gone"
		switch {
		case v.Message != "":
			c.Message = sentence(v.Message) + "; the driver's pod and its log are gone"
		case v.State == "PENDING_RERUN":
			c.Message += "; it is in PENDING_RERUN, and nothing that was seen says why the operator does not go on"
		}
	}
	return c
}

// over is when a run was over by the events of its executors, where the operator looked more than a minute later: it missed the end.
func (v *View) over(c *cause.Cause) string {
	var last app.Event
	stopped := map[string]bool{}
	for _, e := range v.Events {
		if e.Involved.Kind == "Pod" && e.Reason == "Killing" && strings.Contains(e.Involved.Name, "-exec-") {
			stopped[e.Involved.Name] = true
			if e.Last.After(last.Last) {
				last = e
			}
		}
	}
	if len(stopped) == 0 || len(stopped) < len(v.Names()) || v.Ended.Sub(last.Last) < time.Minute {
		return ""
	}
	c.Class, c.Effect = cause.ObserverMissed, false
	c.Evidence = append(c.Evidence, cause.Proof{Object: last.Involved, Field: "event Killing", Value: last.Message, At: last.Last})
	return fmt.Sprintf("; its executors were stopped %s before, when the run was over", duration.HumanDuration(v.Ended.Sub(last.Last)))
}

// atOnce is how soon after a submission an operator of 1.x may look for a pod that its cache does not have yet
// (kubeflow/spark-operator#795).
const atOnce = 15 * time.Second

// unlookedFor reports whether a driver was given up so soon that nothing of it can have run.
func (v *View) unlookedFor(name string) bool {
	after := v.Ended.Sub(v.Submitted)
	return !v.Submitted.IsZero() && after >= 0 && after <= atOnce && len(v.Names()) == 0 &&
		len(v.eventsOn("Pod", name, "Started", "Created", "Pulled", "Killing")) == 0
}

// whoDeleted says whether it was a user or a drain: a drained node is marked, and one that was seen unmarked was not drained.
func (v *View) whoDeleted(c *cause.Cause, name string) {
	node := v.nodeOf(name)
	for _, e := range v.eventsOn("Node", node, "NodeNotSchedulable", "NodeNotReady", "RemovingNode", "DrainStarted", "Drain",
		"DisruptionTerminating") {
		c.Class, c.Effect = cause.ClusterKilled, false
		c.Message = fmt.Sprintf("the driver was ended (SIGTERM) when node %s left service: %s", node, sentence(e.Message))
		c.Evidence = append(c.Evidence, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		return
	}
	n := v.node(node)
	if n == nil {
		return
	}
	ready := slices.ContainsFunc(n.Status.Conditions, func(r corev1.NodeCondition) bool {
		return r.Type == corev1.NodeReady && r.Status == corev1.ConditionTrue
	})
	switch {
	case n.Spec.Unschedulable || !ready:
		c.Class, c.Effect = cause.ClusterKilled, false
		c.Message = fmt.Sprintf("the driver was ended (SIGTERM), and its node %s is being drained: it is cordoned or not ready", node)
	case v.text("spec", "driver", "priorityClassName") != "":
		c.Message += "; a preemption cannot be excluded, as it has a priority class"
	default:
		c.Message = fmt.Sprintf("the driver pod was deleted while it ran (SIGTERM); node %s is ready and not cordoned, and no event tells of "+
			"an eviction: a user or a controller most likely did it", node)
	}
}

// nodeOf is the node that a pod ran on: by the pod, else by what the scheduler said; empty: nothing tells.
func (v *View) nodeOf(name string) string {
	if p := v.pod(name); p != nil && p.Spec.NodeName != "" {
		return p.Spec.NodeName
	}
	node := ""
	for _, e := range v.eventsOn("Pod", name, "Scheduled") {
		if _, after, found := strings.Cut(e.Message, " to "); found {
			node = strings.TrimSpace(after)
		}
	}
	return node
}

// drainedBy says who drained the node of a pod, and which node that was.
func (v *View) drainedBy(e app.Event, pod string) string {
	out := ""
	if e.Source != "" {
		out += " by " + e.Source
	}
	if node := v.nodeOf(pod); node != "" {
		out += ", " + node
	}
	return out
}

// drainNext is how a pod tells those who remove nodes to wait for it (karpenter.sh/docs/concepts/disruption, and the FAQ of the cluster
// autoscaler).
func drainNext(role, source, reason string) command.Command {
	switch {
	case reason == "Disrupted": // the node had to go, whatever its pods ask for
		return command.Do("raise expireAfter or terminationGracePeriod of the NodePool above the time that the job takes, or run the %s on "+
			"nodes that stay", role)
	case strings.Contains(source, "karpenter"):
		return command.Do("annotate the %s with karpenter.sh/do-not-disrupt: \"true\" (spec.%s.annotations), or run it on "+
			"nodes that stay", role, role)
	case strings.Contains(source, "descheduler"):
		return command.Do("protect the %s with a PodDisruptionBudget, which the descheduler obeys, or leave its namespace out of the "+
			"descheduler's policy", role)
	case strings.Contains(source, "autoscaler"):
		return command.Do("annotate the %s with cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\" (spec.%s.annotations), or run it on "+
			"nodes that stay", role, role)
	default:
		return command.Do("run the %s on nodes that stay while it runs", role)
	}
}

// stillRuns is about a driver that runs although the operator recorded that the application failed: it looked before the driver was there
// (#2302), or could not see it. A node that is lost shows its pods as running, too; what tells of that comes first.
func stillRuns(v *View) []cause.Cause {
	if v.State != "FAILED" && v.State != "FAILING" || !v.driverRuns() || v.Driver.DeletionTimestamp != nil || v.Unsubmitted() {
		return nil
	}
	if _, _, told := NewMessages().DriverEnd(v.Message); told {
		return nil // it saw a driver end: of an earlier run
	}
	c := cause.Cause{Class: cause.ObserverMissed, Subject: podRef(v.Driver), Trust: cause.ByOperator, At: v.Ended.UTC(),
		Message: fmt.Sprintf("marked %s (%s), but driver pod %s runs for %s with %s", v.State, sentence(v.Message), v.Driver.Name,
			v.Age(v.Driver.CreationTimestamp.Time), facts.Counted(v.Running(), "executor")),
		Evidence: append(v.stateProof(), cause.Proof{Object: podRef(v.Driver), Field: "status.phase", Value: string(v.Driver.Status.Phase)}),
		Next: []command.Command{command.Do("follow the driver's log: the job may well succeed").On("logs", podRef(v.Driver)),
			command.Do("do not submit it again while this driver runs: both would write")},
	}
	if created := v.Driver.CreationTimestamp.Time; !v.Ended.IsZero() && created.After(v.Ended) {
		c.Message += fmt.Sprintf("; it was created %s after the operator gave up", duration.HumanDuration(max(created.Sub(v.Ended), time.Second)))
	}
	v.alsoRecorded(&c)
	return []cause.Cause{c}
}
