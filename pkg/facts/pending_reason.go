package facts

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// PendingReason is why a pod does not start, as its conditions, its containers and the events about it say.
type PendingReason struct {
	Text      string // ends a message: "image \"x\" cannot be pulled (ErrImagePull)"
	Shared    string // what other pods may wait for, too; empty: nothing
	Gated     bool   // held back on purpose, which is no fault
	Lasting   string // what must be mended before the pod can start, without names: "image"; empty: it may start by itself
	Severity  check.Severity
	Certainty check.Certainty
	Missing   snapshot.Ref // the object that is not there, if that is it
	Fault     check.Kind   // one of those below; empty: nothing says why
	Container string       // that does not start, if that is it
	Evidence  []check.Evidence
}

// Why a pod does not start.
const (
	NoImage      check.Kind = "image"
	LacksObject  check.Kind = "missing object"
	LacksKey     check.Kind = "missing key"
	NotStarted   check.Kind = "container"
	StillInit    check.Kind = "init container"
	NotCreated   check.Kind = "not created"
	NoNodeFits   check.Kind = "no node"
	NotScheduled check.Kind = "not scheduled"
)

// PendingReasons tells what holds pods up.
type PendingReasons struct {
	s      *snapshot.Snapshot
	events map[string][]*snapshot.Event // by UID of the pod
}

// Pending tells what holds pods up, by the events about them.
func Pending() check.Fact[*PendingReasons] {
	return check.Fact[*PendingReasons]{
		Name:  "pending",
		Needs: []snapshot.Need{{View: snapshot.WarningEvents, Role: snapshot.Consulted}},
		Make:  newPendingReasons,
	}
}

func newPendingReasons(pass *check.Pass) *PendingReasons {
	p := &PendingReasons{s: pass.Snapshot, events: map[string][]*snapshot.Event{}}
	list := pass.WarningEvents()
	for i := range list {
		if e := &list[i]; e.Reason != snapshot.OwnerRefInvalidNamespace && e.Involved.Kind == "Pod" && e.Involved.UID != "" {
			p.events[e.Involved.UID] = append(p.events[e.Involved.UID], e)
		}
	}
	return p
}

// Of returns what holds up a pod that is pending. queue is the one that its application names for a batch scheduler, if any.
func (p *PendingReasons) Of(pod *snapshot.Pod, queue string) PendingReason {
	t := pod.Trouble
	switch {
	case t != nil && t.Scheduling != "":
		return unscheduled(pod, t, cmp.Or(pod.Queue(), queue))
	case t != nil && len(t.Containers) > 0:
		at := slices.IndexFunc(t.Containers, func(c snapshot.ContainerProblem) bool { return c.Reason != snapshot.StillRunning })
		return waitingContainer(pod, &t.Containers[max(at, 0)])
	}
	events := p.events[pod.UID]
	switch {
	case len(events) > 0:
		return p.toldByEvents(pod, events)
	case p.s.Covers(snapshot.WarningEvents, pod.Namespace):
		return PendingReason{Severity: check.Warning, Text: "its containers are not created, and no event says why", Shared: "nothing says why"}
	default:
		return PendingReason{Severity: check.Warning, Text: "its containers are not created, and the events that may say why were not seen",
			Shared: "nothing says why"}
	}
}

// eventsRepeat is how long a fault of a pod that lasts goes without an event at most: the kubelet tries again every two
// minutes or so, and of a pod of which it said much already its recorder lets one event pass in five minutes
// (kubernetes@v1.36.3 pkg/kubelet/volumemanager/volume_manager.go, client-go@v0.36.3 tools/record/events_cache.go).
const eventsRepeat = 10 * time.Minute

// multiAttach begins what the attach controller says once, however long it lasts (kubernetes@v1.36.3
// pkg/controller/volume/attachdetach/reconciler/reconciler.go, reportMultiAttachError).
const multiAttach = "Multi-Attach error "

// toldByEvents is what holds up a pod of whose containers nothing is known yet. An old event tells of a fault that may be
// over: the image may be on its way.
func (p *PendingReasons) toldByEvents(pod *snapshot.Pod, events []*snapshot.Event) PendingReason {
	last := slices.MaxFunc(events, func(a, b *snapshot.Event) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Last.Compare(b.Last), cmp.Compare(a.Message, b.Message))
	})
	newest := slices.MaxFunc(events, func(a, b *snapshot.Event) int { return a.Last.Compare(b.Last) })
	out := PendingReason{Evidence: []check.Evidence{{Object: pod.Ref, Field: "event " + last.Reason, Value: last.Message}}}
	if ago := p.s.TakenAt.Sub(newest.Last); !newest.Last.IsZero() && ago > eventsRepeat {
		if !strings.HasPrefix(last.Message, multiAttach) {
			out.Severity, out.Text = check.Warning, fmt.Sprintf("its containers are not created; the last event about that is %s old (%s)",
				duration.HumanDuration(ago), last.Reason)
			return out
		}
		out.Certainty = check.Likely
	}
	out.Severity, out.Fault = check.Error, NotCreated
	if out.lacks(pod.Namespace, last.Message) {
		return out
	}
	out.Text, out.Lasting = fmt.Sprintf("its containers cannot be created (%s: %s)", last.Reason, phrase.OneLine(last.Message, 160)), last.Reason
	if last.Reason == snapshot.FailedCreatePodSandBox {
		out.Shared = last.Reason // the network of nodes
	}
	return out
}

// rank puts first what names a missing object, then what keeps a volume from being attached: when volumes time out, the
// kubelet says so as well.
func rank(e *snapshot.Event) int {
	switch {
	case notFound.MatchString(e.Message):
		return 2
	case e.Reason == snapshot.FailedAttachVolume:
		return 1
	default:
		return 0
	}
}

// notFound is what kubelet and scheduler say of a Secret, a ConfigMap or a claim that does not exist, or has not the key
// (kubernetes pkg/kubelet/kubelet_pods.go, pkg/volume, pkg/scheduler/framework/plugins/volumebinding).
var (
	notFound   = regexp.MustCompile(`(?i)\b(secret|configmap|persistentvolumeclaim) "([^"/]+/)?([^"]+)" not found`)
	missingKey = regexp.MustCompile(`(?i)couldn't find key (\S+) in (secret|configmap) ([^/\s]+)/(\S+)`)
)

// lacks makes an object that a message calls missing the reason.
func (p *PendingReason) lacks(namespace, message string) bool {
	kinds := map[string]string{"secret": "Secret", "configmap": "ConfigMap", "persistentvolumeclaim": "PersistentVolumeClaim"}
	if m := notFound.FindStringSubmatch(message); m != nil {
		p.Missing = snapshot.Ref{APIVersion: "v1", Kind: kinds[strings.ToLower(m[1])], Namespace: namespace, Name: m[3]}
		p.Fault = LacksObject
		p.Text = p.Missing.String() + " does not exist"
		p.Shared, p.Lasting = p.Text, "missing "+p.Missing.Kind
		return true
	}
	if m := missingKey.FindStringSubmatch(message); m != nil {
		p.Missing = snapshot.Ref{APIVersion: "v1", Kind: kinds[strings.ToLower(m[2])], Namespace: namespace, Name: m[4]}
		p.Fault = LacksKey
		p.Text = fmt.Sprintf("%s has no key %q", p.Missing, m[1])
		p.Shared, p.Lasting = p.Text, "missing key of "+p.Missing.Kind
		return true
	}
	return false
}

// waitingContainer is what holds up a pod whose container cannot start.
func waitingContainer(pod *snapshot.Pod, c *snapshot.ContainerProblem) PendingReason {
	out := PendingReason{Severity: check.Error, Container: c.Name, Fault: NotStarted, Evidence: []check.Evidence{{Object: pod.Ref,
		Field: "status.containerStatuses",
		Value: strings.TrimSpace(c.Name + ": " + c.Reason + " " + c.Message)}}}
	switch c.Reason {
	case snapshot.StillRunning:
		// The record does not tell an init container from a sidecar, which is listed there, too, and stays: wait for neither by name
		// (kubernetes.io/docs/concepts/workloads/pods/sidecar-containers).
		out.Fault = StillInit
		out.Severity, out.Text = check.Warning, fmt.Sprintf("container %q of its initContainers still runs", c.Name)
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable":
		out.Text = fmt.Sprintf("image %q cannot be pulled (%s)", c.Image, c.Reason)
		out.Shared, out.Lasting, out.Fault = "image "+c.Image, "image", NoImage
	default:
		if !out.lacks(pod.Namespace, c.Message) {
			out.Text, out.Lasting = fmt.Sprintf("container %q does not start (%s)", c.Name, phrase.WithMessage(c.Reason, fault(c.Message))), c.Reason
		}
	}
	return out
}

// fault is what a kubelet's message says, without the pod and the container that some of its messages end with: "container's runAsUser
// breaks non-root policy (pod: "etl-driver_jobs(UID)", container: spark-kubernetes-driver)" (kubernetes@v1.36.3
// pkg/kubelet/kuberuntime/security_context_others.go, verifyRunAsNonRoot).
func fault(message string) string {
	message, _, _ = strings.Cut(message, " (pod: ")
	return phrase.OneLine(message, 160)
}
