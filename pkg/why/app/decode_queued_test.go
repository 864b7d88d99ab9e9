package app

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestDecodeQueued(t *testing.T) {
	workload := decodeQueued(objectOf(t, `{apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, metadata: {name: w},
spec: {queueName: q, queue: 3},
status: {conditions: [1, {type: QuotaReserved, status: "False", reason: Pending, message: no room}]}}`))
	require.Equal(t, Queued{Ref: snapshot.Ref{APIVersion: "kueue.x-k8s.io/v1beta1", Kind: "Workload", Name: "w"}, Queue: "q",
		Asks:       []Field{{"spec.queue", "3"}},
		Conditions: []Condition{{Type: "QuotaReserved", Status: "False", Reason: "Pending", Message: "no room"}}}, workload)
	group := decodeQueued(objectOf(t, `{kind: PodGroup, metadata: {name: g},
spec: {queue: root, minMember: 2, minResources: {memory: 4Gi, cpu: "2"}}}`))
	require.Equal(t, Queued{Ref: snapshot.Ref{Kind: "PodGroup", Name: "g"}, Queue: "root", Wants: "cpu=2, memory=4Gi",
		Least: corev1.ResourceList{"cpu": resource.MustParse("2"), "memory": resource.MustParse("4Gi")},
		Asks:  []Field{{"spec.minMember", "2"}, {"spec.minResources", "cpu=2, memory=4Gi"}, {"spec.queue", "root"}}}, group)
	queue := decodeQueue(objectOf(t, `{kind: Queue, metadata: {name: q},
spec: {capability: {cpu: 64, memory: much}}, status: {allocated: {cpu: "48"}}}`))
	require.Equal(t, "64", queue.Capability.Cpu().String())
	require.NotContains(t, queue.Capability, corev1.ResourceMemory)
	require.Equal(t, "48", queue.Allocated.Cpu().String())
}

// TestDecodeClusterQueue: the condition of a ClusterQueue tells which ResourceFlavors are missing, in the forms of several releases.
func TestDecodeClusterQueue(t *testing.T) {
	decode := func(status, message string) ClusterQueue {
		return decodeClusterQueue(objectOf(t, `{kind: ClusterQueue, metadata: {name: q}, status: {conditions: [1, {type: Active, status: "`+
			status+`", reason: FlavorNotFound, message: "`+message+`"}]}}`))
	}
	const missing = "Can't admit new workloads: references missing ResourceFlavor(s): "
	for message, names := range map[string][]string{
		missing + "a.b.": {"a.b"},
		missing + "a,b, references missing AdmissionCheck(s): c.":             {"a", "b"},
		missing + "[a b], references missing AdmissionCheck(s): c.":           {"a", "b"},
		"Can't admit new workloads: is stopped.":                              nil,
		"Can't admit new workloads: references missing AdmissionCheck(s): c.": nil,
	} {
		q := decode("False", message)
		require.Equal(t, names, q.Missing, message)
		require.Equal(t, "FlavorNotFound", q.Inactive.Reason)
	}
	require.Equal(t, ClusterQueue{Ref: snapshot.Ref{Kind: "ClusterQueue", Name: "q"}}, decode("True", missing+"a."))
}
