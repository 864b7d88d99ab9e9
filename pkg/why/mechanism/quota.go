package mechanism

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// executorRequests is what one executor asks for in the words of a quota.
func (v *View) executorRequests() corev1.ResourceList {
	out := corev1.ResourceList{}
	if m := v.memory("executor"); m.MiB > 0 {
		q := *resource.NewQuantity(m.MiB<<20, resource.BinarySI)
		out["requests.memory"], out["limits.memory"], out["memory"] = q, q, q
	}
	if n := v.number("spec", "executor", "cores"); n > 0 {
		q := *resource.NewQuantity(int64(n), resource.DecimalSI)
		out["requests.cpu"], out["cpu"] = q, q
	}
	if q, err := resource.ParseQuantity(v.setting("executor", "coreRequest", "spark.kubernetes.executor.request.cores")); err == nil {
		out["requests.cpu"], out["cpu"] = q, q
	}
	if q, err := resource.ParseQuantity(v.setting("executor", "coreLimit", "spark.kubernetes.executor.limit.cores")); err == nil {
		out["limits.cpu"] = q
	}
	out["pods"], out["count/pods"] = resource.MustParse("1"), resource.MustParse("1")
	return out
}

func sortedNames(list corev1.ResourceList) []corev1.ResourceName {
	out := make([]corev1.ResourceName, 0, len(list))
	for name := range list {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// queued is about an application that Kueue, Volcano or a like scheduler holds back.
func queued(v *View) []cause.Cause {
	var out []cause.Cause
	for i := range v.Queued {
		o := &v.Queued[i]
		ref := snapshot.Ref{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Namespace: o.GetNamespace(), Name: o.GetName(),
			UID: string(o.GetUID())}
		queue, _, _ := unstructured.NestedString(o.Object, "spec", "queueName")
		if queue == "" {
			queue, _, _ = unstructured.NestedString(o.Object, "spec", "queue")
		}
		list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, one := range list {
			m, _ := one.(map[string]any)
			kind, _, _ := unstructured.NestedString(m, "type")
			status, _, _ := unstructured.NestedString(m, "status")
			reason, _, _ := unstructured.NestedString(m, "reason")
			message, _, _ := unstructured.NestedString(m, "message")
			if !holds(kind, status) || v.driverRuns() {
				continue
			}
			c := cause.Cause{Class: cause.Quota, Trust: cause.ByCondition, Subject: ref,
				Evidence: []cause.Proof{{Object: ref, Field: "status.conditions[" + kind + "]", Value: reason + ": " + message},
					{Object: v.AppRef(), Field: "spec.suspend", Value: fmt.Sprint(v.suspended())}},
				Next: []command.Command{command.Do("wait, raise the quota of queue %s, or ask for fewer executors", queue).On("describe", ref)},
			}
			switch {
			case kind == "Evicted":
				c.Class = cause.ClusterKilled
				c.Message = fmt.Sprintf("Kueue evicted the application from queue %s (%s): %s", queue, reason, sentence(message))
			case o.GetKind() == "PodGroup":
				c.Message = fmt.Sprintf("the batch scheduler holds the application in queue %s back (%s): %s", queue, reason, sentence(message))
				if !strings.Contains(strings.ToLower(message), "quota") && !strings.Contains(strings.ToLower(message), "queue") {
					c.Class = cause.Scheduling
				}
			default:
				c.Message = fmt.Sprintf("Kueue holds the application suspended in queue %s until its quota has room: %s", queue, sentence(message))
				if why, evidence, evicted := evictedBefore(list, ref); evicted {
					c.Message = fmt.Sprintf("Kueue preempted the application (%s) and holds it suspended in queue %s until its quota has room: %s", why,
						queue, sentence(message))
					c.Evidence = append(c.Evidence, evidence)
				}
				switch {
				case strings.HasSuffix(message, " is stopped"): // Kueue pkg/controller/core/workload_controller.go@v0.14.4
					c.Message = fmt.Sprintf("Kueue holds the application suspended in queue %s: %s (stopPolicy)", queue, sentence(message))
					c.Next = []command.Command{command.Do("ask the owner of the ClusterQueue why it is stopped, or set its spec.stopPolicy to None")}
				case strings.Contains(message, "doesn't exist"), strings.Contains(message, "inactive"), strings.Contains(reason, "Inadmissible"):
					c.Class, c.Message = cause.Configuration, fmt.Sprintf("Kueue cannot admit the application to queue %s: %s", queue, sentence(message))
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// evictedBefore is why a Workload that waits had run and was stopped.
func evictedBefore(conditions []any, ref snapshot.Ref) (why string, proof cause.Proof, is bool) {
	for _, one := range conditions {
		m, _ := one.(map[string]any)
		kind, _, _ := unstructured.NestedString(m, "type")
		status, _, _ := unstructured.NestedString(m, "status")
		reason, _, _ := unstructured.NestedString(m, "reason")
		message, _, _ := unstructured.NestedString(m, "message")
		if kind == "Evicted" && status == "True" && reason == "Preempted" {
			return sentence(message), cause.Proof{Object: ref, Field: "status.conditions[Evicted]", Value: reason + ": " + message}, true
		}
	}
	return "", cause.Proof{}, false
}

// heldByQueue reports whether a queue, and not a user, suspends the application.
func (v *View) heldByQueue() bool {
	return slices.ContainsFunc(queued(v), func(c cause.Cause) bool { return c.Class.Fault() })
}

// holds tells a condition that keeps an application from starting (Kueue apis/kueue/v1beta1/workload_types.go@v0.14.0, Volcano
// pkg/apis/scheduling/v1beta1/types.go@v1.12.0).
func holds(kind, status string) bool {
	switch kind {
	case "QuotaReserved":
		return status == "False"
	case "Evicted", "Unschedulable":
		return status == "True"
	default:
		return false
	}
}

func (v *View) suspended() bool {
	if v.Application == nil {
		return false
	}
	on, _, _ := unstructured.NestedBool(v.Application.Object, "spec", "suspend")
	return on
}

// counts is what a pod asks for in the words of a quota, whether a quota of that name counts pods at all, and whether the pod sets it.
func counts(name corev1.ResourceName, requests, limits corev1.ResourceList) (want resource.Quantity, counted, sets bool) {
	switch name {
	case "pods", "count/pods":
		return resource.MustParse("1"), true, true
	case "cpu", "requests.cpu":
		want, sets = requests[corev1.ResourceCPU]
	case "memory", "requests.memory":
		want, sets = requests[corev1.ResourceMemory]
	case "limits.cpu":
		want, sets = limits[corev1.ResourceCPU]
	case "limits.memory":
		want, sets = limits[corev1.ResourceMemory]
	default:
		return want, false, false
	}
	return want, true, sets
}

// defaulted reports whether a LimitRange sets what a quota counts for containers that do not.
func (v *View) defaulted(name corev1.ResourceName) bool {
	text := strings.TrimPrefix(string(name), "requests.")
	of, limit := strings.CutPrefix(text, "limits.")
	for i := range v.LimitRanges {
		for _, item := range v.LimitRanges[i].Spec.Limits {
			_, request := item.DefaultRequest[corev1.ResourceName(of)]
			_, most := item.Default[corev1.ResourceName(of)]
			if item.Type == corev1.LimitTypeContainer && (most || request && !limit) {
				return true
			}
		}
	}
	return false
}

// resourceField is where a container sets what a quota counts.
func resourceField(name corev1.ResourceName) string {
	if strings.HasPrefix(string(name), "limits.") {
		return "resources." + string(name)
	}
	return "resources.requests." + strings.TrimPrefix(string(name), "requests.")
}
