package app

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// events keeps those about the application, its pods, what these use, and their nodes.
func (s *sorter) events(objects []unstructured.Unstructured) {
	used := map[string]bool{}
	for i := range s.e.Pods {
		used["Node/"+s.e.Pods[i].Spec.NodeName] = true
		for _, v := range s.e.Pods[i].Spec.Volumes {
			if v.PersistentVolumeClaim != nil {
				used["PersistentVolumeClaim/"+v.PersistentVolumeClaim.ClaimName] = true
			}
		}
	}
	for i := range s.e.Operator {
		used["Node/"+s.e.Operator[i].Spec.NodeName] = true
	}
	delete(used, "Node/")
	var all []Event
	for _, e := range decoded[corev1.Event](objects, "v1", "Event") {
		all = append(all, fromCore(&e))
	}
	for _, e := range decoded[eventsv1.Event](objects, eventsv1.SchemeGroupVersion.String(), "Event") {
		all = append(all, fromEvents(&e))
	}
	// A pod that is gone was on a node, too: its event Scheduled names it, and so do those of its kubelet.
	for i := range all {
		if node := cmp.Or(all[i].ScheduledTo(), all[i].Kubelet); node != "" && s.podKnown(all[i].Involved) {
			used["Node/"+node] = true
		}
	}
	s.e.LostWith = s.lostWith(all)
	for _, node := range s.e.LostWith {
		used["Node/"+node] = true
	}
	for _, e := range all {
		s.keep(used, e)
	}
	slices.SortFunc(s.e.Events, func(a, b Event) int {
		return cmp.Or(a.Last.Compare(b.Last), a.First.Compare(b.First), a.Involved.Compare(b.Involved), cmp.Compare(a.Reason, b.Reason),
			cmp.Compare(a.Message, b.Message))
	})
	slices.SortFunc(s.e.Reserves, func(a, b Event) int { return cmp.Or(a.Last.Compare(b.Last), a.Involved.Compare(b.Involved)) })
	// The same event may be read from both API groups.
	s.e.Events = slices.Compact(s.e.Events)
}

// notReady is the reason of events of a node, and of each pod on it, when it stops to answer (pkg/controller/nodelifecycle/
// node_lifecycle_controller.go and pkg/util/node/node.go of kubernetes/kubernetes@v1.36.3).
const notReady = "NodeNotReady"

// atOnce is within what time they are written.
const atOnce = 15 * time.Second

// lostWith are the nodes with which pods of the application were lost, where no other node stopped to answer at that time.
func (s *sorter) lostWith(all []Event) map[string]string {
	out := map[string]string{}
	for i := range all {
		pod := &all[i]
		if pod.Reason != notReady || !s.podKnown(pod.Involved) {
			continue
		}
		nodes := map[string]bool{}
		for j := range all {
			node := &all[j]
			if node.Involved.Kind == "Node" && node.Reason == notReady && node.Last.Sub(pod.Last).Abs() <= atOnce {
				nodes[node.Involved.Name] = true
			}
		}
		if len(nodes) == 1 {
			out[pod.Involved.Name] = slices.Collect(maps.Keys(nodes))[0]
		}
	}
	return out
}

// KernelKilled reports whether an event of a node is about a process that the kernel killed for memory (config/kernel-monitor.json of
// kubernetes/node-problem-detector@v1.34.0; pkg/kubelet/oom/oom_watcher_linux.go@kubernetes v1.36.3).
func (e *Event) KernelKilled() bool { return e.Reason == "OOMKilling" || e.Reason == "SystemOOM" }

func (s *sorter) keep(used map[string]bool, e Event) {
	on := e.Involved
	if on.Kind == "Node" {
		// Where the pods of executors are gone, so may be what names their nodes.
		if used["Node/"+on.Name] || e.KernelKilled() {
			s.e.Events = append(s.e.Events, e)
		}
		return
	}
	if on.Namespace != s.e.Subject.Namespace {
		return
	}
	if on.Kind == "Pod" && strings.HasPrefix(on.Name, placeholderPrefix) {
		s.e.Reserves = append(s.e.Reserves, e)
	}
	if on.Kind == "ExternalSecret" {
		s.e.Events = append(s.e.Events, e)
		return
	}
	if s.known(on) || used[on.Kind+"/"+on.Name] {
		s.e.Events = append(s.e.Events, e)
		if on.Kind == "Pod" {
			s.names[on.Name] = true
		}
	}
}

// known tells the application, its pods, and what is queued of it.
func (s *sorter) known(on snapshot.Ref) bool {
	switch {
	case s.uids[on.UID], s.podKnown(on):
		return true
	case on.Kind == s.e.Subject.Kind && on.Name == s.e.Subject.Name:
		return s.ofOneGroup(on)
	case on.Kind == s.applicationKind() && on.Name == s.application():
		return s.ofOneGroup(on)
	case on.Kind == "Workload", on.Kind == "PodGroup":
		return s.queuedAs(on.Name)
	default:
		return false
	}
}

// ofOneGroup reports whether an event is about the application, and not about one of the other operator that has its name.
func (s *sorter) ofOneGroup(on snapshot.Ref) bool {
	found := s.e.Apache != nil || s.e.Application != nil
	return !found || on.Group() == "" || s.e.Subject.Group() == "" || (on.Group() == snapshot.ApacheGroup) == (s.e.Apache != nil)
}

func (s *sorter) podKnown(on snapshot.Ref) bool {
	if on.Kind != "Pod" || on.Namespace != s.e.Subject.Namespace {
		return false
	}
	return s.names[on.Name] || podOf(s.applicationKind(), s.application(), on.Name)
}

func fromCore(e *corev1.Event) Event {
	out := Event{
		Type: e.Type, Reason: e.Reason, Message: strings.TrimSpace(meant(e.Action, e.Message)),
		Source:   cmp.Or(e.Source.Component, e.ReportingController),
		Involved: involved(e.InvolvedObject), Count: max(1, int(e.Count)), First: e.FirstTimestamp.Time, Last: e.LastTimestamp.Time,
	}
	if e.Series != nil {
		out.Count, out.Last = max(out.Count, int(e.Series.Count)), e.Series.LastObservedTime.Time
	}
	out.Kubelet = kubeletOf(out.Source, cmp.Or(e.Source.Host, e.ReportingInstance))
	return out.dated(e.EventTime.Time, e.CreationTimestamp.Time)
}

func fromEvents(e *eventsv1.Event) Event {
	out := Event{
		Type: e.Type, Reason: e.Reason, Message: strings.TrimSpace(meant(e.Action, e.Note)),
		Source:   cmp.Or(e.ReportingController, e.DeprecatedSource.Component),
		Involved: involved(e.Regarding), Count: max(1, int(e.DeprecatedCount)),
		First: e.DeprecatedFirstTimestamp.Time, Last: e.DeprecatedLastTimestamp.Time,
	}
	if e.Series != nil {
		out.Count, out.Last = max(out.Count, int(e.Series.Count)), e.Series.LastObservedTime.Time
	}
	out.Kubelet = kubeletOf(out.Source, cmp.Or(e.DeprecatedSource.Host, e.ReportingInstance))
	return out.dated(e.EventTime.Time, e.CreationTimestamp.Time)
}

// kubeletOf is the node of the kubelet that wrote an event: it gives its node's name as its host (makeEventRecorder in
// cmd/kubelet/app/server.go of kubernetes/kubernetes@v1.36.3). The host of others is that of their own pod.
func kubeletOf(source, host string) string {
	if source != "kubelet" {
		return ""
	}
	return host
}

// dated fills in times that an event of the other group does not have.
func (e Event) dated(event, created time.Time) Event {
	for _, at := range []time.Time{event, created} {
		if e.First.IsZero() {
			e.First = at
		}
		if e.Last.IsZero() {
			e.Last = at
		}
	}
	e.First, e.Last = e.First.UTC(), e.Last.UTC()
	return e
}

func involved(o corev1.ObjectReference) snapshot.Ref {
	return snapshot.Ref{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, UID: string(o.UID)}
}
