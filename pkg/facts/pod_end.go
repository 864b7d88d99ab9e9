package facts

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// PodEnd puts into words how a pod ended. Who ends a pod from outside says so at the pod: the kubelet by status.reason
// (Evicted, DeadlineExceeded), others by the condition DisruptionTarget. Its container then says "Error" with exit code 137
// or 143, like one that crashed (kubernetes@v1.36.3 pkg/kubelet/eviction/eviction_manager.go,
// pkg/kubelet/active_deadline.go).
func PodEnd(pod *snapshot.Pod, c *snapshot.ContainerProblem) string {
	t := pod.Trouble
	container := ""
	if c != nil && c.Ended {
		container = ContainerEnd(c)
	}
	switch {
	case t != nil && t.Reason != "":
		return t.Reason
	case c != nil && c.Reason == snapshot.OOMKilled, t == nil || t.Disruption == "":
		return cmp.Or(container, "for an unknown reason")
	default:
		return t.Disruption
	}
}

// ContainerEnd puts into words how a container ended. The kubelet does not fill in the signal: an exit code above 128
// tells it, by convention, where the process itself ended. With another reason the kubelet may have made up the code
// (kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go, convertToAPIContainerStatuses).
func ContainerEnd(c *snapshot.ContainerProblem) string {
	signal := ""
	if c.Reason == "Error" {
		signal = map[int]string{134: ", SIGABRT", 137: ", SIGKILL", 139: ", SIGSEGV", 143: ", SIGTERM"}[c.ExitCode]
	}
	return fmt.Sprintf("%s (exit code %d%s)", cmp.Or(c.Reason, "ended"), c.ExitCode, signal)
}

// PodEndEvidence is where podEnd reads it, with what the kubelet adds.
func PodEndEvidence(pod *snapshot.Pod, c *snapshot.ContainerProblem) []check.Evidence {
	var out []check.Evidence
	if t := pod.Trouble; t != nil && t.Reason != "" {
		out = append(out, check.Evidence{Object: pod.Ref, Field: "status.reason", Value: phrase.WithMessage(t.Reason, t.Message)})
	}
	if t := pod.Trouble; t != nil && t.Disruption != "" {
		out = append(out, check.Evidence{Object: pod.Ref, Field: "status.conditions[DisruptionTarget]", Value: t.Disruption})
	}
	if c != nil && c.Ended {
		out = append(out, check.Evidence{Object: pod.Ref, Field: "status.containerStatuses",
			Value: phrase.WithMessage(c.Name+" ended at "+Timestamp(c.Finished)+": "+ContainerEnd(c), c.Message)})
	}
	return out
}
