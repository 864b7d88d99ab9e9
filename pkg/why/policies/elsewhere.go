package policies

import (
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Elsewhere is a policy that lets a pod and a peer connect, on other ports than the one that is asked for.
type Elsewhere struct {
	Policy string   // empty: there is none
	Ports  []string // of TCP, as the rule has them: a number, a range "30000-30010", the name of a port
}

// EgressElsewhere is the first of some policies that lets a pod connect to a peer on other ports.
func EgressElsewhere(list []networkingv1.NetworkPolicy, to Peer) Elsewhere {
	for i := range list {
		for _, r := range list[i].Spec.Egress {
			if ports := portsOf(r.Ports); len(ports) > 0 && means(r.To, list[i].Namespace, to) {
				return Elsewhere{Policy: list[i].Name, Ports: ports}
			}
		}
	}
	return Elsewhere{}
}

// IngressElsewhere is the first of some policies that lets a peer connect to a pod on other ports.
func IngressElsewhere(list []networkingv1.NetworkPolicy, from Peer) Elsewhere {
	for i := range list {
		for _, r := range list[i].Spec.Ingress {
			if ports := portsOf(r.Ports); len(ports) > 0 && means(r.From, list[i].Namespace, from) {
				return Elsewhere{Policy: list[i].Name, Ports: ports}
			}
		}
	}
	return Elsewhere{}
}

// means reports whether a rule names a peer: pods by selectors, and what is outside the cluster by its address. A rule for all peers names
// no peer, and a block of addresses no pod.
func means(list []networkingv1.NetworkPolicyPeer, namespace string, to Peer) bool {
	return slices.ContainsFunc(list, func(p networkingv1.NetworkPolicyPeer) bool {
		ofPods := p.IPBlock == nil
		inside := len(to.Namespaces) > 0
		return ofPods == inside && matches(&p, namespace, to) != no && !(p.IPBlock != nil && to.IP == "")
	})
}

// portsOf are the ports of TCP of a rule. Without any it allows all.
func portsOf(list []networkingv1.NetworkPolicyPort) (out []string) {
	for i := range list {
		p := &list[i]
		if protocolOf(p) != corev1.ProtocolTCP || p.Port == nil {
			continue
		}
		text := p.Port.String()
		if p.Port.Type == intstr.Int && p.EndPort != nil && *p.EndPort > p.Port.IntVal {
			text = fmt.Sprintf("%s-%s", text, strconv.Itoa(int(*p.EndPort)))
		}
		out = append(out, text)
	}
	return out
}
