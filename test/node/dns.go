package node

import (
	"context"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
)

const dnsUser = "coredns"

// corefile has the DNS server answer for the cluster's Services and pods, and say of every other name that it does not exist: in a block
// of its own, because template answers before kubernetes does (coredns plugin.cfg@v1.14.7). With no kube-proxy only headless Services
// lead anywhere.
func (n *Node) corefile() string {
	return fmt.Sprintf(`cluster.local:53 in-addr.arpa:53 {
  bind %[1]s
  errors
  kubernetes cluster.local in-addr.arpa {
    kubeconfig %[2]s
    ttl 5
  }
}
.:53 {
  bind %[1]s
  errors
  template ANY ANY . {
    rcode NXDOMAIN
  }
}
`, nodeAddress, n.file("coredns.kubeconfig"))
}

// allowDNS lets the DNS server read what it answers from (the ClusterRole of CoreDNS's own deployment).
func (n *Node) allowDNS(ctx context.Context) error {
	read := []string{"list", "watch"}
	return n.cp.Grant(ctx, dnsUser, "",
		rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"endpoints", "services", "pods", "namespaces"}, Verbs: read},
		rbacv1.PolicyRule{APIGroups: []string{"discovery.k8s.io"}, Resources: []string{"endpointslices"}, Verbs: read},
	)
}
