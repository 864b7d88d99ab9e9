package app

import (
	"cmp"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// FromObjects sorts objects into the evidence about one of them: a SparkApplication, a ScheduledSparkApplication, a SparkConnect or a
// pod. The subject needs no version or UID, and may be gone: its events remain. Values of environment variables are dropped. The objects
// are taken for a part of what there is; a caller that knows better sets Partial.
func FromObjects(objects []unstructured.Unstructured, logs []Log, subject snapshot.Ref, now time.Time) *Evidence {
	s := &sorter{e: &Evidence{Now: now, Subject: subject, Partial: func(string) bool { return true }}}
	s.subject(objects)
	pods := decoded[corev1.Pod](objects, "v1", "Pod")
	s.services = decoded[corev1.Service](objects, "v1", "Service")
	s.pods(pods, logs)
	s.events(objects)
	s.around(objects)
	s.neighbors(pods)
	s.peers(pods)
	s.servers(pods)
	s.logs(logs)
	s.deleted(logs)
	s.commits(logs, pods)
	return s.e
}

// sorter knows the parts of the application that were found so far.
type sorter struct {
	e     *Evidence
	names map[string]bool // of pods, those that are gone included
	uids  map[string]bool

	services []corev1.Service // of all namespaces
}

// subject finds the application that is asked for, and the schedule.
func (s *sorter) subject(objects []unstructured.Unstructured) {
	s.names, s.uids = map[string]bool{}, map[string]bool{}
	asked := s.e.Subject
	at := slices.IndexFunc(objects, func(o unstructured.Unstructured) bool { return is(&o, asked) })
	switch {
	case at >= 0 && asked.Kind == "Pod":
		s.e.Apache = apacheOf(objects, &objects[at])
	case at >= 0 && ofApache(&objects[at]):
		s.e.Apache = decodeApache(&objects[at])
	case at >= 0 && asked.Kind == schedule:
		s.e.Schedule = decodeSchedule(&objects[at])
		s.e.Application, s.e.Newest, s.e.Recovered = lastRuns(objects, s.e.Schedule)
	case at >= 0:
		s.e.Application = Decode(&objects[at])
	}
	if at >= 0 {
		s.e.Subject = refOf(&objects[at])
	}
	if a := s.e.Apache; a != nil {
		s.uids[string(a.UID)] = a.UID != ""
	}
	if a := s.e.Application; a != nil {
		s.uids[string(a.UID)] = a.UID != ""
		if owner := a.OwnerReferences; s.e.Schedule == nil && len(owner) > 0 && owner[0].Kind == schedule {
			s.e.Schedule = scheduleNamed(objects, a.Namespace, owner[0].Name)
		}
		if name := a.Status.DriverPod; name != "" {
			s.names[name] = true
		}
		for name := range a.Status.ExecutorStates {
			s.names[name] = true
		}
	}
}

const (
	schedule = "ScheduledSparkApplication"
	connect  = "SparkConnect"
	cluster  = "SparkCluster" // of the Apache Spark Kubernetes Operator
)

// is reports whether an object is the one that a user asks for.
func is(o *unstructured.Unstructured, asked snapshot.Ref) bool {
	ref := refOf(o)
	if asked.APIVersion != "" && ref.Group() != asked.Group() {
		return false
	}
	return ref.Kind == asked.Kind && ref.Namespace == asked.Namespace && ref.Name == asked.Name
}

// decoded are the objects of a kind, typed. One that does not decode is passed over: it says nothing.
func decoded[T any](objects []unstructured.Unstructured, apiVersion, kind string) []T {
	var out []T
	for i := range objects {
		if objects[i].GetKind() != kind || objects[i].GetAPIVersion() != apiVersion {
			continue
		}
		var one T
		if runtime.DefaultUnstructuredConverter.FromUnstructured(objects[i].Object, &one) == nil {
			out = append(out, one)
		}
	}
	return out
}

// around keeps what surrounds the application: in its namespace, and the nodes.
func (s *sorter) around(objects []unstructured.Unstructured) {
	in := s.e.Subject.Namespace
	s.e.Nodes = decoded[corev1.Node](objects, "v1", "Node")
	s.e.DaemonSets = decoded[appsv1.DaemonSet](objects, "apps/v1", "DaemonSet")
	s.e.CSINodes = decoded[storagev1.CSINode](objects, "storage.k8s.io/v1", "CSINode")
	s.e.Quotas = within(in, decoded[corev1.ResourceQuota](objects, "v1", "ResourceQuota"))
	s.e.LimitRanges = within(in, decoded[corev1.LimitRange](objects, "v1", "LimitRange"))
	s.e.Claims = within(in, decoded[corev1.PersistentVolumeClaim](objects, "v1", "PersistentVolumeClaim"))
	s.e.ServiceAccounts = within(in, decoded[corev1.ServiceAccount](objects, "v1", "ServiceAccount"))
	s.e.Services = within(in, s.services)
	s.e.NetworkPolicies = within(in, decoded[networkingv1.NetworkPolicy](objects, networkingv1.SchemeGroupVersion.String(), "NetworkPolicy"))
	s.e.ConfigMaps, s.e.Secrets = named(objects, "ConfigMap", in), named(objects, "Secret", in)
	for i := range objects {
		if o := &objects[i]; o.GetNamespace() == in && s.queues(o) {
			s.e.Queued = append(s.e.Queued, decodeQueued(o))
		}
		if o := &objects[i]; o.GetKind() == "Queue" && o.GroupVersionKind().Group == "scheduling.volcano.sh" {
			s.e.Queues = append(s.e.Queues, decodeQueue(o))
		}
		if o := &objects[i]; o.GetKind() == "ClusterQueue" && o.GroupVersionKind().Group == "kueue.x-k8s.io" {
			s.e.ClusterQueues = append(s.e.ClusterQueues, decodeClusterQueue(o))
		}
	}
	s.e.Certificates = issuedFrom(objects)
	s.e.External, s.e.Pools = externalFrom(objects, in), poolsFrom(objects)
	s.e.Pruned = prunedFrom(objects, in)
	s.deployed(objects)
	s.beside(objects)
	s.located(objects)
	s.earlier(objects)
	s.workflows(objects)
	slices.SortFunc(s.e.Nodes, func(a, b corev1.Node) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(s.e.DaemonSets, func(a, b appsv1.DaemonSet) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	slices.SortFunc(s.e.CSINodes, func(a, b storagev1.CSINode) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(s.e.Queues, func(a, b Queue) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(s.e.ClusterQueues, func(a, b ClusterQueue) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(s.e.Queued, func(a, b Queued) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
}

// queues tells a Workload or a PodGroup of the application.
func (s *sorter) queues(o *unstructured.Unstructured) bool {
	group := o.GroupVersionKind().Group
	switch {
	case o.GetKind() == "Workload" && strings.HasPrefix(group, "kueue."):
	case o.GetKind() == "PodGroup" && strings.HasPrefix(group, "scheduling."):
	default:
		return false
	}
	for _, owner := range o.GetOwnerReferences() {
		return s.uids[string(owner.UID)] || owner.Name == s.application()
	}
	return s.queuedAs(o.GetName())
}

// queuedAs tells the name of a Workload or a PodGroup of the application. Kueue names a Workload after its owner and a hash; the operator
// names the PodGroup of Volcano spark-APPLICATION-pg (kubeflow/spark-operator internal/scheduler/volcano/scheduler.go@v2.5.2).
func (s *sorter) queuedAs(name string) bool {
	application := s.application()
	if application == "" {
		return false
	}
	return name == "spark-"+application+"-pg" || hashed(strings.TrimPrefix(name, "sparkapplication-"), application)
}

// hashed reports whether a name is another one with a hash of Kueue behind it.
func hashed(name, of string) bool {
	rest, is := strings.CutPrefix(name, of+"-")
	return is && rest != "" && !strings.Contains(rest, "-")
}

func (s *sorter) applicationKind() string {
	switch {
	case s.e.Application != nil:
		return s.e.Application.Kind
	case s.e.Apache != nil:
		return s.e.Apache.Kind
	}
	if s.e.Subject.Kind == connect {
		return connect
	}
	return "SparkApplication"
}

func (s *sorter) application() string {
	switch {
	case s.e.Application != nil:
		return s.e.Application.Name
	case s.e.Apache != nil:
		return s.e.Apache.Name
	}
	if s.e.Subject.Kind == "Pod" {
		return ""
	}
	return s.e.Subject.Name
}

func (s *sorter) logs(logs []Log) {
	for _, l := range logs {
		if slices.ContainsFunc(s.e.Operator, func(p corev1.Pod) bool { return p.Namespace == l.Namespace && p.Name == l.Pod }) {
			s.e.OperatorSaid = append(s.e.OperatorSaid, s.errorsAbout(&l)...)
			continue
		}
		at := slices.IndexFunc(s.e.Pods, func(p corev1.Pod) bool { return p.Namespace == l.Namespace && p.Name == l.Pod })
		if a := s.e.Apache; a != nil && at < 0 && l.Namespace == a.Namespace && l.Role == "" {
			l.Role = a.roleOf(l.Pod) // of a pod that is gone
		}
		if at < 0 && !s.names[l.Pod] && l.Role == "" {
			s.proxied(&l)
			s.celeborn(&l)
			if slices.ContainsFunc(s.e.Webhook, func(p corev1.Pod) bool { return p.Namespace == l.Namespace && p.Name == l.Pod }) {
				s.e.HandshakesRefused = append(s.e.HandshakesRefused, refusedIn(&l)...)
			}
			continue
		}
		if at >= 0 && l.Role == "" {
			if l.Role = s.e.Pods[at].Labels["spark-role"]; l.Role == roleOfServer {
				l.Role = "driver"
			}
		}
		s.e.Logs = append(s.e.Logs, l)
	}
	slices.SortStableFunc(s.e.Logs, func(a, b Log) int {
		return cmp.Or(cmp.Compare(a.Pod, b.Pod), cmp.Compare(a.Container, b.Container), cmp.Compare(boolInt(b.Previous), boolInt(a.Previous)))
	})
	s.standalone(logs)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
