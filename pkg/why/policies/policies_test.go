package policies_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/policies"
)

func policy(t *testing.T, spec string) networkingv1.NetworkPolicy {
	t.Helper()
	p := networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Namespace: "jobs", Name: "p"}}
	require.NoError(t, yaml.UnmarshalStrict([]byte(spec), &p.Spec), spec)
	return p
}

func pod(role string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "jobs", Name: role, Labels: map[string]string{"spark-role": role, "team": "a"}}}
	p.Status.PodIP = map[string]string{"driver": "10.1.0.1", "executor": "10.1.0.2"}[role]
	p.Spec.Containers = []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "driver-rpc-port", ContainerPort: 7078}}}}
	return p
}

// TestEgress is what executors may connect to. Each row is denied, or a look-alike that is not.
func TestEgress(t *testing.T) {
	driver := policies.Of(pod("driver"))
	rpc := policies.Port{Protocol: corev1.ProtocolTCP, Number: 7078}
	dns := policies.Peer{Namespaces: []string{"kube-system", "openshift-dns"}}
	udp := policies.Port{Protocol: corev1.ProtocolUDP, Number: 53}
	outside := policies.Peer{}
	https := policies.Port{Protocol: corev1.ProtocolTCP, Number: 443}
	for _, c := range []struct {
		name, spec string
		to         policies.Peer
		port       policies.Port
		denied     bool
	}{
		{"all is denied", "{podSelector: {}, policyTypes: [Egress]}", driver, rpc, true},
		{"ingress only", "{podSelector: {}, policyTypes: [Ingress]}", driver, rpc, false},
		{"without types it is about ingress", "{podSelector: {}}", driver, rpc, false},
		{"without types, with rules for egress", "{podSelector: {}, egress: [{ports: [{port: 443}]}]}", driver, rpc, true},
		{"of other pods", "{podSelector: {matchLabels: {spark-role: driver}}, policyTypes: [Egress]}", driver, rpc, false},
		{"all is allowed", "{podSelector: {}, policyTypes: [Egress], egress: [{}]}", driver, rpc, false},
		{"the port is allowed", "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 7078}]}]}", driver, rpc, false},
		{"a range holds it", "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 7000, endPort: 7100}]}]}", driver, rpc, false},
		{"by name", "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: driver-rpc-port}]}]}", driver, rpc, false},
		{"by another name", "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: http}]}]}", driver, rpc, true},
		{"the other protocol", "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 7078, protocol: UDP}]}]}", driver, rpc, true},
		{"within the namespace", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{podSelector: {}}]}]}", driver, rpc, false},
		{"to other pods of it", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{podSelector: {matchLabels: {app: db}}}]}]}", driver,
			rpc, true},
		{"to another namespace", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels: " +
			"{kubernetes.io/metadata.name: kube-system}}}]}]}", driver, rpc, true},
		{"to a namespace by a label that was not read",
			"{podSelector: {}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels: {team: a}}}]}]}", driver, rpc, false},
		{"by address", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8}}]}]}", driver, rpc, false},
		{"but not this one", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}]}]}",
			driver, rpc, true},
		{"a port chosen at random", "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 7078}, {port: 7079}]}]}",
			policies.Of(pod("executor")),
			policies.Port{Protocol: corev1.ProtocolTCP}, true},
		{"from a range for that", "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 1024, endPort: 65535}]}]}",
			policies.Of(pod("executor")),
			policies.Port{Protocol: corev1.ProtocolTCP}, false},
		{"DNS is forgotten", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{podSelector: {}}]}]}", dns, udp, true},
		{"DNS is allowed", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels: " +
			"{kubernetes.io/metadata.name: kube-system}}, " +
			"podSelector: {matchLabels: {k8s-app: kube-dns}}}], ports: [{port: 53, protocol: UDP}]}]}", dns, udp, false},
		{"DNS over TCP only", "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 53}]}]}", dns, udp, true},
		{"a cache of DNS on the node", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 169.254.20.10/32}}], ports: " +
			"[{port: 53, protocol: UDP}]}]}", dns, udp, false},
		{"outside is no pod", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}}]}]}", outside, https, true},
		{"outside by address, which is not known", "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 52.0.0.0/8}}]}]}",
			outside, https, false},
		{"a Service translates the port", "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 8080}]}]}",
			policies.Peer{Namespaces: []string{"db"}},
			policies.Port{Protocol: corev1.ProtocolTCP, Number: 80, Unknown: true}, false},
	} {
		got := policies.Egress([]networkingv1.NetworkPolicy{policy(t, c.spec)}, pod("executor"), c.to, c.port)
		require.Equal(t, c.denied, len(got) > 0, c.name)
	}
}

// TestPoliciesAddUp: what one of them allows is allowed, and policies of other namespaces and pods of the host's network do not count.
func TestPoliciesAddUp(t *testing.T) {
	none, some := policy(t, "{podSelector: {}, policyTypes: [Egress, Ingress]}"),
		policy(t, "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 7078}]}]}")
	driver, rpc := policies.Of(pod("driver")), policies.Port{Protocol: corev1.ProtocolTCP, Number: 7078}
	require.Len(t, policies.Egress([]networkingv1.NetworkPolicy{none}, pod("executor"), driver, rpc), 1)
	require.Empty(t, policies.Egress([]networkingv1.NetworkPolicy{none, some}, pod("executor"), driver, rpc))
	require.Empty(t, policies.Egress([]networkingv1.NetworkPolicy{some, none}, pod("executor"), driver, rpc))
	elsewhere := none
	elsewhere.Namespace = "other"
	require.Empty(t, policies.Egress([]networkingv1.NetworkPolicy{elsewhere}, pod("executor"), driver, rpc))
	host := pod("executor")
	host.Spec.HostNetwork = true
	require.Empty(t, policies.Egress([]networkingv1.NetworkPolicy{none}, host, driver, rpc))

	executor := policies.Of(pod("executor"))
	require.Len(t, policies.Ingress([]networkingv1.NetworkPolicy{none, some}, pod("driver"), executor, rpc), 1)
	from := policy(t, "{podSelector: {matchLabels: {spark-role: driver}}, ingress: [{from: [{podSelector: {matchLabels: {spark-role: "+
		"executor}}}], ports: [{port: driver-rpc-port}]}]}")
	require.Empty(t, policies.Ingress([]networkingv1.NetworkPolicy{none, from}, pod("driver"), executor, rpc))
	require.Len(t, policies.Ingress([]networkingv1.NetworkPolicy{none, from}, pod("driver"), executor,
		policies.Port{Protocol: corev1.ProtocolTCP, Number: 7079}), 2)
}
