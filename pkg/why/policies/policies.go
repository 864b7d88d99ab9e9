// Package policies evaluates NetworkPolicies as their API defines them (k8s.io/api/networking/v1/types.go@v0.36.3): a pod that a policy
// selects may do only what some policy allows. Whether the network plugin enforces them, nobody can see in the API.
package policies

import (
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Peer is the other end of a connection, as far as it is known.
type Peer struct {
	Namespaces []string          // in one of which it is; none: it is outside the cluster
	Labels     map[string]string // of its pod; nil: not known
	IP         string            // empty: not known
	Named      map[string]int32  // ports of its containers by name; nil: not known
	Unknown    bool              // it may be anything that has the address: a pod or a Service of any namespace, or neither
}

// Port is what is connected to.
type Port struct {
	Protocol corev1.Protocol
	Number   int32 // 0: any, chosen at random
	Unknown  bool  // a Service may translate it
}

// answer is whether a rule allows a connection. What cannot be told counts as allowed.
type answer int

const (
	no answer = iota
	maybe
	yes
)

// Egress returns the policies that select a pod and none of which allows it to connect to a peer. None: it may, or nobody can tell.
func Egress(list []networkingv1.NetworkPolicy, from *corev1.Pod, to Peer, port Port) []networkingv1.NetworkPolicy {
	return denying(list, from, networkingv1.PolicyTypeEgress, func(p *networkingv1.NetworkPolicy) bool {
		return slices.ContainsFunc(p.Spec.Egress, func(r networkingv1.NetworkPolicyEgressRule) bool {
			return allowsPeer(r.To, p.Namespace, to) != no && allowsPort(r.Ports, to.Named, port) != no
		})
	})
}

// Ingress returns the policies that select a pod and none of which lets a peer connect to it.
func Ingress(list []networkingv1.NetworkPolicy, to *corev1.Pod, from Peer, port Port) []networkingv1.NetworkPolicy {
	named := Named(to)
	return denying(list, to, networkingv1.PolicyTypeIngress, func(p *networkingv1.NetworkPolicy) bool {
		return slices.ContainsFunc(p.Spec.Ingress, func(r networkingv1.NetworkPolicyIngressRule) bool {
			return allowsPeer(r.From, p.Namespace, from) != no && allowsPort(r.Ports, named, port) != no
		})
	})
}

// denying are the policies that isolate a pod in a direction, unless one of them allows. A pod of the host's network has no policies.
func denying(list []networkingv1.NetworkPolicy, pod *corev1.Pod, direction networkingv1.PolicyType,
	allows func(*networkingv1.NetworkPolicy) bool,
) []networkingv1.NetworkPolicy {
	if pod == nil || pod.Spec.HostNetwork {
		return nil
	}
	var out []networkingv1.NetworkPolicy
	for i := range list {
		p := &list[i]
		if p.Namespace != pod.Namespace || !isolates(p, direction) || !selects(&p.Spec.PodSelector, pod.Labels) {
			continue
		}
		if allows(p) {
			return nil
		}
		out = append(out, *p)
	}
	return out
}

// isolates reports whether a policy is about a direction. Without policyTypes it is about ingress, and about egress if it has rules for it.
func isolates(p *networkingv1.NetworkPolicy, direction networkingv1.PolicyType) bool {
	if len(p.Spec.PolicyTypes) > 0 {
		return slices.Contains(p.Spec.PolicyTypes, direction)
	}
	return direction == networkingv1.PolicyTypeIngress || len(p.Spec.Egress) > 0
}

func selects(s *metav1.LabelSelector, of map[string]string) bool {
	selector, err := metav1.LabelSelectorAsSelector(s)
	return err == nil && selector.Matches(labels.Set(of))
}

func allowsPeer(list []networkingv1.NetworkPolicyPeer, namespace string, to Peer) answer {
	if len(list) == 0 {
		return yes
	}
	best := no
	for i := range list {
		best = max(best, matches(&list[i], namespace, to))
	}
	return best
}

func matches(p *networkingv1.NetworkPolicyPeer, namespace string, to Peer) answer {
	if p.IPBlock != nil {
		return inBlock(p.IPBlock, to.IP)
	}
	if to.Unknown {
		return maybe
	}
	if len(to.Namespaces) == 0 {
		return no // selectors select pods
	}
	in := no
	for _, one := range to.Namespaces {
		if p.NamespaceSelector == nil {
			if one == namespace {
				in = yes
			}
			continue
		}
		in = max(in, inNamespace(p.NamespaceSelector, one))
	}
	if p.PodSelector == nil || in == no {
		return in
	}
	if to.Labels == nil {
		if len(p.PodSelector.MatchLabels)+len(p.PodSelector.MatchExpressions) == 0 {
			return in
		}
		return maybe
	}
	if !selects(p.PodSelector, to.Labels) {
		return no
	}
	return in
}

// inNamespace knows of the labels of a namespace only the one that the API server sets to its name
// (NamespaceDefaultLabelName in kubernetes pkg/apis/core/v1/defaults.go@v1.36.3).
func inNamespace(s *metav1.LabelSelector, namespace string) answer {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return maybe
	}
	out := yes
	requirements, _ := selector.Requirements()
	for _, r := range requirements {
		switch {
		case r.Key() != corev1.LabelMetadataName:
			out = min(out, maybe)
		case !r.Matches(labels.Set{corev1.LabelMetadataName: namespace}):
			return no
		}
	}
	return out
}

// inBlock is whether an address is in a block. What a plugin takes for the address of a pod or a Service differs.
func inBlock(b *networkingv1.IPBlock, ip string) answer {
	address, err := netip.ParseAddr(ip)
	if err != nil {
		return maybe
	}
	within := func(text string) bool {
		prefix, err := netip.ParsePrefix(text)
		return err != nil || prefix.Contains(address)
	}
	if !within(b.CIDR) || slices.ContainsFunc(b.Except, within) {
		return no
	}
	return yes
}

// dns is the port of DNS.
const dns = 53

// wide is how many ports a range has that may be meant for ports chosen at random.
const wide = 1000

func allowsPort(list []networkingv1.NetworkPolicyPort, named map[string]int32, port Port) answer {
	if len(list) == 0 {
		return yes
	}
	best := no
	for i := range list {
		p := &list[i]
		if protocolOf(p) == port.Protocol {
			best = max(best, portIn(p, named, port))
		}
	}
	return best
}

// protocolOf is TCP where a rule names none.
func protocolOf(p *networkingv1.NetworkPolicyPort) corev1.Protocol {
	if p.Protocol == nil {
		return corev1.ProtocolTCP
	}
	return *p.Protocol
}

func portIn(p *networkingv1.NetworkPolicyPort, named map[string]int32, port Port) answer {
	switch {
	case p.Port == nil:
		return yes
	case port.Unknown && p.Port.IntVal == dns && port.Number != dns:
		return no // no Service translates another port to that of DNS
	case port.Unknown:
		return maybe
	case p.Port.Type == intstr.String:
		number, has := named[p.Port.StrVal]
		meant := has && number == port.Number
		if named != nil && !meant {
			return no
		}
		return maybe
	}
	first, last := p.Port.IntVal, p.Port.IntVal
	if p.EndPort != nil {
		last = *p.EndPort
	}
	switch {
	case port.Number == 0 && last-first >= wide:
		return maybe
	case port.Number != 0 && first <= port.Number && port.Number <= last:
		return yes
	default:
		return no
	}
}

// Named are the ports of a pod that have a name.
func Named(pod *corev1.Pod) map[string]int32 {
	out := map[string]int32{}
	for _, c := range pod.Spec.Containers {
		for _, port := range c.Ports {
			if port.Name != "" {
				out[port.Name] = port.ContainerPort
			}
		}
	}
	return out
}

// Of is a pod as a peer.
func Of(pod *corev1.Pod) Peer {
	of := pod.Labels
	if of == nil {
		of = map[string]string{}
	}
	return Peer{Namespaces: []string{pod.Namespace}, Labels: of, IP: pod.Status.PodIP, Named: Named(pod)}
}
