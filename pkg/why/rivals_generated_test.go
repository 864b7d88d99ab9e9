package why_test

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// set writes a field of an object; false: there is none.
func set(object map[string]any, value any, path ...string) bool {
	return object != nil && unstructured.SetNestedField(object, value, path...) == nil
}

// terminated is how the container of Spark ended, which the caller may change; nil: it did not.
func terminated(pod map[string]any) map[string]any {
	list, _, _ := unstructured.NestedFieldNoCopy(pod, "status", "containerStatuses")
	all, _ := list.([]any)
	for _, one := range all {
		status, _ := one.(map[string]any)
		if name, _ := status["name"].(string); strings.HasPrefix(name, "spark-kubernetes-") {
			found, _, _ := unstructured.NestedFieldNoCopy(status, "state", "terminated")
			out, _ := found.(map[string]any)
			return out
		}
	}
	return nil
}

// conditions are those of an object, which the caller may change.
func conditions(object map[string]any) (out []map[string]any) {
	list, _, _ := unstructured.NestedFieldNoCopy(object, "status", "conditions")
	all, _ := list.([]any)
	for _, one := range all {
		if m, is := one.(map[string]any); is {
			out = append(out, m)
		}
	}
	return out
}

// notWhole takes back that nothing exists beside the objects of a case.
func notWhole(c *corpusCase, _ *cause.Cause) bool {
	was := c.Complete
	c.Complete = false
	return was
}

// executorsRun adds running executors to a case, as many as it asks for.
func executorsRun(c *corpusCase, _ *cause.Cause) bool {
	asked, has, _ := unstructured.NestedInt64(c.application(), "spec", "executor", "instances")
	for i := range asked {
		c.runningPod(c.Subject().Name+"-exec-"+strconv.FormatInt(i, 10), "executor")
	}
	return has
}

// serverRuns adds the pod of a server of Spark Connect, made now.
func serverRuns(c *corpusCase, _ *cause.Cause) bool {
	c.runningPod(c.Subject().Name+"-server", "connect-server")
	return c.Subject().Kind == "SparkConnect" && c.find("Pod", c.Subject().Name+"-server") != nil
}

// runningPod adds a pod of an application, made now, which runs.
func (c *corpusCase) runningPod(name, role string) {
	now := c.AsOf.Add(time.Second).UTC().Format(time.RFC3339)
	labels := map[string]any{"spark-role": role, "sparkoperator.k8s.io/app-name": c.Subject().Name,
		"sparkoperator.k8s.io/launched-by-spark-operator": "true", "sparkoperator.k8s.io/connect-name": c.Subject().Name}
	if id, _, _ := unstructured.NestedString(c.application(), "status", "sparkApplicationId"); id != "" {
		labels["spark-app-selector"] = id
	}
	container := "spark-kubernetes-executor"
	if role != "executor" {
		container = "spark-kubernetes-driver"
	}
	c.objects = append(c.objects, unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": name, "namespace": c.Namespace, "uid": name, "creationTimestamp": now, "labels": labels},
		"spec":     map[string]any{"nodeName": "n1", "containers": []any{map[string]any{"name": container, "image": "spark"}}},
		"status": map[string]any{"phase": "Running", "containerStatuses": []any{map[string]any{
			"name": container, "ready": true, "state": map[string]any{"running": map[string]any{"startedAt": now}}}}},
	}})
}

func endedBefore(c *corpusCase, lead *cause.Cause) bool {
	pod := c.find("Pod", lead.Subject.Name)
	t := terminated(pod)
	for _, one := range conditions(pod) {
		text, _ := one["lastTransitionTime"].(string)
		at, err := time.Parse(time.RFC3339, text)
		reason, _, _ := unstructured.NestedString(pod, "status", "reason")
		if one["type"] == "DisruptionTarget" && err == nil && t != nil && reason == "" {
			t["finishedAt"] = at.Add(-time.Minute).Format(time.RFC3339)
			return true
		}
	}
	return false
}

func evicted(c *corpusCase, lead *cause.Cause) bool {
	pod := c.find("Pod", lead.Subject.Name)
	c.event("Pod", lead.Subject.Name, "Evicted", lead.At)
	return set(pod, "Failed", "status", "phase") && set(pod, "The node was low on resource: ephemeral-storage.", "status", "message") &&
		set(pod, "Evicted", "status", "reason")
}

func earlierPod(c *corpusCase, _ *cause.Cause) bool {
	app := c.application()
	unstructured.RemoveNestedField(app, "status", "lastSubmissionAttemptTime")
	return set(app, int64(2), "status", "executionAttempts")
}

func earlierRun(c *corpusCase, _ *cause.Cause) bool {
	pod := c.driver()
	text, has, _ := unstructured.NestedString(c.application(), "status", "lastSubmissionAttemptTime")
	at, err := time.Parse(time.RFC3339, text)
	if pod == nil || !has || err != nil {
		return false
	}
	unstructured.RemoveNestedField(pod, "metadata", "labels", "sparkoperator.k8s.io/submission-id")
	return set(pod, at.Add(-time.Hour).Format(time.RFC3339), "metadata", "creationTimestamp")
}

func podDeleted(c *corpusCase, lead *cause.Cause) bool {
	at, pod := c.AsOf.UTC().Format(time.RFC3339), c.find("Pod", lead.Subject.Name)
	if lead.Subject.Kind != "Pod" {
		pod = c.driver()
	}
	for _, name := range c.pending() { // others that wait for the same would take its place
		set(c.find("Pod", name), at, "metadata", "deletionTimestamp")
	}
	return set(pod, at, "metadata", "deletionTimestamp")
}

func unhealthyBefore(c *corpusCase, _ *cause.Cause) bool {
	moved := false
	for i := range c.objects {
		o := c.objects[i].Object
		text, _ := o["lastTimestamp"].(string)
		message, _ := o["message"].(string)
		switch at, err := time.Parse(time.RFC3339, text); {
		case o["reason"] == "Unhealthy" && err == nil:
			o["lastTimestamp"], moved = at.Add(-10*time.Minute).Format(time.RFC3339), true
		case o["reason"] == "Killing":
			o["message"], _, _ = strings.Cut(message, " failed liveness probe")
		}
	}
	return moved
}

func admitted(c *corpusCase, lead *cause.Cause) bool {
	object := c.find(lead.Subject.Kind, lead.Subject.Name)
	list, _, _ := unstructured.NestedSlice(object, "status", "conditions")
	kind := map[string]string{"Workload": "Admitted", "PodGroup": "Scheduled"}[lead.Subject.Kind]
	return kind != "" && set(object, append(list, map[string]any{"type": kind, "status": "True", "reason": kind, "message": kind}),
		"status", "conditions")
}

func nodeLost(c *corpusCase, _ *cause.Cause) bool {
	pod := c.driver()
	name, _, _ := unstructured.NestedString(pod, "spec", "nodeName")
	for _, one := range conditions(c.find("Node", name)) {
		if one["type"] == "Ready" {
			one["status"], one["reason"], one["message"] = "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status."
			return true
		}
	}
	list, _, _ := unstructured.NestedSlice(pod, "status", "containerStatuses")
	for _, one := range list {
		status, _ := one.(map[string]any)
		status["ready"] = true
	}
	ready := []any{map[string]any{"type": "Ready", "status": "False"}}
	return len(list) > 0 && set(pod, list, "status", "containerStatuses") && set(pod, ready, "status", "conditions")
}

func failureSwallowed(c *corpusCase, _ *cause.Cause) bool {
	name, _, _ := unstructured.NestedString(c.driver(), "metadata", "name")
	return c.lastLine(name, "INFO SparkContext: Starting job: save at Load.scala:9",
		`Exception in thread "main" java.lang.IllegalStateException: given up`, "\tat net.example.Load$.main(Load.scala:9)")
}

func queueLabel(c *corpusCase, lead *cause.Cause) bool {
	return lead.Subject.Kind == "SparkApplication" && set(c.application(), "team-a", "metadata", "labels", "kueue.x-k8s.io/queue-name")
}

func noVolumes(c *corpusCase, _ *cause.Cause) bool {
	_, has, _ := unstructured.NestedSlice(c.application(), "spec", "volumes")
	unstructured.RemoveNestedField(c.application(), "spec", "volumes")
	return has
}

func specWritten(c *corpusCase, _ *cause.Cause) bool {
	return set(c.application(), []any{map[string]any{"manager": "kubectl-edit", "operation": "Update", "apiVersion": "v1",
		"time": c.AsOf.UTC().Format(time.RFC3339)}}, "metadata", "managedFields")
}

func otherArrived(c *corpusCase, lead *cause.Cause) bool {
	other := map[string]any{"name": "ADDED_BY_A_TEST", "value": "1"}
	pod := c.find("Pod", lead.Subject.Name)
	list, has, _ := unstructured.NestedSlice(pod, "spec", "containers")
	if !has {
		return false
	}
	for _, one := range list {
		container, _ := one.(map[string]any)
		env, _ := container["env"].([]any)
		container["env"] = append(env, other)
	}
	given, _, _ := unstructured.NestedSlice(c.application(), "spec", string(lead.Role), "env")
	return set(pod, list, "spec", "containers") && set(c.application(), append(given, other), "spec", string(lead.Role), "env")
}

func submitted(c *corpusCase, _ *cause.Cause) bool {
	return set(c.application(), "SUBMITTED", "status", "applicationState", "state")
}

// takenAway ends the driver from outside. A submission that failed has none: what stands beside it is the driver of another application.
func takenAway(c *corpusCase, lead *cause.Cause) bool {
	if lead.Role == cause.SubmissionRole {
		return false
	}
	pod := c.driver()
	if t := terminated(pod); t != nil {
		t["exitCode"] = int64(143)
		return true
	}
	return set(pod, c.AsOf.UTC().Format(time.RFC3339), "metadata", "deletionTimestamp")
}

func jobAfter(c *corpusCase, lead *cause.Cause) bool {
	name, _, _ := unstructured.NestedString(c.driver(), "metadata", "name")
	const line = "INFO DAGScheduler: Job 99 finished: save at Load.scala:9, took 1.0 s"
	return name == lead.Subject.Name && !lead.At.IsZero() && c.lastLine(name, line)
}

// noIdentity puts before what fails that the service which gives identities was not reached.
func noIdentity(c *corpusCase, lead *cause.Cause) bool {
	f, is := lead.Detail.(logs.Failure)
	if !is || lead.Class != cause.Credentials || f.Strength != logs.Certain || len(lead.Evidence) == 0 {
		return false
	}
	for file, text := range c.Logs {
		lines := strings.Split(text, "\n")
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, lead.Evidence[0].Value) })
		stamped := at >= 0 && sparkLine.MatchString(lines[at])
		if !strings.Contains(file, "_"+lead.Subject.Name+"_") || !stamped {
			continue
		}
		m := sparkLine.FindStringSubmatch(lines[at])
		c.Logs[file] = strings.Join(slices.Insert(lines, at,
			m[1]+"/"+m[2]+"/"+m[3]+" "+m[4]+" WARN ComputeEngineCredentials: Failed to detect",
			"java.net.UnknownHostException: metadata.google.internal", "\tat java.base/java.net.Socket.connect(Socket.java:633)"), "\n")
		return true
	}
	return false
}
