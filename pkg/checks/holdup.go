package checks

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// holdup is why a pod does not start, as its conditions, its containers and the events about it say.
type holdup struct {
	text     string // ends a message: "image \"x\" cannot be pulled (ErrImagePull)"
	shared   string // what other pods may wait for, too; empty: nothing
	unseen   bool   // no scheduler has looked at the pod
	gated    bool   // held back on purpose, which is no fault
	severity Severity
	missing  snapshot.Ref // the object that is not there, if that is it
	evidence []Evidence
}

// holdups tells what holds pods up.
type holdups struct {
	s      *snapshot.Snapshot
	events map[string][]*snapshot.Event // by UID of the pod
}

func newHoldups(s *snapshot.Snapshot) *holdups {
	p := &holdups{s: s, events: map[string][]*snapshot.Event{}}
	list := s.WarningEvents()
	for i := range list {
		if e := &list[i]; e.Reason != snapshot.OwnerRefInvalidNamespace && e.Involved.Kind == "Pod" && e.Involved.UID != "" {
			p.events[e.Involved.UID] = append(p.events[e.Involved.UID], e)
		}
	}
	return p
}

// of returns what holds up a pod that is pending.
func (p *holdups) of(pod *snapshot.Pod) holdup {
	t := pod.Trouble
	switch {
	case t != nil && t.Scheduling != "":
		return unscheduled(pod, t)
	case t != nil && len(t.Containers) > 0:
		at := slices.IndexFunc(t.Containers, func(c snapshot.ContainerTrouble) bool { return c.Reason != snapshot.StillRunning })
		return waitingContainer(pod, &t.Containers[max(at, 0)])
	}
	events := p.events[pod.UID]
	switch {
	case len(events) > 0:
	case p.s.Covers(snapshot.WarningEvents, pod.Namespace):
		return holdup{severity: Warning, text: "its containers are not created, and no event says why", shared: "nothing says why"}
	default:
		return holdup{severity: Warning, text: "its containers are not created, and the events that may say why were not seen", shared: "nothing says why"}
	}
	last := slices.MaxFunc(events, func(a, b *snapshot.Event) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Last.Compare(b.Last), cmp.Compare(a.Message, b.Message))
	})
	out := holdup{severity: Error, text: fmt.Sprintf("its containers cannot be created (%s)", last.Reason)}
	if !out.lacks(pod.Namespace, last.Message) && last.Reason == snapshot.FailedCreatePodSandBox {
		out.shared = last.Reason // the network of nodes
	}
	out.evidence = append(out.evidence, Evidence{Object: pod.Ref, Field: "event " + last.Reason, Value: last.Message})
	return out
}

// rank puts first what names a missing object: when volumes time out, the kubelet says so as well.
func rank(e *snapshot.Event) int {
	if notFound.MatchString(e.Message) {
		return 1
	}
	return 0
}

// notFound is what kubelet and scheduler say of a Secret, a ConfigMap or a claim that does not exist, or has not the key
// (kubernetes pkg/kubelet/kubelet_pods.go, pkg/volume, pkg/scheduler/framework/plugins/volumebinding).
var (
	notFound   = regexp.MustCompile(`(?i)\b(secret|configmap|persistentvolumeclaim) "([^"/]+/)?([^"]+)" not found`)
	missingKey = regexp.MustCompile(`(?i)couldn't find key (\S+) in (secret|configmap) ([^/\s]+)/(\S+)`)
)

// lacks makes an object that a message calls missing the reason.
func (p *holdup) lacks(namespace, message string) bool {
	kinds := map[string]string{"secret": "Secret", "configmap": "ConfigMap", "persistentvolumeclaim": "PersistentVolumeClaim"}
	if m := notFound.FindStringSubmatch(message); m != nil {
		p.missing = snapshot.Ref{APIVersion: "v1", Kind: kinds[strings.ToLower(m[1])], Namespace: namespace, Name: m[3]}
		p.text = p.missing.String() + " does not exist"
		p.shared = p.text
		return true
	}
	if m := missingKey.FindStringSubmatch(message); m != nil {
		p.missing = snapshot.Ref{APIVersion: "v1", Kind: kinds[strings.ToLower(m[2])], Namespace: namespace, Name: m[4]}
		p.text = fmt.Sprintf("%s has no key %q", p.missing, m[1])
		p.shared = p.text
		return true
	}
	return false
}

// unscheduled is what holds up a pod without a node. A gate is opened by whoever closed it, such as Kueue.
func unscheduled(pod *snapshot.Pod, t *snapshot.Trouble) holdup {
	out := holdup{severity: Error, evidence: []Evidence{{Object: pod.Ref, Field: "status.conditions", Value: strings.TrimSpace("PodScheduled is not true: " + t.Scheduling + " " + t.Message)}}}
	switch {
	case t.Scheduling == "SchedulingGated":
		out.gated = true
	case t.Scheduling == snapshot.NoScheduler:
		out.unseen, out.text, out.shared = true, "no scheduler has looked at it", "no scheduler"
		out.evidence = []Evidence{{Object: pod.Ref, Field: "status.conditions", Value: "none"}}
	case out.lacks(pod.Namespace, t.Message):
	default:
		reasons, fits := unfit(t.Message)
		out.text, out.shared = "no node takes it: "+strings.Join(reasons, ", "), "unschedulable "+strings.Join(reasons, ", ")
		if fits {
			out.severity = Warning
		}
	}
	return out
}

// unfit reads what the scheduler says of the nodes, "0/5 nodes are available: 2 Insufficient memory, 3 node(s) had …",
// without the numbers, which change (kubernetes pkg/scheduler/framework/types.go, FitError). fits reports whether some
// nodes lack nothing but room, which others may leave.
func unfit(message string) (reasons []string, fits bool) {
	_, list, found := strings.Cut(message, "nodes are available: ")
	if !found {
		list = message
	}
	list, _, _ = strings.Cut(list, ". ") // what preemption would bring, and claims
	for _, one := range strings.Split(strings.TrimRight(list, ". "), ", ") {
		one = strings.TrimPrefix(strings.TrimLeft(one, "0123456789 "), "node(s) ")
		if one = strings.TrimPrefix(one, "had "); one != "" && !slices.Contains(reasons, one) {
			reasons = append(reasons, one)
		}
		fits = fits || strings.HasPrefix(one, "Insufficient ") || one == "Too many pods"
	}
	if len(reasons) == 0 {
		return []string{"the scheduler says nothing"}, false
	}
	slices.Sort(reasons)
	return reasons[:min(len(reasons), 4)], fits
}

// waitingContainer is what holds up a pod whose container cannot start.
func waitingContainer(pod *snapshot.Pod, c *snapshot.ContainerTrouble) holdup {
	out := holdup{severity: Error, evidence: []Evidence{{Object: pod.Ref, Field: "status.containerStatuses", Value: strings.TrimSpace(c.Name + ": " + c.Reason + " " + c.Message)}}}
	switch c.Reason {
	case snapshot.StillRunning:
		out.severity, out.text = Warning, fmt.Sprintf("init container %q still runs", c.Name)
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable":
		out.text = fmt.Sprintf("image %q cannot be pulled (%s)", c.Image, c.Reason)
		out.shared = "image " + c.Image
	default:
		if !out.lacks(pod.Namespace, c.Message) {
			out.text = fmt.Sprintf("container %q does not start (%s)", c.Name, c.Reason)
		}
	}
	return out
}
