package app

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// driverURL is what Spark tells an executor to connect to (CoarseGrainedSchedulerBackend.ENDPOINT_NAME and RpcEndpointAddress in
// core@v3.5.5, --driver-url of resource-managers/kubernetes/docker/src/main/dockerfiles/spark/entrypoint.sh@v3.5.5). An address of IPv6 is
// in brackets.
var driverURL = lazyregexp.New(`CoarseGrainedScheduler@(\[[0-9a-fA-F:.]+\]|[\w.-]+):\d+`)

// DriverHost is the host that an executor was told to find its driver at, by its log; empty: it does not say.
func (l *Log) DriverHost() string {
	for _, text := range []string{l.Head, l.Tail} {
		if !strings.Contains(text, "CoarseGrainedScheduler@") {
			continue
		}
		if m := driverURL.FindStringSubmatch(text); m != nil {
			return strings.Trim(m[1], "[]")
		}
	}
	return ""
}

// clientExecutors are the selectors of executors whose driver is a pod that Spark did not make: nothing but
// spark.kubernetes.driver.pod.name gives these an owner (ExecutorPodsAllocator.scala in resource-managers/kubernetes@v3.5.5), and the pod
// has no label of Spark. The log of such an executor names the host of its driver: the pod, its address, or a Service that selects it.
// Those of another driver name another host.
func (s *sorter) clientExecutors(in []corev1.Pod, logs []Log) map[string]bool {
	found := map[string]bool{}
	at := slices.IndexFunc(in, func(p corev1.Pod) bool { return p.Name == s.e.Subject.Name })
	if s.e.Subject.Kind != "Pod" || at < 0 || in[at].Labels[labelSelector] != "" || RoleOf(&in[at]) != "" {
		return found
	}
	hosts := s.hostsOf(&in[at])
	for i := range logs {
		l := &logs[i]
		if l.Namespace != s.e.Subject.Namespace {
			continue
		}
		executor := slices.IndexFunc(in, func(p corev1.Pod) bool { return p.Name == l.Pod && RoleOf(&p) == "executor" })
		if executor < 0 || in[executor].Labels[labelSelector] == "" {
			continue
		}
		if host := l.DriverHost(); host != "" && slices.Contains(hosts, host) {
			found[in[executor].Labels[labelSelector]] = true
		}
	}
	return found
}

// hostsOf are the names under which others may know a pod.
func (s *sorter) hostsOf(p *corev1.Pod) []string {
	out := []string{p.Name, p.Status.PodIP}
	for _, ip := range p.Status.PodIPs {
		out = append(out, ip.IP)
	}
	for _, service := range within(p.Namespace, s.services) {
		if len(service.Spec.Selector) > 0 && labels.SelectorFromSet(service.Spec.Selector).Matches(labels.Set(p.Labels)) {
			name := service.Name
			for _, suffix := range []string{"", "." + p.Namespace, "." + p.Namespace + ".svc", "." + p.Namespace + ".svc.cluster.local"} {
				out = append(out, name+suffix, p.Name+"."+name+suffix)
			}
		}
	}
	return slices.DeleteFunc(out, func(host string) bool { return host == "" })
}
