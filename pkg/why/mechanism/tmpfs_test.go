package mechanism

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestTmpfs: the setting makes nothing where a pod has a volume of its own for Spark's local directories, and /dev/shm is no scratch space.
func TestTmpfs(t *testing.T) {
	t.Parallel()
	memory := corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}
	claim := corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "scratch"}}
	const claimed = "spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1.mount.path"
	for _, c := range []struct {
		name    string
		set     bool
		volume  string // of the executor; empty: its pod is gone
		in      corev1.VolumeSource
		conf    string
		want    Tmpfs
		scratch bool
	}{
		{"by the setting", true, "spark-local-dir-1", memory, "", Tmpfs{LocalDirs: true}, true},
		{"the pod is gone", true, "", corev1.VolumeSource{}, "", Tmpfs{LocalDirs: true}, true},
		{"a claim in its place", true, "spark-local-dir-1", claim, "", Tmpfs{}, false},
		{"the pod is gone, with a claim", true, "", corev1.VolumeSource{}, claimed, Tmpfs{}, false},
		{"by the volume alone", false, "spark-local-dir-1", memory, "", Tmpfs{Volumes: []string{"spark-local-dir-1"}}, true},
		{"shared memory of a program", false, "dshm", memory, "", Tmpfs{Volumes: []string{"dshm"}}, false},
		{"on disk", false, "spark-local-dir-1", corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}, "", Tmpfs{}, false},
	} {
		v := &View{Spec: app.Spec{Conf: map[string]string{}}}
		if c.set {
			v.Spec.Conf[localDirsTmpfs] = "true"
		}
		if c.conf != "" {
			v.Spec.Conf[c.conf] = "/scratch"
		}
		var p *corev1.Pod
		if c.volume != "" {
			p = &corev1.Pod{Spec: corev1.PodSpec{Volumes: []corev1.Volume{{Name: c.volume, VolumeSource: c.in}},
				Containers: []corev1.Container{{Name: "spark-kubernetes-executor", VolumeMounts: []corev1.VolumeMount{{Name: c.volume}}}}}}
		}
		got := tmpfs(v, p)
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, c.scratch, got.Scratch(), c.name)
	}
}
