package mechanism

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// unscheduled is why the scheduler finds no node for a pod.
func unscheduled(v *View, p *corev1.Pod, who string, s *corev1.PodCondition, c cause.Cause) cause.Cause {
	for _, e := range v.eventsOn("Pod", p.Name, "FailedScheduling", "Unschedulable", "NotTriggerScaleUp", "Queued", "TaskGroupAccepted",
		"Rejected") {
		c.Evidence = append(c.Evidence, cause.Proof{Object: c.Subject, Field: "event " + e.Reason, Value: e.Message, At: e.Last,
			Beside: strings.TrimSpace(e.Message) == strings.TrimSpace(s.Message)})
	}
	since := v.Age(p.CreationTimestamp.Time)
	message, _, _ := strings.Cut(s.Message, " preemption:")
	message, _, _ = strings.Cut(message, " no new claims to deallocate")
	c.Class = cause.Scheduling
	switch {
	case s.Reason == "SchedulingGated":
		c.Class, c.Certainty = cause.Quota, check.Likely
		c.Message = fmt.Sprintf("%s is held back by scheduling gates for %s: %s", who, since, gates(p))
		c.Next = []command.Command{command.Do("ask the controller that sets the gate, which admits the pod when its queue has room")}
	case waitsForVolume(v, p, who, s.Message, &c):
	case nodeComes(v, p, who, since, &c):
	default:
		c.Message = fmt.Sprintf("%s is pending for %s: no node can take it: %s", who, since, sentence(message))
		if fit := v.arithmetic(p); fit.text != "" {
			c.Message = fmt.Sprintf("%s is pending for %s: %s; the scheduler says: %s", who, since, fit.text, sentence(message))
			c.Evidence = append(c.Evidence, fit.proofs...)
		}
		c.Evidence = append(c.Evidence, schedulingEvidence(p)...)
		c.Next = []command.Command{schedulingNext(who, s.Message)}
		if fails := v.scaleUpFails(p); fails != nil {
			c.Message += "; the autoscaler could not add a node: " + sentence(fails.Message)
			c.Next = []command.Command{command.Do("get such machines from the cloud (zone, quota, machine type), or let the pod use others: its " +
				"selector, affinity and size")}
			if fails.Reason == "FailedScaleUp" {
				c.Evidence = append(c.Evidence, cause.Proof{Object: c.Subject, Field: "event " + fails.Reason, Value: fails.Message, At: fails.Last})
			}
		}
		v.gang(s.Message, &c)
		if queue := queueSays(v, p); queue != "" {
			c.Class, c.Message = cause.Quota, fmt.Sprintf("%s is pending for %s: %s", who, since, queue)
		}
	}
	return c
}

// gang adds what a batch scheduler wants to have free at once for all pods of a group.
func (v *View) gang(message string, c *cause.Cause) {
	if !strings.Contains(message, "gang") && !strings.Contains(strings.ToLower(message), "pod group") {
		return
	}
	for i := range v.Queued {
		o := &v.Queued[i]
		if o.GetKind() != "PodGroup" {
			continue
		}
		ref := snapshot.Ref{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Namespace: o.GetNamespace(), Name: o.GetName(),
			UID: string(o.GetUID())}
		for _, field := range []string{"minMember", "minResources", "queue"} {
			if value, found, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", field); found {
				c.Evidence = append(c.Evidence, cause.Proof{Object: ref, Field: "spec." + field, Value: fieldText(value)})
			}
		}
		wants := ""
		if value, found, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "minResources"); found {
			wants = " (" + fieldText(value) + ")"
		}
		c.Message += fmt.Sprintf("; PodGroup %s wants room for all of it at once%s", o.GetName(), wants)
		for _, e := range v.eventsOn("PodGroup", o.GetName()) {
			c.Evidence = append(c.Evidence, cause.Proof{Object: ref, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
		c.Next = []command.Command{command.Do("free room for the whole group, or lower executor.instances, executor.cores or executor.memory").
			On("describe", ref)}
		return
	}
}

func gates(p *corev1.Pod) string {
	names := make([]string, 0, len(p.Spec.SchedulingGates))
	for _, g := range p.Spec.SchedulingGates {
		names = append(names, g.Name)
	}
	return strings.Join(names, ", ")
}

// queueSays is what YuniKorn or Volcano say of a queue that is full (apache/yunikorn-core pkg/scheduler/objects/events.go@v1.6.0,
// volcano pkg/scheduler/plugins/capacity/capacity.go@v1.12.0).
func queueSays(v *View, p *corev1.Pod) string {
	var texts []string
	for _, e := range v.Events {
		if e.Involved.Kind == "Pod" && e.Involved.Name == p.Name || e.Involved.Kind == "PodGroup" {
			texts = append(texts, e.Message)
		}
	}
	if s := condition(p, corev1.PodScheduled); s != nil {
		texts = append(texts, s.Message)
	}
	said := ""
	for _, text := range texts {
		lower := strings.ToLower(text)
		switch {
		case strings.Contains(lower, "does not fit in queue"), strings.Contains(lower, "queue resource quota insufficient"):
			return sentence(text) // names the queue and its numbers
		case said == "" && (strings.Contains(lower, "queue quota") || strings.Contains(lower, "exceed") && strings.Contains(lower, "queue")):
			said = sentence(text)
		}
	}
	if queue := p.Labels["queue"]; said != "" && queue != "" && !strings.Contains(said, queue) {
		said += " (queue " + queue + ")"
	}
	return said
}

func schedulingNext(who, message string) command.Command {
	role := "driver"
	if strings.Contains(who, "executor") {
		role = "executor"
	}
	switch {
	case strings.Contains(message, "free ports"):
		return command.Do("remove hostPort or hostNetwork from the %s: a node has each port once", role)
	case strings.Contains(message, "Insufficient ephemeral-storage"):
		return command.Do("request less ephemeral-storage for the %s, put spark.local.dir on a volume, or add nodes with more local disk", role)
	case strings.Contains(message, "Insufficient"):
		return command.Do("request less for the %s (%s.cores or %s.coreRequest, %s.memory, %s.memoryOverhead), free room, or add nodes", role,
			role, role, role, role)
	case strings.Contains(message, "were unschedulable"):
		return command.Do("uncordon the nodes that fit the %s once their maintenance is over, or add nodes", role).With("kubectl get nodes")
	case strings.Contains(message, "affinity"), strings.Contains(message, "selector"):
		return command.Do("correct %s.nodeSelector or %s.affinity, or label a node as it asks; nodes with a taint need %s.tolerations", role,
			role, role)
	case strings.Contains(message, "taint"):
		return command.Do("add the toleration that the nodes ask for to %s.tolerations, or add nodes without that taint", role)
	default:
		return command.Do("change what the scheduler names in the spec of the %s", role)
	}
}

// claimName matches a claim that the scheduler names.
func claimName() *regexp.Regexp { return regexp.MustCompile(`persistentvolumeclaim "([^"]+)"`) }

// waitsForVolume is about a pod that waits for a volume.
func waitsForVolume(v *View, p *corev1.Pod, who, message string, c *cause.Cause) bool {
	lower := strings.ToLower(message)
	if strings.Contains(message, noVolume) && !strings.Contains(message, "Insufficient") && v.noVolume(p, who, c) {
		return true
	}
	if !strings.Contains(lower, "persistentvolumeclaim") && !strings.Contains(lower, "volume node affinity conflict") &&
		!strings.Contains(message, volumesNotBound) && !ofEveryNode(message, noVolume) {
		return false
	}
	c.Class = cause.Storage
	c.Message = fmt.Sprintf("%s cannot be scheduled for want of a volume: %s", who, sentence(message))
	if m := claimName().FindStringSubmatch(message); m != nil && strings.Contains(message, "not found") {
		c.Class = cause.Configuration
		c.Message = fmt.Sprintf("%s cannot be scheduled: PersistentVolumeClaim %q does not exist in namespace %s (not found)", who, m[1],
			p.Namespace)
		c.Next = []command.Command{command.Do("create PersistentVolumeClaim %s, or correct its name in the spec", m[1]).
			With("kubectl -n %s get persistentvolumeclaim", p.Namespace)}
		return true
	}
	var names []string
	for _, volume := range p.Spec.Volumes {
		if volume.PersistentVolumeClaim == nil {
			continue
		}
		if v.unbound(volume.PersistentVolumeClaim.ClaimName, who, c) {
			return true
		}
		names = append(names, volume.PersistentVolumeClaim.ClaimName)
	}
	if len(names) > 0 {
		c.Message += "; its claims: " + strings.Join(names, ", ")
	}
	c.Next = []command.Command{command.Do("see why the claims of the pod are not bound").With("kubectl -n %s describe "+
		"persistentvolumeclaim", p.Namespace)}
	return true
}

// volumesNotBound is what the scheduler says when it chose a node, and a claim of the pod was not bound in time
// (kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go@v1.36.3: BindPodVolumes, bindTimeoutSeconds).
const volumesNotBound = "binding volumes: "

// noVolume names the claim. Its events say that it waits for the pod, which is no answer to why the pod waits.
func (v *View) noVolume(p *corev1.Pod, who string, c *cause.Cause) bool {
	for i := range v.Claims {
		claim := &v.Claims[i]
		if !mounts(p, claim.Name) || claim.Status.Phase == corev1.ClaimBound {
			continue
		}
		ref, class := claimRef(claim.Namespace, claim.Name), ""
		if claim.Spec.StorageClassName != nil {
			class = *claim.Spec.StorageClassName
		}
		size := claim.Spec.Resources.Requests.Storage().String()
		c.Class = cause.Storage
		c.Message = fmt.Sprintf("%s cannot be scheduled: no node has a free volume, or can get one, for PersistentVolumeClaim %s, which asks "+
			"for %s of storage class %q", who, claim.Name, size, class)
		c.Evidence = append(c.Evidence, cause.Proof{Object: ref, Field: "status.phase", Value: string(claim.Status.Phase)},
			cause.Proof{Object: ref, Field: "spec.storageClassName", Value: class})
		c.Next = []command.Command{command.Do("add a PersistentVolume of class %s, or name a class that provisions volumes", class).
			On("describe", ref)}
		return true
	}
	return false
}

// unbound is why a claim is pending.
func (v *View) unbound(name, who string, c *cause.Cause) bool {
	for i := range v.Claims {
		claim := &v.Claims[i]
		if claim.Name != name || claim.Status.Phase == corev1.ClaimBound {
			continue
		}
		ref, class := claimRef(claim.Namespace, name), ""
		if claim.Spec.StorageClassName != nil {
			class = *claim.Spec.StorageClassName
		}
		why, failed := fmt.Sprintf("it asks for storage class %q", class), false
		for _, e := range v.eventsOn("PersistentVolumeClaim", name, "ProvisioningFailed", "FailedBinding", "WaitForFirstConsumer",
			"ExternalProvisioning") {
			if fails := strings.HasSuffix(e.Reason, "Failed") || strings.HasPrefix(e.Reason, "Failed"); fails || !failed {
				why, failed = sentence(e.Message), fails // ExternalProvisioning and the like only say that it is tried
			}
			c.Evidence = append(c.Evidence, cause.Proof{Object: ref, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
		c.Message = fmt.Sprintf("%s cannot be scheduled: PersistentVolumeClaim %s is %s (unbound) for %s: %s", who, name, claim.Status.Phase,
			v.Age(claim.CreationTimestamp.Time), why)
		c.Evidence = append(c.Evidence, cause.Proof{Object: ref, Field: "status.phase", Value: string(claim.Status.Phase)},
			cause.Proof{Object: ref, Field: "spec.storageClassName", Value: class})
		c.Next = []command.Command{command.Do("bind the claim: create the storage class that it names, or name one that "+
			"exists").On("describe", ref)}
		if failed && !strings.Contains(why, "not found") {
			c.Next = []command.Command{command.Do("resolve the error that the provisioner reports for claim %s", name).On("describe", ref)}
		}
		return true
	}
	return false
}

// nodeComes is about a pod for which an autoscaler is adding a node (cluster-autoscaler core/utils, karpenter pkg/events).
func nodeComes(v *View, p *corev1.Pod, who, since string, c *cause.Cause) bool {
	fails := v.scaleUpFails(p)
	for _, e := range v.eventsOn("Pod", p.Name, "TriggeredScaleUp", "Nominated") {
		if v.Now.Sub(e.Last) > scaleUp || fails != nil && !fails.Last.Before(e.Last) {
			continue
		}
		c.Class, c.Certainty = cause.SlowButProgressing, check.Likely
		c.Message = fmt.Sprintf("%s is pending for %s while the autoscaler adds a node: %s", who, since, sentence(e.Message))
		c.Evidence = append(c.Evidence, cause.Proof{Object: c.Subject, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		return true
	}
	return false
}

// scaleUpFails is the last event in which an autoscaler says of a pod that its new node did not come: those of Google's clouds name the
// error of the cloud, cluster-autoscaler only that it waits after one (core/scaleup/orchestrator/skippedreasons.go of
// kubernetes/autoscaler@cluster-autoscaler-1.31.0).
func (v *View) scaleUpFails(p *corev1.Pod) *app.Event {
	events := v.eventsOn("Pod", p.Name, "FailedScaleUp", "NotTriggerScaleUp")
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Reason == "FailedScaleUp" {
			return &events[i]
		}
	}
	for i := len(events) - 1; i >= 0; i-- {
		if strings.Contains(events[i].Message, "in backoff after failed scale-up") {
			return &events[i]
		}
	}
	return nil
}

// scaleUp is how long a new node may take (max-node-provision-time of cluster-autoscaler is 15 minutes).
const scaleUp = 15 * time.Minute
