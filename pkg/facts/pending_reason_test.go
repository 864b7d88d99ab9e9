package facts

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

func TestWaitingContainerSaysWhy(t *testing.T) {
	for message, want := range map[string]string{
		`container's runAsUser breaks non-root policy (pod: "etl-driver_jobs(356e4a51)", container: c)`: `container "c" does not start ` +
			`(CreateContainerConfigError: container's runAsUser breaks non-root policy)`,
		"missing value for NOT_SET": `container "c" does not start (CreateContainerConfigError: missing value for NOT_SET)`,
		"":                          `container "c" does not start (CreateContainerConfigError)`,
	} {
		p := PendingReasons{s: &snapshot.Snapshot{}, known: map[*snapshot.PodProblem]cause.Detail{}}
		reason := p.Of(&snapshot.Pod{Phase: "Pending", Trouble: &snapshot.PodProblem{Containers: []snapshot.ContainerProblem{
			{Name: "c", Reason: "CreateContainerConfigError", Message: message}}}}, "")
		require.Equal(t, want, reason.Text)
		require.Equal(t, "CreateContainerConfigError", reason.Lasting, "findings are grouped by the reason alone")
	}
}

// TestEachProblemHasWords holds that whatever a record says of a pod which has not started has words, with and without events about it.
func TestEachProblemHasWords(t *testing.T) {
	p := PendingReasons{s: &snapshot.Snapshot{}, known: map[*snapshot.PodProblem]cause.Detail{}}
	for _, scheduling := range []string{"", snapshot.NoScheduler, "Unschedulable", "SchedulingGated"} {
		for _, message := range []string{"", "0/1 nodes are available: 1 Insufficient cpu.", `persistentvolumeclaim "c" not found`,
			"exceeds the queue quota", "binding volumes: timed out"} {
			for _, scheduler := range []string{"", "volcano"} {
				for _, reason := range []string{"", snapshot.StillRunning, "ErrImagePull", "CrashLoopBackOff", "PreStartHookError"} {
					pod := &snapshot.Pod{Phase: "Pending", Trouble: &snapshot.PodProblem{Scheduling: scheduling, Message: message, Scheduler: scheduler}}
					if reason != "" {
						pod.Trouble.Containers = []snapshot.ContainerProblem{{Name: "c", Init: true, Reason: reason}}
					}
					of := p.Of(pod, "")
					require.True(t, of.Gated || of.Text != "", "%+v", pod.Trouble)
				}
			}
		}
	}
}
