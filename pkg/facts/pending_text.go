package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// KeptWords bounds what a message quotes of a scheduler.
const KeptWords = 240

// keptFault bounds what it quotes of a kubelet.
const keptFault = 160

func describe(pod snapshot.Ref) check.Command {
	return command.Do("see what the pod waits for").On("describe", pod)
}

// withoutNode is about a pod that no scheduler has given a node.
func withoutNode(pod *snapshot.Pod) PendingReason {
	t := pod.Trouble
	says := "none"
	if t.Scheduling != snapshot.NoScheduler {
		says = strings.TrimSpace("PodScheduled is not true: " + t.Scheduling + " " + t.Message)
	}
	return PendingReason{Severity: check.Error, Evidence: []check.Evidence{{Object: pod.Ref, Field: "status.conditions", Value: says}}}
}

// notPlaced is about a pod of which its scheduler says why. Numbers of nodes change, and are left out.
func notPlaced(pod *snapshot.Pod, says *mechanism.Placement, queue string) PendingReason {
	out, quoted := withoutNode(pod), phrase.OneLine(says.Text, KeptWords)
	if quoted == "" {
		quoted = "it does not say why"
	}
	switch {
	case says.Refusals != nil:
		var reasons []string
		for _, one := range says.Refusals {
			reasons = append(reasons, one.Why)
			if one.Room {
				out.Severity = check.Warning
			}
		}
		slices.Sort(reasons)
		reasons = slices.Compact(reasons)
		list := strings.Join(reasons[:min(len(reasons), 4)], ", ")
		out.Text, out.Shared = "no node fits: "+list, "unschedulable "+list
		out.next = func(pod snapshot.Ref, _ Owner) []check.Command {
			return []check.Command{describe(pod), command.Do("compare with the nodes: requests, taints, labels").With("kubectl describe nodes")}
		}
	case pod.Trouble.Scheduler == "":
		out.Text = "not scheduled: " + quoted
		out.Shared = out.Text
	default:
		out.waitsFor(pod, queue)
		out.Text += " has not placed it: " + quoted
	}
	return out
}

// unheard is about a pod of which neither a scheduler nor a kubelet has said anything.
func unheard(pod *snapshot.Pod, queue string) PendingReason {
	out := withoutNode(pod)
	if pod.Trouble.Scheduler == "" {
		out.Text, out.Shared = "no scheduler has reported on it", "no scheduler"
		return out
	}
	out.waitsFor(pod, queue)
	out.Certainty = check.Likely
	out.Text += " has not reported on it: the pod waits in its queue, or no such scheduler runs"
	return out
}

// waitsFor says that the pod is another scheduler's, which may queue pods for hours on purpose (volcano.sh/docs/queue,
// yunikorn.apache.org/docs/user_guide/queue_config).
func (p *PendingReason) waitsFor(pod *snapshot.Pod, queue string) {
	scheduler := pod.Trouble.Scheduler
	p.Severity, p.Text = check.Warning, fmt.Sprintf("scheduler %q", scheduler)
	p.Shared = "scheduler " + scheduler
	p.Evidence = append(p.Evidence, check.Evidence{Object: pod.Ref, Field: "spec.schedulerName", Value: scheduler})
	if queue != "" {
		p.Text += fmt.Sprintf(" (queue %q)", queue)
		p.Shared += " queue " + queue
		p.Evidence = append(p.Evidence, check.Evidence{Object: pod.Ref, Field: "queue", Value: queue})
	}
}

// untold is about a pod on a node of which nothing says why it does not start.
func (p *PendingReasons) untold(pod *snapshot.Pod) PendingReason {
	out := PendingReason{Severity: check.Warning, Text: "its containers are not created, and no event says why", Shared: "nothing says why"}
	if !p.s.Covers(snapshot.WarningEvents, pod.Namespace) {
		out.Text = "its containers are not created, and the events that may say why were not seen"
	}
	return out
}

// onNode is about a pod whose containers cannot be created on its node, as an event says. An old one tells of a fault that may be over: the
// image may be on its way.
func onNode(pod *snapshot.Pod, told *mechanism.Told, absent mechanism.Absent) PendingReason {
	out := PendingReason{Severity: check.Error, Evidence: []check.Evidence{{Object: pod.Ref, Field: "event " + told.Reason, Value: told.Said}}}
	switch {
	case told.Old > 0 && !told.Once:
		out.Severity, out.Text = check.Warning, fmt.Sprintf("its containers are not created; the last event about that is %s old (%s)",
			phrase.Span(told.Old), told.Reason)
		return out
	case told.Old > 0:
		out.Certainty = check.Likely
	}
	if !out.lacks(pod, absent) {
		out.Text = fmt.Sprintf("its containers cannot be created (%s: %s)", told.Reason, phrase.OneLine(told.Said, keptFault))
		out.Lasting = told.Reason
	}
	return out
}

// ofContainer is about a container that does not start.
func ofContainer(pod *snapshot.Pod, d cause.Detail) PendingReason {
	switch d := d.(type) {
	case mechanism.ImagePull:
		out := container(pod, d.Container)
		out.Text = fmt.Sprintf("image %q cannot be pulled (%s)", d.Image, d.Reason)
		out.Shared, out.Lasting = "image "+d.Image, "image"
		out.next = func(pod snapshot.Ref, owner Owner) []check.Command {
			return []check.Command{pullNext(&d, owner).On("describe", pod)}
		}
		return out
	case mechanism.ContainerUnmade:
		out := container(pod, d.Container)
		if !out.lacks(pod, d.Absent) {
			out.fails(d.Container, d.Reason, d.Fault)
		}
		return out
	case mechanism.ContainerCrashes:
		out := container(pod, d.Container)
		out.fails(d.Container, d.Reason, d.Said)
		return out
	case mechanism.InitContainer:
		out := container(pod, d.Name)
		out.fails(d.Name, d.Reason, d.Said)
		return out
	case mechanism.InitContainerRuns:
		// The record does not tell an init container from a sidecar, which is listed there, too, and stays: wait for neither by name
		// (kubernetes.io/docs/concepts/workloads/pods/sidecar-containers).
		out := container(pod, d.Container)
		out.Severity, out.Text = check.Warning, fmt.Sprintf("container %q of its initContainers still runs", d.Container)
		out.next = func(pod snapshot.Ref, _ Owner) []check.Command { return []check.Command{logs(pod, d.Container)} }
		return out
	default:
		panic(fmt.Sprintf("no words for a pod that does not start for %T", d))
	}
}

// pullNext is what to do about what the registry answered.
func pullNext(d *mechanism.ImagePull, owner Owner) check.Command {
	switch d.Fault {
	case mechanism.ImageNotThere, mechanism.ImageNameInvalid:
		return command.Do("push image %s, or correct its name and tag in %s.image%s", d.Image, owner.Spec, owner.Of)
	case mechanism.PullDenied, mechanism.PullLimited:
		return command.Do("name a pull secret that may read image %s in %s.imagePullSecrets%s", d.Image, owner.Spec, owner.Of)
	default:
		return command.Do("see why the image cannot be pulled, and correct %[1]s.image or %[1]s.imagePullSecrets%[2]s", owner.Spec, owner.Of)
	}
}

// container is about a container by what the pod's status says of it.
func container(pod *snapshot.Pod, name string) PendingReason {
	out := PendingReason{Severity: check.Error}
	for _, c := range pod.Trouble.Containers {
		if c.Name == name {
			out.Evidence = []check.Evidence{{Object: pod.Ref, Field: "status.containerStatuses",
				Value: strings.TrimSpace(c.Name + ": " + c.Reason + " " + c.Message)}}
		}
	}
	return out
}

func (p *PendingReason) fails(container, reason, said string) {
	p.Text = fmt.Sprintf("container %q does not start (%s)", container, phrase.WithMessage(reason, phrase.OneLine(said, keptFault)))
	p.Lasting = reason
	p.next = func(pod snapshot.Ref, _ Owner) []check.Command {
		return []check.Command{describe(pod), logs(pod, container)}
	}
}

func logs(pod snapshot.Ref, container string) check.Command {
	return check.Logs("read what the container logged", pod, container, false)
}

// lacks makes an object that does not exist, or lacks a key, the reason. A key of an object without a name says less than the message.
func (p *PendingReason) lacks(pod *snapshot.Pod, absent mechanism.Absent) bool {
	if absent.Name == "" {
		return false
	}
	missing := snapshot.Ref{APIVersion: "v1", Kind: absent.Kind, Namespace: pod.Namespace, Name: absent.Name}
	p.Missing = missing
	p.Text, p.Lasting = missing.String()+" does not exist", "missing "+missing.Kind
	p.next = func(_ snapshot.Ref, owner Owner) []check.Command {
		if missing.Kind == "PersistentVolumeClaim" {
			return []check.Command{command.Do("create %s %s, or correct the name in the volumes of the %s", missing.Kind, missing.Name, owner.What)}
		}
		return []check.Command{command.Do("create %s %s in namespace %s, or correct its name in the %s", missing.Kind, missing.Name,
			missing.Namespace, owner.What)}
	}
	if absent.Key != "" {
		p.Text, p.Lasting = fmt.Sprintf("%s has no key %q", missing, absent.Key), "missing key of "+missing.Kind
		p.next = func(_ snapshot.Ref, owner Owner) []check.Command {
			return []check.Command{command.Do("add the key to %s %s, or correct it in the %s", missing.Kind, missing.Name, owner.What).
				On("describe", missing)}
		}
	}
	p.Shared = p.Text
	return true
}
