package facts

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// PodEnd puts into words how a pod ended: as what ended it from outside says, if mechanism.PodEnd finds something, else as one of its
// containers did. A pod at which nothing else left a word is not asked again: there may be 100,000.
func PodEnd(pod *snapshot.Pod, c *snapshot.ContainerProblem) string {
	if t := pod.Trouble; t != nil && (t.Reason != "" || t.Disruption != "") {
		if end, ended := mechanism.PodEnd(app.NarrowPod(pod)); ended && end.Trust == cause.ByPod {
			return end.Reason
		}
	}
	if c != nil && c.Ended {
		return ContainerEnd(c)
	}
	return "for an unknown reason"
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
