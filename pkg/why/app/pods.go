package app

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
func (s *sorter) pods(all []corev1.Pod, logs []Log) {
	in := within(s.e.Subject.Namespace, all)
	selectors := s.clientExecutors(in, logs)
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
	if slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool { return operator.LegacyController(c.Image, c.Args) }) {
		return true
	}
	if p.Labels["app.kubernetes.io/name"] != "spark-operator" {
		return false
	}
	component := p.Labels["app.kubernetes.io/component"]
	return component == "" || component == "controller"
}

func (s *sorter) isOurs(p *corev1.Pod) bool {
	switch asked := s.e.Subject; {
	case asked.Kind == "Pod":
		return p.Name == asked.Name
	case s.e.Apache != nil:
		return s.e.Apache.owns(p.Labels) || s.isOwned(p.OwnerReferences)
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

// withoutValues drops what environment variables are set to, but for what is known to hold no secret.
func withoutValues(p *corev1.PodSpec) {
	for _, list := range [][]corev1.Container{p.Containers, p.InitContainers} {
		for i := range list {
			for j := range list[i].Env {
				e := &list[i].Env[j]
				e.Value = snapshot.KeptValue(e.Name, e.Value)
			}
		}
	}
	for i := range p.EphemeralContainers {
		p.EphemeralContainers[i].Env = nil
	}
}

// neighbors keeps of other pods on nodes that are known, and of those that a quota counts, what they hold; and of those beside pods of the
// application, which of their containers ended.
func (s *sorter) neighbors(all []corev1.Pod) {
	known, ours := map[string]bool{}, map[string]bool{"": false}
	for i := range s.e.Nodes {
		known[s.e.Nodes[i].Name] = true
	}
	for i := range s.e.Pods {
		if node := s.e.Pods[i].Spec.NodeName; node != "" {
			ours[node] = true
		}
	}
	for i := range all {
		p := &all[i]
		inside := p.Namespace == s.e.Subject.Namespace
		own := inside && s.names[p.Name]
		ofQuota := inside && len(s.e.Quotas) > 0
		takesRoom := known[p.Spec.NodeName] || ofQuota
		ended := endedOnly(p.Status.ContainerStatuses) // what it served on the node of a pod of the application ended, too
		if own || !takesRoom && !(ours[p.Spec.NodeName] && len(ended) > 0) {
			continue
		}
		slim := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name, CreationTimestamp: p.CreationTimestamp},
			Spec: corev1.PodSpec{NodeName: p.Spec.NodeName, Overhead: p.Spec.Overhead, Resources: p.Spec.Resources,
				Priority: p.Spec.Priority},
			Status: corev1.PodStatus{Phase: p.Status.Phase, ContainerStatuses: ended}}
		for _, label := range []string{labelApplication, labelConnect, snapshot.SparkNameLabel} {
			if name := p.Labels[label]; name != "" {
				slim.Labels = map[string]string{label: name} // the first tells whose it is
				break
			}
		}
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

// endedOnly are the states of containers that ended, now or before they were started again, or that wait for something else than their
// start.
func endedOnly(all []corev1.ContainerStatus) []corev1.ContainerStatus {
	var out []corev1.ContainerStatus
	for i := range all {
		s := &all[i]
		waits := s.State.Waiting
		if waits != nil && waits.Reason == "ContainerCreating" {
			waits = nil
		}
		if s.State.Terminated == nil && s.LastTerminationState.Terminated == nil && waits == nil {
			continue
		}
		out = append(out, corev1.ContainerStatus{Name: s.Name, RestartCount: s.RestartCount, State: corev1.ContainerState{
			Terminated: s.State.Terminated, Waiting: waits},
			LastTerminationState: corev1.ContainerState{Terminated: s.LastTerminationState.Terminated}})
	}
	return out
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

// ApplicationOf is the application that a pod names as its own; empty: it names none.
func ApplicationOf(p *corev1.Pod) string { return p.Labels[labelApplication] }
