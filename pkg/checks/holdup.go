package checks

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// holdup is why a pod does not start, as its conditions, its containers and the events about it say.
type holdup struct {
	text      string // ends a message: "image \"x\" cannot be pulled (ErrImagePull)"
	shared    string // what other pods may wait for, too; empty: nothing
	gated     bool   // held back on purpose, which is no fault
	lasting   string // what must be mended before the pod can start, without names: "image"; empty: it may start by itself
	severity  Severity
	certainty Certainty
	missing   snapshot.Ref // the object that is not there, if that is it
	evidence  []Evidence
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

// of returns what holds up a pod of an application that is pending.
func (p *holdups) of(app *snapshot.SparkApplication, pod *snapshot.Pod) holdup {
	t := pod.Trouble
	switch {
	case t != nil && t.Scheduling != "":
		return unscheduled(pod, t, cmp.Or(pod.Queue(), app.BatchQueue))
	case t != nil && len(t.Containers) > 0:
		at := slices.IndexFunc(t.Containers, func(c snapshot.ContainerTrouble) bool { return c.Reason != snapshot.StillRunning })
		return waitingContainer(pod, &t.Containers[max(at, 0)])
	}
	events := p.events[pod.UID]
	switch {
	case len(events) > 0:
		return p.toldByEvents(pod, events)
	case p.s.Covers(snapshot.WarningEvents, pod.Namespace):
		return holdup{severity: Warning, text: "its containers are not created, and no event says why", shared: "nothing says why"}
	default:
		return holdup{severity: Warning, text: "its containers are not created, and the events that may say why were not seen", shared: "nothing says why"}
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
func (p *holdups) toldByEvents(pod *snapshot.Pod, events []*snapshot.Event) holdup {
	last := slices.MaxFunc(events, func(a, b *snapshot.Event) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Last.Compare(b.Last), cmp.Compare(a.Message, b.Message))
	})
	newest := slices.MaxFunc(events, func(a, b *snapshot.Event) int { return a.Last.Compare(b.Last) })
	out := holdup{evidence: []Evidence{{Object: pod.Ref, Field: "event " + last.Reason, Value: last.Message}}}
	if ago := p.s.TakenAt.Sub(newest.Last); !newest.Last.IsZero() && ago > eventsRepeat {
		if !strings.HasPrefix(last.Message, multiAttach) {
			out.severity, out.text = Warning, fmt.Sprintf("its containers are not created; the last event about that is %s old (%s)", duration.HumanDuration(ago), last.Reason)
			return out
		}
		out.certainty = Likely
	}
	out.severity = Error
	if out.lacks(pod.Namespace, last.Message) {
		return out
	}
	out.text, out.lasting = fmt.Sprintf("its containers cannot be created (%s: %s)", last.Reason, oneLine(last.Message, 160)), last.Reason
	if last.Reason == snapshot.FailedCreatePodSandBox {
		out.shared = last.Reason // the network of nodes
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
func (p *holdup) lacks(namespace, message string) bool {
	kinds := map[string]string{"secret": "Secret", "configmap": "ConfigMap", "persistentvolumeclaim": "PersistentVolumeClaim"}
	if m := notFound.FindStringSubmatch(message); m != nil {
		p.missing = snapshot.Ref{APIVersion: "v1", Kind: kinds[strings.ToLower(m[1])], Namespace: namespace, Name: m[3]}
		p.text = p.missing.String() + " does not exist"
		p.shared, p.lasting = p.text, "missing "+p.missing.Kind
		return true
	}
	if m := missingKey.FindStringSubmatch(message); m != nil {
		p.missing = snapshot.Ref{APIVersion: "v1", Kind: kinds[strings.ToLower(m[2])], Namespace: namespace, Name: m[4]}
		p.text = fmt.Sprintf("%s has no key %q", p.missing, m[1])
		p.shared, p.lasting = p.text, "missing key of "+p.missing.Kind
		return true
	}
	return false
}

// waitingContainer is what holds up a pod whose container cannot start.
func waitingContainer(pod *snapshot.Pod, c *snapshot.ContainerTrouble) holdup {
	out := holdup{severity: Error, evidence: []Evidence{{Object: pod.Ref, Field: "status.containerStatuses", Value: strings.TrimSpace(c.Name + ": " + c.Reason + " " + c.Message)}}}
	switch c.Reason {
	case snapshot.StillRunning:
		out.severity, out.text = Warning, fmt.Sprintf("init container %q still runs", c.Name)
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable":
		out.text = fmt.Sprintf("image %q cannot be pulled (%s)", c.Image, c.Reason)
		out.shared, out.lasting = "image "+c.Image, "image"
	default:
		if !out.lacks(pod.Namespace, c.Message) {
			out.text, out.lasting = fmt.Sprintf("container %q does not start (%s)", c.Name, c.Reason), c.Reason
		}
	}
	return out
}
