package node_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node"
)

// start adds a node to a control plane of its own, or skips the test where no node can run.
func start(t *testing.T, opts node.Options) (*controlplane.ControlPlane, *node.Node) {
	t.Helper()
	node.Require(t)
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: "2.5.1", NodeJoins: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	return cp, join(t, cp, opts)
}

func join(t *testing.T, cp *controlplane.ControlPlane, opts node.Options) *node.Node {
	t.Helper()
	opts.Log = t.Output()
	n, err := node.Start(t.Context(), cp, opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, n.Stop()) })
	return n
}

func TestPodComesAndGoes(t *testing.T) {
	cp, _ := start(t, node.Options{})
	ctx := t.Context()
	runPod(t, cp, "some")
	require.NoError(t, cp.Client.CoreV1().Pods("default").Delete(ctx, "some", metav1.DeleteOptions{}))
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	require.NoError(t, cp.WaitForGone(ctx, pods, "default", "some"))
}
