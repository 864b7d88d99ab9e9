package collect

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestNodesOfDriversThatDoNotRun: a node is got, once, if a driver on it is not ready. Nobody needs the right to read nodes
// for drivers that run.
func TestNodesOfDriversThatDoNotRun(t *testing.T) {
	on := func(name, node string, ready corev1.ConditionStatus) *corev1.Pod {
		p := pod(name, "team-a")
		p.Spec.NodeName = node
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready},
			{Type: corev1.ContainersReady, Status: corev1.ConditionTrue}}
		return p
	}
	node := &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}, ObjectMeta: objectMeta("lost", "")}
	at := time.Date(2026, 11, 20, 3, 16, 0, 0, time.UTC)
	node.Status.Conditions = []corev1.NodeCondition{
		{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionUnknown},
		{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Reason: "NodeStatusUnknown", Message: "Kubelet stopped posting node status.",
			LastTransitionTime: metav1.NewTime(at)},
	}
	server := newServer(t, node, on("a", "fine", corev1.ConditionTrue), on("b", "lost", corev1.ConditionFalse),
		on("c", "lost", corev1.ConditionFalse), on("d", "gone", corev1.ConditionFalse))
	needs := need(snapshot.SparkPods, snapshot.Nodes)
	got := scan(t, server, ClusterOptions{Needs: needs})
	require.Equal(t, []int{0, 1, 1, 0}, []int{server.asked("/api/v1/nodes/fine"), server.asked("/api/v1/nodes/lost"),
		server.asked("/api/v1/nodes/gone"), server.asked("/api/v1/nodes")})
	require.Equal(t, snapshot.Complete, got.Coverage(snapshot.Nodes).State)
	require.Len(t, got.Nodes(), 1)
	n := got.Nodes()[0]
	require.Equal(t, []any{"lost", "Unknown", at, "NodeStatusUnknown", "Kubelet stopped posting node status."},
		[]any{n.Name, n.Ready, n.ReadySince, n.Reason, n.Message})

	server.fault = forbid("/api/v1/nodes/lost", "/api/v1/nodes/gone")
	require.Equal(t, snapshot.Unseeable, scan(t, server, ClusterOptions{Needs: needs}).Coverage(snapshot.Nodes).State)

	fine := newServer(t, on("a", "fine", corev1.ConditionTrue))
	fine.fault = forbid("/api/v1/nodes", "/api/v1/nodes/fine")
	require.Equal(t, snapshot.Complete, scan(t, fine, ClusterOptions{Needs: needs}).Coverage(snapshot.Nodes).State, "no node was to be read")
}
