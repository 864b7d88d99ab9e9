package why_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// bystanders are objects of a busy namespace that have nothing to do with an application: others fail beside it, and its own pods had
// trouble that passed.
func bystanders(c corpusCase) []unstructured.Unstructured {
	at := c.AsOf.Add(-50 * time.Minute).Format(time.RFC3339)
	var started []string
	for _, o := range c.objects {
		phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
		if o.GetKind() == "Pod" && phase != "Pending" && o.GetNamespace() == c.Namespace {
			started = append(started, o.GetName())
		}
	}
	event := func(kind, name, reason, message, source string) unstructured.Unstructured {
		api := map[string]string{"Pod": "v1", "Node": "v1", "SparkApplication": "sparkoperator.k8s.io/v1beta2"}[kind]
		return unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Event", "type": "Warning", "reason": reason, "message": message, "count": int64(1),
			"metadata":       map[string]any{"name": name + "." + reason, "namespace": c.Namespace, "creationTimestamp": at},
			"involvedObject": map[string]any{"apiVersion": api, "kind": kind, "name": name, "namespace": c.Namespace},
			"firstTimestamp": at, "lastTimestamp": at, "source": map[string]any{"component": source},
		}}
	}
	pod := func(name, role, reason string, code int64) unstructured.Unstructured {
		return unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{"name": name, "namespace": c.Namespace, "uid": "other-" + name, "creationTimestamp": at,
				"labels": map[string]any{"spark-role": role, "spark-app-selector": "spark-of-another", "sparkoperator.k8s.io/app-name": "another"}},
			"spec": map[string]any{"nodeName": "another-node",
				"containers": []any{map[string]any{"name": "spark-kubernetes-" + role, "image": "x"}}},
			"status": map[string]any{"phase": "Failed", "containerStatuses": []any{map[string]any{"name": "spark-kubernetes-" + role,
				"state": map[string]any{"terminated": map[string]any{"reason": reason, "exitCode": code, "startedAt": at, "finishedAt": at}}}}},
		}}
	}
	out := []unstructured.Unstructured{
		pod("another-driver", "driver", "OOMKilled", 137), pod("another-4f2-exec-1", "executor", "OOMKilled", 137),
		pod("another-4f2-exec-2", "executor", "Error", 52),
		event("SparkApplication", "another", "SparkExecutorFailed", "Executor another-4f2-exec-1 failed with ExitCode: 137, Reason: OOMKilled, "+
			"Pod Message: ", "spark-application-controller"),
		event("Pod", "another-driver", "Evicted", "The node was low on resource: memory.", "kubelet"),
		event("Pod", "web-7f-abc", "Preempted", "Preempted by a pod on node n1", "default-scheduler"),
		event("Node", "another-node", "SystemOOM", "System OOM encountered, victim process: java, pid: 7", "kubelet"),
		event("Node", "another-node", "NodeNotReady", "Node another-node status is now: NodeNotReady", "node-controller"),
		{Object: map[string]any{"apiVersion": "v1", "kind": "ResourceQuota",
			"metadata": map[string]any{"name": "roomy", "namespace": c.Namespace},
			"spec":     map[string]any{"hard": map[string]any{"requests.memory": "100Ti", "pods": "9000"}},
			"status": map[string]any{"hard": map[string]any{"requests.memory": "100Ti", "pods": "9000"},
				"used": map[string]any{"requests.memory": "1Ti", "pods": "12"}}}},
		{Object: map[string]any{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": map[string]any{"name": "of-another",
			"namespace": c.Namespace, "creationTimestamp": at}, "spec": map[string]any{"storageClassName": "slow"},
			"status": map[string]any{"phase": "Pending"}}},
	}
	for _, name := range started {
		out = append(out,
			event("Pod", name, "FailedScheduling", "0/9 nodes are available: 9 Insufficient cpu.", "default-scheduler"),
			event("Pod", name, "FailedMount", `MountVolume.SetUp failed for volume "spark-conf-volume-driver" : configmap "spark-drv-1-conf-map" not `+
				"found", "kubelet"),
			event("Pod", name, "Failed", "Failed to pull image: dial tcp: i/o timeout", "kubelet"))
	}
	return out
}

// TestBystandersAreNotTheCause: what befalls others in the namespace, and what passed at the application's own pods, changes nothing.
func TestBystandersAreNotTheCause(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, of := range sampling.NightlyOf(shown(t)) {
		c := decoded(t, of)
		whole := c.whole()
		all := bystanders(c)
		for i := range len(all) + 1 {
			with := slices.Concat(c.objects, all)
			what := "all of them"
			if i < len(all) {
				with, what = slices.Concat(c.objects, all[i:i+1]), all[i].GetKind()+" "+all[i].GetName()
			}
			tried++
			f := why.Open(c.Evidence(with))
			if v := f.Verdict(); v.Class != whole.Verdict().Class || c.Claims(v) != "" {
				t.Errorf("%s with %s: %s instead of %s (%s): %s", c.ID, what, v.Class, whole.Verdict().Class, v.Certainty, v.Message)
			}
		}
	}
	if sampling.Nightly() {
		require.Greater(t, tried, 1500)
	}
}
