package app

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Labels of pods: those of the operator, and those of Spark itself (core Constants.scala@spark-3.5.5, resource-managers/kubernetes).
const (
	labelApplication = "sparkoperator.k8s.io/app-name"
	labelConnect     = "sparkoperator.k8s.io/connect-name"
	labelSelector    = "spark-app-selector"
)

// pods keeps those of the application: by label, by owner, and by the name that the status says.
func (s *sorter) pods(all []corev1.Pod, objects []unstructured.Unstructured, logs []Log) {
	in := within(s.e.Subject.Namespace, all)
	selectors := s.clientExecutors(in, objects, logs)
	for i := range all {
		if p := &all[i]; runsOperator(p) && p.Labels[labelSelector] == "" {
			withoutValues(&p.Spec)
			s.e.Operator = append(s.e.Operator, *p)
		} else if p.Labels["app.kubernetes.io/name"] == "spark-operator" && p.Labels["app.kubernetes.io/component"] == "webhook" {
			withoutValues(&p.Spec)
			s.e.Webhook = append(s.e.Webhook, *p)
		}
	}
	for i := range in {
		if s.isOurs(&in[i]) {
			selectors[in[i].Labels[labelSelector]] = true
			s.uids[string(in[i].UID)] = in[i].UID != ""
		}
	}
	delete(selectors, "")
	for i := range in {
		p := &in[i]
		if !s.uids[string(p.UID)] && !s.names[p.Name] && !selectors[p.Labels[labelSelector]] && !s.isOwned(p.OwnerReferences) {
			continue
		}
		s.names[p.Name] = true
		s.uids[string(p.UID)] = p.UID != ""
		withoutValues(&p.Spec)
		s.e.Pods = append(s.e.Pods, *p)
	}
	slices.SortFunc(s.e.Pods, func(a, b corev1.Pod) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
}

// runsOperator tells a pod of the operator's controller, in which spark-submit runs, by the labels of the chart
// (charts/spark-operator-chart/templates/_helpers.tpl@v2.5.2; in 1.x there is no component), or as 1.x by its image and flags.
func runsOperator(p *corev1.Pod) bool {
	component := p.Labels["app.kubernetes.io/component"]
	if slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool { return operator.LegacyController(c.Image, c.Args) }) {
		return true
	}
	return p.Labels["app.kubernetes.io/name"] == "spark-operator" && (component == "" || component == "controller")
}

func (s *sorter) isOurs(p *corev1.Pod) bool {
	switch asked := s.e.Subject; {
	case asked.Kind == "Pod":
		return p.Name == asked.Name
	case s.application() == "":
		return false
	case s.applicationKind() == connect:
		return p.Labels[labelConnect] == s.application() || s.isOwned(p.OwnerReferences)
	default:
		return s.names[p.Name] || p.Labels[labelApplication] == s.application() || s.isOwned(p.OwnerReferences)
	}
}

func (s *sorter) isOwned(owners []metav1.OwnerReference) bool {
	return slices.ContainsFunc(owners, func(o metav1.OwnerReference) bool { return s.uids[string(o.UID)] })
}

func ownedBy(kind, name string) func(metav1.OwnerReference) bool {
	return func(o metav1.OwnerReference) bool { return o.Kind == kind && o.Name == name }
}

// withoutValues drops what environment variables are set to.
func withoutValues(p *corev1.PodSpec) {
	for _, list := range [][]corev1.Container{p.Containers, p.InitContainers} {
		for i := range list {
			for j := range list[i].Env {
				list[i].Env[j].Value = ""
			}
		}
	}
	for i := range p.EphemeralContainers {
		p.EphemeralContainers[i].Env = nil
	}
}

// neighbors keeps of other pods on nodes that are known, and of those that a quota counts, what they hold.
func (s *sorter) neighbors(all []corev1.Pod) {
	known := map[string]bool{}
	for i := range s.e.Nodes {
		known[s.e.Nodes[i].Name] = true
	}
	for i := range all {
		p := &all[i]
		inside := p.Namespace == s.e.Subject.Namespace
		counts := inside && len(s.e.Quotas) > 0
		if !known[p.Spec.NodeName] && !counts || inside && s.names[p.Name] {
			continue
		}
		slim := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name}}
		if app := p.Labels[labelApplication]; app != "" {
			slim.Labels = map[string]string{labelApplication: app}
		}
		slim.Spec.NodeName, slim.Spec.Overhead, slim.Spec.Resources = p.Spec.NodeName, p.Spec.Overhead, p.Spec.Resources
		slim.Spec.Priority, slim.Status.Phase = p.Spec.Priority, p.Status.Phase
		for _, c := range p.Spec.Containers {
			slim.Spec.Containers = append(slim.Spec.Containers, corev1.Container{Name: c.Name, Resources: c.Resources})
		}
		for _, c := range p.Spec.InitContainers {
			slim.Spec.InitContainers = append(slim.Spec.InitContainers,
				corev1.Container{Name: c.Name, Resources: c.Resources, RestartPolicy: c.RestartPolicy})
		}
		s.e.Neighbors = append(s.e.Neighbors, slim)
	}
	slices.SortFunc(s.e.Neighbors, func(a, b corev1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

// within are the objects of a namespace, by name.
func within[T any, P interface {
	*T
	metav1.Object
}](namespace string, all []T) []T {
	var out []T
	for i := range all {
		if P(&all[i]).GetNamespace() == namespace {
			out = append(out, all[i])
		}
	}
	slices.SortFunc(out, func(a, b T) int { return cmp.Compare(P(&a).GetName(), P(&b).GetName()) })
	return out
}

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
	// A pod that is gone was on a node, too: its event Scheduled names it.
	for i := range all {
		if node := all[i].ScheduledTo(); node != "" && s.podKnown(all[i].Involved) {
			used["Node/"+node] = true
		}
	}
	for _, e := range all {
		s.keep(used, e)
	}
	slices.SortFunc(s.e.Events, func(a, b Event) int {
		return cmp.Or(a.Last.Compare(b.Last), a.First.Compare(b.First), a.Involved.Compare(b.Involved), cmp.Compare(a.Reason, b.Reason),
			cmp.Compare(a.Message, b.Message))
	})
	// The same event may be read from both API groups.
	s.e.Events = slices.Compact(s.e.Events)
}

func (s *sorter) keep(used map[string]bool, e Event) {
	on := e.Involved
	if on.Kind == "Node" {
		// Where the pods of executors are gone, so may be what names their nodes.
		if used["Node/"+on.Name] || e.Reason == "OOMKilling" || e.Reason == "SystemOOM" {
			s.e.Events = append(s.e.Events, e)
		}
		return
	}
	if on.Namespace != s.e.Subject.Namespace {
		return
	}
	name := s.application()
	queued := (on.Kind == "Workload" || on.Kind == "PodGroup") && name != "" &&
		(on.Name == "spark-"+name+"-pg" || hashed(strings.TrimPrefix(on.Name, "sparkapplication-"), name))
	if s.uids[on.UID] || on.Kind == s.e.Subject.Kind && on.Name == s.e.Subject.Name || on.Kind == s.applicationKind() && on.Name == name ||
		s.podKnown(on) || used[on.Kind+"/"+on.Name] || queued {
		s.e.Events = append(s.e.Events, e)
		if on.Kind == "Pod" {
			s.names[on.Name] = true
		}
	}
}

func (s *sorter) podKnown(on snapshot.Ref) bool {
	return on.Kind == "Pod" && on.Namespace == s.e.Subject.Namespace &&
		(s.names[on.Name] || podOf(s.applicationKind(), s.application(), on.Name))
}

// podOf tells the name of a pod of an application, as the operator and Spark form it: NAME-driver, NAME-HASH-exec-1 where the hash has 16
// digits (KubernetesConf.getResourceNamePrefix@spark-3.5.5); of a SparkConnect NAME-server and NAME-exec-1
// (internal/controller/sparkconnect/{util,options}.go@v2.5.2).
func podOf(kind, application, pod string) bool {
	if application == "" {
		return false
	}
	rest, is := strings.CutPrefix(pod, application+"-")
	if kind == connect {
		return is && (rest == "server" || serverExecutor().MatchString(rest))
	}
	return is && (rest == "driver" || apacheDriver().MatchString(rest) || executorSuffix().MatchString(rest))
}

// apacheDriver matches the end of the name that the Apache Spark operator gives to the driver of an attempt
// (apache/spark-kubernetes-operator
// spark-submission-worker/src/main/java/org/apache/spark/k8s/operator/SparkAppSubmissionWorker.java@0.4.0).
func apacheDriver() *regexp.Regexp { return regexp.MustCompile(`^\d+-driver$`) }

func executorSuffix() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{16}-exec-\d+$`) }

func serverExecutor() *regexp.Regexp { return regexp.MustCompile(`^exec-\d+$`) }

func fromCore(e *corev1.Event) Event {
	out := Event{
		Type: e.Type, Reason: e.Reason, Message: strings.TrimSpace(e.Message), Source: cmp.Or(e.Source.Component, e.ReportingController),
		Involved: involved(e.InvolvedObject), Count: max(1, int(e.Count)), First: e.FirstTimestamp.Time, Last: e.LastTimestamp.Time,
	}
	if e.Series != nil {
		out.Count, out.Last = max(out.Count, int(e.Series.Count)), e.Series.LastObservedTime.Time
	}
	return out.dated(e.EventTime.Time, e.CreationTimestamp.Time)
}

func fromEvents(e *eventsv1.Event) Event {
	out := Event{
		Type: e.Type, Reason: e.Reason, Message: strings.TrimSpace(e.Note), Source: cmp.Or(e.ReportingController, e.DeprecatedSource.Component),
		Involved: involved(e.Regarding), Count: max(1, int(e.DeprecatedCount)),
		First: e.DeprecatedFirstTimestamp.Time, Last: e.DeprecatedLastTimestamp.Time,
	}
	if e.Series != nil {
		out.Count, out.Last = max(out.Count, int(e.Series.Count)), e.Series.LastObservedTime.Time
	}
	return out.dated(e.EventTime.Time, e.CreationTimestamp.Time)
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
