package mechanism

import "strings"

// dnsName is a host that the DNS of a cluster serves: SERVICE, SERVICE.NAMESPACE and SERVICE.NAMESPACE.svc, and of a pod behind a
// headless Service POD.SERVICE.NAMESPACE.svc, each with or without the domain of the cluster
// (content/en/docs/concepts/services-networking/dns-pod-service.md of kubernetes/website).
type dnsName struct {
	service   string
	namespace string // empty: the host does not name it
	ofPod     bool
	// mayBeOutside is true of two parts, which names outside the cluster have, too.
	mayBeOutside bool
}

// inClusterDNS reads a host, and reports whether it may be one of a cluster.
func inClusterDNS(host string) (dnsName, bool) {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(host, "."), ".cluster.local"), ".")
	n := len(parts)
	switch svc := parts[n-1] == "svc"; {
	case n == 1:
		return dnsName{service: parts[0]}, parts[0] != ""
	case n == 2:
		return dnsName{service: parts[0], namespace: parts[1], mayBeOutside: true}, true
	case n == 3 && svc:
		return dnsName{service: parts[0], namespace: parts[1]}, true
	case n > 3 && svc:
		return dnsName{service: parts[n-3], namespace: parts[n-2], ofPod: true}, true
	default:
		return dnsName{}, false
	}
}

// lookedUpIn is the name as a pod of a namespace has it looked up.
func (s dnsName) lookedUpIn(namespace string) dnsName {
	if s.namespace == "" {
		s.namespace = namespace
	}
	return s
}
