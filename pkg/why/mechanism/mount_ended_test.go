package mechanism

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestMountEnded: only the process of a mount explains it that ended on a node of the application, shortly before.
func TestMountEnded(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	pod := func(container, node string, ended time.Time) corev1.Pod {
		p := corev1.Pod{}
		p.Name, p.Spec.NodeName = "mount-1", node
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: container, RestartCount: 1, LastTerminationState: corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{Reason: "OOMKilled", ExitCode: 137, FinishedAt: metav1.NewTime(ended)}}}}
		return p
	}
	about := func(id string) *cause.Cause {
		return &cause.Cause{At: at, Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.Known{Signature: catalog.Signature{ID: id}}}}}
	}
	own := corev1.Pod{}
	own.Spec.NodeName = "n1"
	for name, row := range map[string]struct {
		beside corev1.Pod
		id     string
		want   bool
	}{
		"on its node":     {pod("jfs-mount", "n1", at.Add(-time.Minute)), "fuse-mount-dead", true},
		"a sidecar":       {pod("gke-gcsfuse-sidecar", "n1", at.Add(-time.Minute)), "fuse-mount-dead", true},
		"on another node": {pod("jfs-mount", "n2", at.Add(-time.Minute)), "fuse-mount-dead", false},
		"long before":     {pod("jfs-mount", "n1", at.Add(-time.Hour)), "fuse-mount-dead", false},
		"after it":        {pod("jfs-mount", "n1", at.Add(time.Hour)), "fuse-mount-dead", false},
		"no mount":        {pod("fluent-bit", "n1", at.Add(-time.Minute)), "fuse-mount-dead", false},
		"another failure": {pod("jfs-mount", "n1", at.Add(-time.Minute)), "disk-io", false},
	} {
		v := &View{Evidence: &app.Evidence{Pods: []corev1.Pod{own}, Neighbors: []corev1.Pod{row.beside}}}
		_, is := EndedMount(v, about(row.id))
		require.Equal(t, row.want, is, name)
	}
}
