package collect

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestVolumesOfAPodThatWaits: which drivers nodes have is read where a pod with claims waits, for a node or on one, and nowhere else.
func TestVolumesOfAPodThatWaits(t *testing.T) {
	claims := []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
	drivers := func(node string) *storagev1.CSINode {
		return &storagev1.CSINode{TypeMeta: metav1.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "CSINode"}, ObjectMeta: objectMeta(node, ""),
			Spec: storagev1.CSINodeSpec{Drivers: []storagev1.CSINodeDriver{{Name: "ebs.csi.aws.com", NodeID: "i-1"}}}}
	}
	read := func(change func(p *corev1.Pod)) (*apiServer, *snapshot.Snapshot) {
		own := sparkPod("etl", "etl-driver", "driver", -1)
		own.Status.Phase = corev1.PodPending
		change(own)
		s := newServer(t, application("etl", "team-a"), own, node("node-1", "8Gi"), node("node-2", "16Gi"), drivers("node-1"), drivers("node-2"))
		return s, readApplication(t, s, "SparkApplication", "etl")
	}
	_, got := read(func(p *corev1.Pod) { p.Spec.NodeName, p.Spec.Volumes = "node-2", claims })
	require.Equal(t, []string{"node-2"}, namesOf(got.InFull(snapshot.WholeCSINodes)))
	require.Equal(t, snapshot.Partial, got.Coverage(snapshot.WholeCSINodes).State, "nothing follows from what another node lacks")
	_, got = read(func(p *corev1.Pod) { p.Spec.NodeName, p.Spec.Volumes = "", claims })
	require.Equal(t, []string{"node-1", "node-2"}, namesOf(got.InFull(snapshot.WholeCSINodes)))
	for name, change := range map[string]func(p *corev1.Pod){
		"no claims": func(p *corev1.Pod) { p.Spec.NodeName = "" },
		"it runs": func(p *corev1.Pod) {
			p.Spec.NodeName, p.Spec.Volumes, p.Status.Phase = "node-2", claims, corev1.PodRunning
		},
	} {
		s, got := read(change)
		require.Empty(t, got.InFull(snapshot.WholeCSINodes), name)
		require.Zero(t, s.asked("/apis/storage.k8s.io/v1/csinodes/node-2"), name)
	}
}
