package policies_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	networkingv1 "k8s.io/api/networking/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/policies"
)

// TestElsewhere: a rule counts that names the peer and lists ports of TCP.
func TestElsewhere(t *testing.T) {
	driver := policies.Of(pod("driver"))
	outside := policies.Peer{IP: "203.0.113.7"}
	for _, c := range []struct {
		name, egress string
		to           policies.Peer
		ports        []string
	}{
		{"its pods", "{to: [{podSelector: {matchLabels: {spark-role: driver}}}], ports: [{port: 7077}, {port: 30000, endPort: 30010}]}", driver,
			[]string{"7077", "30000-30010"}},
		{"other pods", "{to: [{podSelector: {matchLabels: {app: db}}}], ports: [{port: 7077}]}", driver, nil},
		{"everybody", "{ports: [{port: 443}]}", driver, nil},
		{"a block of addresses", "{to: [{ipBlock: {cidr: 10.0.0.0/8}}], ports: [{port: 443}]}", driver, nil},
		{"an address outside", "{to: [{ipBlock: {cidr: 203.0.113.0/24}}], ports: [{port: 443}]}", outside, []string{"443"}},
		{"pods, of an address outside", "{to: [{podSelector: {}}], ports: [{port: 443}]}", outside, nil},
		{"UDP", "{to: [{podSelector: {}}], ports: [{port: 53, protocol: UDP}]}", driver, nil},
		{"all ports", "{to: [{podSelector: {}}]}", driver, nil},
	} {
		p := policy(t, "{podSelector: {}, policyTypes: [Egress], egress: ["+c.egress+"]}")
		require.Equal(t, c.ports, policies.EgressElsewhere([]networkingv1.NetworkPolicy{p}, c.to).Ports, c.name)
	}
}
