package app

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Server is a Service of something else than Spark, of any namespace, and the pods that it selects.
type Server struct {
	snapshot.Ref

	Headless bool
	Ports    []int32
	Pods     []Backend // that were seen
}

// Backend is a pod behind a Service.
type Backend struct {
	snapshot.Ref

	Phase    corev1.PodPhase
	Ready    bool
	Since    time.Time // since when it is ready, or is not; zero: not known
	Waiting  string    // reason why a container waits: CrashLoopBackOff
	Ended    string    // reason by which a container ended last: OOMKilled
	Code     int32     // with which it ended
	Restarts int32
}

// servers keeps the Services that a log may name. Drivers and executors find each other by Services of their own (DriverServiceFeatureStep.
// scala below resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s@v3.5.5).
func (s *sorter) servers(pods []corev1.Pod) {
	byNamespace := map[string][]*corev1.Pod{}
	for i := range pods {
		if p := &pods[i]; p.Labels[snapshot.AppSelectorLabel] == "" {
			byNamespace[p.Namespace] = append(byNamespace[p.Namespace], p)
		}
	}
	for i := range s.services {
		service := &s.services[i]
		if service.Spec.Selector[snapshot.AppSelectorLabel] != "" {
			continue
		}
		one := Server{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Service", Namespace: service.Namespace, Name: service.Name},
			Headless: service.Spec.ClusterIP == corev1.ClusterIPNone}
		for _, port := range service.Spec.Ports {
			one.Ports = append(one.Ports, port.Port)
		}
		if len(service.Spec.Selector) > 0 {
			selects := labels.SelectorFromSet(service.Spec.Selector)
			for _, p := range byNamespace[service.Namespace] {
				if selects.Matches(labels.Set(p.Labels)) {
					one.Pods = append(one.Pods, backend(p))
				}
			}
		}
		slices.SortFunc(one.Pods, func(a, b Backend) int { return cmp.Compare(a.Name, b.Name) })
		s.e.Servers = append(s.e.Servers, one)
	}
	slices.SortFunc(s.e.Servers, func(a, b Server) int { return a.Ref.Compare(b.Ref) })
}

func backend(p *corev1.Pod) Backend {
	one := Backend{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: p.Namespace, Name: p.Name}, Phase: p.Status.Phase}
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			one.Ready, one.Since = c.Status == corev1.ConditionTrue, c.LastTransitionTime.UTC()
		}
	}
	for _, c := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
		if w := c.State.Waiting; w != nil && one.Waiting == "" {
			one.Waiting = w.Reason
		}
		for _, end := range []*corev1.ContainerStateTerminated{c.State.Terminated, c.LastTerminationState.Terminated} {
			if end != nil && end.ExitCode != 0 && one.Ended == "" {
				one.Ended, one.Code, one.Restarts = end.Reason, end.ExitCode, c.RestartCount
			}
		}
	}
	return one
}
