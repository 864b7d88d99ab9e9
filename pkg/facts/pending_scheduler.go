package facts

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// unscheduled is what holds up a pod without a node. A gate is opened by whoever closed it, such as Kueue.
func unscheduled(pod *snapshot.Pod, t *snapshot.PodProblem, queue string) PendingReason {
	out := PendingReason{Severity: check.Error, Fault: NotScheduled, Evidence: []check.Evidence{{Object: pod.Ref, Field: "status.conditions",
		Value: strings.TrimSpace("PodScheduled is not true: " + t.Scheduling + " " + t.Message)}}}
	switch {
	case t.Scheduling == "SchedulingGated":
		out.Gated = true
	case t.Scheduling == snapshot.NoScheduler && t.Scheduler == "":
		out.Text, out.Shared = "no scheduler has reported on it", "no scheduler"
		out.Evidence = []check.Evidence{{Object: pod.Ref, Field: "status.conditions", Value: "none"}}
	case t.Scheduling == snapshot.NoScheduler:
		out.waitsFor(pod, t.Scheduler, queue)
		out.Evidence[0].Value = "none"
		out.Certainty = check.Likely
		out.Text += " has not reported on it: the pod waits in its queue, or no such scheduler runs"
	case out.lacks(pod.Namespace, t.Message):
	case fitError.MatchString(t.Message):
		reasons, fits := unfit(t.Message)
		out.Fault = NoNodeFits
		out.Text, out.Shared = "no node fits: "+strings.Join(reasons, ", "), "unschedulable "+strings.Join(reasons, ", ")
		if fits {
			out.Severity = check.Warning
		}
	case t.Scheduler == "":
		out.Text = "not scheduled: " + orNothing(phrase.OneLine(t.Message, KeptWords))
		out.Shared = out.Text
	default:
		out.waitsFor(pod, t.Scheduler, queue)
		out.Text += " has not placed it: " + orNothing(phrase.OneLine(t.Message, KeptWords))
	}
	return out
}

// waitsFor says that the pod is another scheduler's, which may queue pods for hours on purpose (volcano.sh/docs/queue,
// yunikorn.apache.org/docs/user_guide/queue_config).
func (p *PendingReason) waitsFor(pod *snapshot.Pod, scheduler, queue string) {
	p.Severity, p.Text = check.Warning, fmt.Sprintf("scheduler %q", scheduler)
	p.Shared = "scheduler " + scheduler
	p.Evidence = append(p.Evidence, check.Evidence{Object: pod.Ref, Field: "spec.schedulerName", Value: scheduler})
	if queue != "" {
		p.Text += fmt.Sprintf(" (queue %q)", queue)
		p.Shared += " queue " + queue
		p.Evidence = append(p.Evidence, check.Evidence{Object: pod.Ref, Field: "queue", Value: queue})
	}
}

// KeptWords bounds what a message quotes of a scheduler.
const KeptWords = 240

func orNothing(text string) string {
	if text == "" {
		return "it does not say why"
	}
	return text
}

// fitError is how what kube-scheduler says of the nodes begins (kubernetes@v1.36.3 pkg/scheduler/framework/types.go,
// FitError). Others have a grammar of their own: "3/4 tasks in gang unschedulable: pod group is not ready, 1 Pending, 4
// minAvailable", "all nodes are unavailable: …" (volcano-sh/volcano docs/design/scheduling-reason.md).
var fitError = regexp.MustCompile(`^0/\d+ nodes are available: `)

// unfit reads a fitError, "0/5 nodes are available: 2 Insufficient memory, 3 node(s) had …", without the numbers, which
// change. fits reports whether some nodes lack nothing but room, which others may leave.
func unfit(message string) (reasons []string, fits bool) {
	list := strings.TrimPrefix(message, fitError.FindString(message))
	list, _, _ = strings.Cut(list, ". ") // what preemption would bring, and claims
	for _, one := range strings.Split(strings.TrimRight(list, ". "), ", ") {
		one = strings.TrimPrefix(strings.TrimLeft(one, "0123456789 "), "node(s) ")
		if one = strings.TrimPrefix(one, "had "); one != "" && !slices.Contains(reasons, one) {
			reasons = append(reasons, one)
		}
		fits = fits || strings.HasPrefix(one, "Insufficient ") || one == "Too many pods" || strings.Contains(one, "free ports")
	}
	slices.Sort(reasons)
	return reasons[:min(len(reasons), 4)], fits
}
