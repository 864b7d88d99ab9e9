package why_test

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// executorEvicted adds the pod of an executor that a job was given up for: the kubelet evicted it, or the kernel killed it for memory.
func executorEvicted(c *corpusCase, lead *cause.Cause) bool {
	f, _ := lead.Detail.(logs.Failure)
	driver := c.driver()
	run, _, _ := unstructured.NestedString(driver, "metadata", "labels", "spark-app-selector")
	at := lead.At.Add(-time.Second).UTC().Format(time.RFC3339)
	status := map[string]any{"phase": "Failed", "containerStatuses": []any{map[string]any{"name": "spark-kubernetes-executor",
		"state": map[string]any{"terminated": map[string]any{"exitCode": int64(137), "reason": "OOMKilled", "startedAt": at, "finishedAt": at}}}}}
	if f.Lost.Reason == logs.OOMKilled {
		status = map[string]any{"phase": "Failed", "reason": "Evicted", "startTime": at,
			"message": "The node was low on resource: ephemeral-storage."}
	}
	if driver == nil || len(lead.Executors) == 0 || lead.At.IsZero() || f.Lost.Reason == logs.Killed {
		return false
	}
	id := lead.Executors[0]
	c.objects = slices.DeleteFunc(c.objects, func(o unstructured.Unstructured) bool {
		return o.GetKind() == "Pod" && o.GetLabels()["spark-exec-id"] == id
	})
	c.objects = append(c.objects, unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "added-exec-" + id, "namespace": c.Namespace, "creationTimestamp": at,
			"labels": map[string]any{"spark-role": "executor", "spark-app-selector": run, "spark-exec-id": id,
				"sparkoperator.k8s.io/app-name": c.Subject().Name}},
		"spec": map[string]any{"containers": []any{map[string]any{"name": "spark-kubernetes-executor"}}}, "status": status}})
	return true
}

// notMutated gives the pod of a case a ConfigMap by the spec, which it lacks.
func notMutated(c *corpusCase, lead *cause.Cause) bool {
	failed, is := lead.Detail.(logs.Failure)
	_, known := failed.Meaning.(logs.Known)
	asks := !known || len(failed.Absent.Paths) > 0 || failed.Absent.Name != ""
	pod := c.find("Pod", lead.Subject.Name)
	role, _, _ := unstructured.NestedString(pod, "metadata", "labels", "spark-role")
	of := slices.Contains([]cause.Class{cause.CodeFailed, cause.Configuration, cause.Network, cause.Credentials}, lead.Class)
	if !is || !asks || !of || pod == nil || role != string(lead.Role) || c.Subject().Kind != "SparkApplication" {
		return false
	}
	return set(c.application(), []any{map[string]any{"name": "defaults", "path": "/etc/defaults"}}, "spec", role, "configMaps")
}
