package app

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Peer is a pod of something else than the application, or a Service: what has an address within the cluster.
type Peer struct {
	snapshot.Ref

	IP    string           // empty: a Service without one, which names its pods (headless)
	Ports map[string]int32 // of the containers of a pod, by name; one without a name by its number
	// Targets are the ports of the pods behind a Service, by its own; 0: they are known by name only.
	Targets map[int32]int32
}

// peers keeps whom a connection may have been to, where policies may have been in the way. A pod on the network of its node has the node's
// address, and one that ended has none any more.
func (s *sorter) peers(pods []corev1.Pod) {
	if len(s.e.NetworkPolicies) == 0 {
		return
	}
	for i := range pods {
		p := &pods[i]
		ended := p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
		if p.Status.PodIP == "" || p.Spec.HostNetwork || ended {
			continue
		}
		one := Peer{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: p.Namespace, Name: p.Name}, IP: p.Status.PodIP,
			Ports: map[string]int32{}}
		for _, c := range p.Spec.Containers {
			for _, port := range c.Ports {
				one.Ports[cmp.Or(port.Name, strconv.Itoa(int(port.ContainerPort)))] = port.ContainerPort
			}
		}
		s.e.Peers = append(s.e.Peers, one)
	}
	for i := range s.services {
		service := &s.services[i]
		if len(service.Spec.Selector) == 0 || service.Spec.ClusterIP == "" {
			continue // what is behind it has addresses of its own
		}
		one := Peer{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Service", Namespace: service.Namespace, Name: service.Name},
			IP: service.Spec.ClusterIP, Targets: map[int32]int32{}}
		if one.IP == corev1.ClusterIPNone {
			one.IP = ""
		}
		for _, port := range service.Spec.Ports {
			switch target := port.TargetPort; {
			case target == intstr.IntOrString{}:
				one.Targets[port.Port] = port.Port
			case target.Type == intstr.Int:
				one.Targets[port.Port] = target.IntVal
			default:
				one.Targets[port.Port] = 0
			}
		}
		s.e.Peers = append(s.e.Peers, one)
	}
	slices.SortFunc(s.e.Peers, func(a, b Peer) int { return a.Ref.Compare(b.Ref) })
}
