package situations

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node"
)

// sidecar is a situation in which the operator does not see that the driver has ended.
const sidecar = "sidecar-outlives-lone-driver"

// TestOnARealNode makes situations happen, and applies fixes where pods are real: a restart is a rollout of the Deployment, and what
// the operator is made to look at is a container that a kubelet reports.
func TestOnARealNode(t *testing.T) {
	node.Require(t)
	ctx := t.Context()
	releases := build.OperatorVersions()
	release := releases[len(releases)-1]
	cp, err := controlplane.Start(ctx, controlplane.Options{Log: t.Output(), CRDs: release, NodeJoins: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	archives, err := images.Archives(ctx, cp.Builder(), release)
	require.NoError(t, err)
	n, err := node.Start(ctx, cp, node.Options{Log: t.Output(), Images: archives})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, n.Stop()) })
	op, err := cp.InstallOperator(ctx, controlplane.OperatorOptions{Version: release, JobNamespaces: Namespaces(),
		Values: map[string]any{"webhook": map[string]any{"replicas": 2}}})
	require.NoError(t, err)
	bed := Bed{Cluster: cp, Node: n, Operator: release, Binary: doctor(t), Log: t.Output()}
	r := repairs{bed: bed, op: op, records: t.TempDir()}
	t.Run("webhook replicas with two certificates", r.rollsOut)
	t.Run("a driver whose sidecar runs on", r.makesTheOperatorLook)
	t.Run("changes that why prints", r.patches)
	// The last ones end the node.
	t.Run("situations", func(t *testing.T) { happen(t, bed) })
}

func doctor(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "kubectl-sparkdoctor")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/kubectl-sparkdoctor")
	cmd.Dir = "../../.."
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return binary
}

type repairs struct {
	bed     Bed
	op      *controlplane.Operator
	records string
}

func (r repairs) fix(t *testing.T, args ...string) {
	t.Helper()
	out, err := r.bed.run(t.Context(), r.bed.Binary, append([]string{"fix", "--yes", "--record-dir", r.records}, args...)...)
	require.NoError(t, err, string(out))
}

// finds waits until a check does, or does not, find something.
func (r repairs) finds(t *testing.T, want bool, id string, args ...string) {
	t.Helper()
	require.NoError(t, controlplane.Until(t.Context(), patience, "findings of "+id, func(ctx context.Context) (bool, error) {
		out, err := r.bed.run(ctx, r.bed.Binary, append([]string{"scan", "--checks", id, "-o", "name", "--fail-on", "none"}, args...)...)
		return err == nil && (strings.TrimSpace(string(out)) != "") == want, err
	}))
}

// uids are those of the webhook's pods.
func (r repairs) uids(t *testing.T) []string {
	t.Helper()
	pods, err := r.op.Pods(t.Context(), "webhook")
	require.NoError(t, err)
	var out []string
	for _, pod := range pods {
		if pod.DeletionTimestamp == nil {
			out = append(out, string(pod.UID))
		}
	}
	return out
}

// rollsOut: a Secret that is deleted under two replicas, of which one is replaced, leaves two certificates behind one Service.
func (r repairs) rollsOut(t *testing.T) {
	ctx := t.Context()
	look := []string{"--probe", "--new-after", "0s"}
	r.finds(t, false, "SD1005", look...)
	client := r.bed.Cluster.Client.CoreV1()
	require.NoError(t, client.Secrets(r.op.Namespace).Delete(ctx, "spark-operator-webhook-certs", metav1.DeleteOptions{}))
	pods, err := r.op.Pods(ctx, "webhook")
	require.NoError(t, err)
	require.Len(t, pods, 2)
	require.NoError(t, client.Pods(r.op.Namespace).Delete(ctx, pods[0].Name, metav1.DeleteOptions{}))
	r.finds(t, true, "SD1005", look...)
	before := r.uids(t)
	r.fix(t, "SD1005", "--max-risk", "disruptive", "--probe", "--new-after", "0s")
	for _, uid := range r.uids(t) {
		require.False(t, slices.Contains(before, uid), "every replica was replaced")
	}
	r.finds(t, false, "SD1005", look...)
}

// makesTheOperatorLook: the operator then records what the kubelet had reported all the time.
func (r repairs) makesTheOperatorLook(t *testing.T) {
	list := All()
	s := list[slices.IndexFunc(list, func(s Situation) bool { return s.Name == sidecar })]
	require.NoError(t, s.happen(t.Context(), r.bed))
	look := []string{"-n", sidecar, "--transition-after", "1s"}
	time.Sleep(2 * time.Second)
	r.finds(t, true, "SD6004", look...)
	r.fix(t, append([]string{"SD6004"}, look...)...)
	bounded, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, state("COMPLETED").do(bounded, place{r.bed.Cluster, r.bed.Node, sidecar}))
	r.finds(t, false, "SD6004", look...)
	for _, step := range []Step{forget(metav1.DeletePropagationBackground), gone(driver)} { // it may happen once more
		require.NoError(t, step.do(bounded, place{r.bed.Cluster, r.bed.Node, sidecar}), step.Name)
	}
}
