package mechanism

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// driverEnded is why a driver that is still there ended.
func driverEnded(v *View) []cause.Cause {
	p := v.Driver
	if p == nil {
		return nil
	}
	if one, failed := initFailed(v, p); failed {
		return []cause.Cause{one}
	}
	end, ended := podEnd(p)
	if !ended {
		return lingering(v, p)
	}
	end = v.rebooted(p, end)
	c := cause.Cause{Class: cause.ClusterKilled, Subject: end.Pod, At: end.At, Trust: end.Trust, Evidence: []cause.Proof{end.Proof}}
	v.alsoRecorded(&c)
	message := strings.TrimSpace(p.Status.Message)
	switch end.Why {
	case OOMKilled:
		c.Message = "driver exceeded its memory limit and the kernel killed it (OOMKilled, 137): " + v.limitText(p, "driver")
		c.Next = []command.Command{command.Do("raise driver.memoryOverhead, or driver.memory if its heap is full, and keep the job from " +
			"collecting so much")}
		if d := v.inMemory(p); d != "" {
			c.Message += "; " + d
		}
	case Evicted:
		c.Message = fmt.Sprintf("the kubelet evicted the driver from node %s (Evicted): %s", p.Spec.NodeName, sentence(message))
		c.Next = []command.Command{EvictionNext("driver", message)}
		v.nodeProof(&c, p.Spec.NodeName, "EvictionThresholdMet")
	case Preempted:
		c.Message = "the scheduler preempted the driver for a pod of higher priority" + v.priority("driver") + ": " +
			sentence(cmp.Or(end.Message, message))
		c.Next = []command.Command{PriorityNext("driver")}
	case Drained:
		c.Message = fmt.Sprintf("the driver was evicted from node %s: %s", p.Spec.NodeName, sentence(end.Message))
		for _, e := range v.eventsOn("Pod", p.Name, "Evicted") { // of who asked for it: an autoscaler or a descheduler
			c.Message = fmt.Sprintf("the driver was evicted from node %s by %s: %s", p.Spec.NodeName, cmp.Or(e.Source, "a controller"),
				sentence(e.Message))
			c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "event Evicted", Value: e.Message, At: e.Last})
		}
		c.Next = []command.Command{command.Do("run the driver on nodes that are not drained while it runs, or protect it with a " +
			"PodDisruptionBudget")}
	case NodeLost:
		c.Message = fmt.Sprintf("node %s was lost under the driver: %s", p.Spec.NodeName, sentence(end.Message))
		c.Next = []command.Command{command.Do("check node %s", p.Spec.NodeName).With("kubectl describe node %s", p.Spec.NodeName)}
		v.nodeProof(&c, p.Spec.NodeName, "NodeNotReady")
	case Deadline:
		c.Message = "the driver ran longer than its activeDeadlineSeconds allow (DeadlineExceeded)"
		if s := p.Spec.ActiveDeadlineSeconds; s != nil {
			c.Message = fmt.Sprintf("the driver ran longer than its activeDeadlineSeconds of %d (DeadlineExceeded)", *s)
		}
		c.Next = []command.Command{command.Do("raise activeDeadlineSeconds in the driver's template")}
	case Rejected:
		c.Class = cause.Scheduling
		c.Message = fmt.Sprintf("the kubelet of node %s rejected the driver (%s): %s", p.Spec.NodeName, p.Status.Reason, sentence(message))
		c.Next = []command.Command{command.Do("run it again: the node filled up between scheduling and start; a restartPolicy OnFailure does " +
			"so by itself")}
	default:
		return v.driverExited(p, end)
	}
	return []cause.Cause{c}
}

// driverExited is about a driver whose process ended by itself or by a signal that nothing at the pod explains.
func (v *View) driverExited(p *corev1.Pod, end End) []cause.Cause {
	t := Termination(p)
	if t == nil {
		return v.turnedAway(p, end)
	}
	c := cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Subject: end.Pod, At: end.At, Effect: true,
		Evidence: []cause.Proof{end.Proof}}
	v.alsoRecorded(&c)
	unhealthy := v.eventsOn("Pod", p.Name, "Unhealthy")
	killing := v.eventsOn("Pod", p.Name, "Killing")
	if len(unhealthy) > 0 && strings.HasPrefix(unhealthy[len(unhealthy)-1].Message, "Liveness probe failed") && len(killing) > 0 &&
		end.Code > 128 {
		e := unhealthy[len(unhealthy)-1]
		c.Class, c.Certainty, c.Effect, c.Trust = cause.Configuration, check.Proven, false, cause.ByEvent
		c.Message = fmt.Sprintf("the kubelet killed the driver because its liveness probe failed (%d): %s", end.Code, sentence(e.Message))
		c.Evidence = append(c.Evidence, cause.Proof{Object: end.Pod, Field: "event Unhealthy", Value: e.Message, At: e.Last})
		c.Next = []command.Command{command.Do("point the liveness probe of the driver's template at a port that the driver serves, or remove it")}
		return []cause.Cause{c}
	}
	if start := startError(v, p, t); start != nil {
		start.At, start.Evidence = end.At, append(c.Evidence, start.Evidence...)
		return []cause.Cause{*start}
	}
	if events := v.oomOnNode(p, end); len(events) > 0 && end.Code == 137 {
		c.Class, c.Effect, c.Trust = cause.ClusterKilled, false, cause.ByEvent
		c.Message = fmt.Sprintf("the kernel killed the driver's process with signal 9 (137) when node %s ran out of memory", p.Spec.NodeName)
		c.Evidence = append(c.Evidence, events...)
		c.Next = []command.Command{command.Do("request as much memory as the driver uses, so that the node does not overcommit")}
		return []cause.Cause{c}
	}
	if t.Reason == StatusUnknown {
		c.Class, c.Effect = cause.ClusterKilled, false
		c.Message = fmt.Sprintf("the kubelet of node %s lost the container of the driver (%s; the exit code %d stands for one that it does not "+
			"know), as it does when the node restarts or the pod is removed from it: %s", p.Spec.NodeName, t.Reason, end.Code, sentence(t.Message))
		c.Next = []command.Command{command.Do("see what happened to node %s", p.Spec.NodeName).With("kubectl describe node %s", p.Spec.NodeName)}
		return []cause.Cause{c}
	}
	deleted := p.DeletionTimestamp != nil
	if (end.Code == 143 || end.Code == 137) && (deleted || len(killing) > 0) {
		return []cause.Cause{v.deleted(c, end.Code, deleted)}
	}
	c.Message = fmt.Sprintf("driver exited with exit code %d (%s); the exit code alone does not say why", end.Code, t.Reason)
	if byCode := v.saidByCode(c, end.Code); byCode != nil {
		return []cause.Cause{*byCode}
	}
	if m := strings.TrimSpace(t.Message); m != "" {
		c.Message = fmt.Sprintf("driver exited with exit code %d: %s", end.Code, sentence(m))
	}
	return []cause.Cause{c}
}

// turnedAway is about a driver that never came to a node: its scheduler set it to Failed, as YuniKorn does with pods of an application that
// it rejects (pkg/cache/application.go, handleFailApplicationEvent of apache/yunikorn-k8shim@v1.6.0). Its message may end early there, and
// its event then has all of it.
func (v *View) turnedAway(p *corev1.Pod, end End) []cause.Cause {
	if p.Spec.NodeName != "" || p.Status.Phase != corev1.PodFailed || p.Status.Reason == "" || len(p.Status.ContainerStatuses) > 0 {
		return nil
	}
	c := cause.Cause{Class: cause.Scheduling, Subject: end.Pod, At: end.At, Trust: cause.ByPod, Evidence: []cause.Proof{end.Proof}}
	v.alsoRecorded(&c)
	says := strings.TrimSpace(p.Status.Message)
	for _, e := range v.eventsOn("Pod", p.Name) {
		if e.Type == corev1.EventTypeWarning && e.Source == p.Spec.SchedulerName && strings.Contains(e.Message, says) {
			c.Evidence = append(c.Evidence, cause.Proof{Object: end.Pod, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
			says, c.At = e.Message, e.Last.UTC()
		}
	}
	c.Message = fmt.Sprintf("scheduler %s rejected the driver before any node ran it (%s): %s", p.Spec.SchedulerName, p.Status.Reason,
		sentence(says))
	if queue := v.text("spec", "batchSchedulerOptions", "queue"); queue != "" {
		c.Message += "; the application asks for queue " + queue
		c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: "spec.batchSchedulerOptions.queue", Value: queue})
	}
	c.Next = []command.Command{command.Do("set a queue that the scheduler's placement rules accept for this namespace and user").
		With("kubectl -n %s describe pod %s", p.Namespace, p.Name)}
	return []cause.Cause{c}
}

// deleted is about a driver that got SIGTERM, because its pod was deleted. Whoever evicts, preempts or collects a pod leaves the condition
// DisruptionTarget at it (kubernetes pkg/registry/core/pod/storage/eviction.go@v1.36.3); a plain delete leaves nothing.
func (v *View) deleted(c cause.Cause, code int, seen bool) cause.Cause {
	c.Trust = cause.ByPod
	c.Class, c.Effect = cause.Unknown, true
	c.Message = "the driver pod was deleted while it ran (SIGTERM)"
	if code != 0 {
		c.Message = fmt.Sprintf("the driver pod was deleted while it ran (SIGTERM, exit code %d)", code)
	}
	c.Next = []command.Command{command.Do("ask the audit log of the API server who deleted pod %s", v.DriverName)}
	for _, e := range v.eventsOn("Pod", v.DriverName, "Killing") {
		c.Evidence = append(c.Evidence, cause.Proof{Object: c.Subject, Field: "event Killing", Value: e.Message, At: e.Last})
	}
	changed := v.Application != nil && (v.Application.GetGeneration() > 1 || slices.Contains([]string{"INVALIDATING", "PENDING_RERUN"},
		v.State))
	switch {
	case v.Application != nil && v.Application.GetDeletionTimestamp() != nil:
		c.Class, c.Effect, c.Message = cause.StoppedByUser, false, c.Message+"; the application itself is being deleted"
	case v.State == "SUSPENDING" || v.State == "SUSPENDED": // which changes the generation, too
		c.Class, c.Effect = cause.StoppedByUser, false
		c.Message += ": the operator deleted it to suspend the application"
	case changed && v.State != "FAILED":
		c.Class, c.Effect = cause.StoppedByUser, false
		c.Message += fmt.Sprintf(": the operator restarts the job because its spec was changed (generation %d)", v.Application.GetGeneration())
	case seen:
		c.Class, c.Effect = cause.StoppedByUser, false
		c.Message += "; the pod has no condition DisruptionTarget, so a user or a controller deleted it directly"
	default:
		c.Message += "; the pod's conditions are gone, so a user, a drain and an eviction look alike"
	}
	return c
}

// lingering is a driver that has not ended, on a node that is lost or that the pod is driven from.
func lingering(v *View, p *corev1.Pod) []cause.Cause {
	n := v.node(p.Spec.NodeName)
	if p.Status.Phase != corev1.PodRunning {
		return nil
	}
	if n == nil {
		return v.unreachable(p)
	}
	for i := range n.Status.Conditions {
		r := &n.Status.Conditions[i]
		if r.Type != corev1.NodeReady || r.Status == corev1.ConditionTrue {
			continue
		}
		state := "still runs there by its status"
		if p.DeletionTimestamp != nil {
			state = "is stuck terminating (marked for deletion)"
		}
		c := cause.Cause{Class: cause.ClusterKilled, Subject: podRef(p), At: r.LastTransitionTime.UTC(), Trust: cause.ByCondition,
			Message: fmt.Sprintf("node %s of the %s is not ready since %s (%s); the %s %s", n.Name, v.Main(), ago(v, r.LastTransitionTime.Time),
				sentence(r.Message), v.Main(), state),
			Evidence: []cause.Proof{{Object: nodeRef(n), Field: "status.conditions[Ready]",
				Value: string(r.Status) + " " + r.Reason + ": " + r.Message,
				At:    r.LastTransitionTime.UTC()}},
			Next: []command.Command{command.Do("repair node %s, or delete the Node so that the pod is removed",
				n.Name).With("kubectl describe node %s", n.Name)},
		}
		for _, t := range n.Spec.Taints {
			if strings.HasSuffix(t.Key, "/unreachable") || strings.HasSuffix(t.Key, "/not-ready") {
				c.Evidence = append(c.Evidence, cause.Proof{Object: nodeRef(n), Field: "spec.taints", Value: t.Key + ":" + string(t.Effect)})
			}
		}
		return []cause.Cause{c}
	}
	return v.terminating(p)
}

// terminating is about a driver that was deleted and still runs for its grace period.
func (v *View) terminating(p *corev1.Pod) []cause.Cause {
	if p.DeletionTimestamp == nil {
		return nil
	}
	at := p.DeletionTimestamp.UTC()
	c := cause.Cause{Certainty: check.Likely, Subject: podRef(p), At: at,
		Evidence: []cause.Proof{{Object: podRef(p), Field: "metadata.deletionTimestamp", Value: at.Format(time.TimeOnly), At: at}}}
	return []cause.Cause{v.deleted(c, 0, true)}
}

// unreachable is about a driver whose node was not seen. The node controller alone marks a pod as not ready while its containers are
// (kubernetes pkg/controller/util/node/controller_utils.go, MarkPodsNotReady@v1.36.3).
func (v *View) unreachable(p *corev1.Pod) []cause.Cause {
	ready, s := condition(p, corev1.PodReady), Container(p)
	if ready == nil || ready.Status == corev1.ConditionTrue || ready.Reason != "" || s == nil || !s.Ready {
		return nil
	}
	events := v.eventsOn("Pod", p.Name, "NodeNotReady")
	if len(events) == 0 {
		return nil
	}
	at := ready.LastTransitionTime.UTC()
	return []cause.Cause{{Class: cause.ClusterKilled, Subject: podRef(p), At: at, Trust: cause.ByPod,
		Message: fmt.Sprintf("node %s of the %s is not ready since %s; the %s is lost unless the node comes back", p.Spec.NodeName, v.Main(),
			ago(v, at), v.Main()),
		Evidence: []cause.Proof{{Object: podRef(p), Field: "status.conditions[Ready]", Value: "False, while its container is ready", At: at},
			{Object: podRef(p), Field: "event NodeNotReady", Value: events[len(events)-1].Message, At: events[len(events)-1].Last}},
		Next: []command.Command{command.Do("check node %s", p.Spec.NodeName).With("kubectl describe node %s", p.Spec.NodeName)},
	}}
}
