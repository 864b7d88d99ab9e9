package mechanism

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/policies"
)

// PolicyBlocks is about NetworkPolicies that explain why a connection fails of which a log tells. Whether the network enforces policies,
// the API does not say; a policy that is newer than the failure, or a peer that had ended, explains nothing. What a policy selects and
// allows is defined in staging/src/k8s.io/api/networking/v1/types.go@v1.36.3.
type PolicyBlocks struct {
	Policies []string
	From     cause.Role // whose pods they select
	To       Target
	// Open is a port to which they let executors connect, where Spark takes a random one because none is set; 0: it is not that.
	Open int32
}

// Target is what policies allow no connection to.
type Target struct {
	Kind TargetKind
	Port int32
	Host string // of OtherHost
}

// TargetKind is which part of the cluster a target is.
type TargetKind int

// The targets.
const (
	ClusterDNS          TargetKind = iota // port 53
	DriverPort                            // of the driver
	DriverFromExecutors                   // the same, closed at the driver
	ExecutorPort                          // of other executors
	OtherHost
)

// Mechanism names it.
func (PolicyBlocks) Mechanism() cause.ID { return "policy-blocks" }

// BlockedByPolicy names the policies that do not allow the connection of which a log cause tells, before causes are ranked: what only told
// a consequence has a cause then.
func BlockedByPolicy(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	if !is {
		return cause.Cause{}, false
	}
	from := podOf(v, about)
	if failed.Connection.Fetches && len(v.Executors) > 0 {
		from = v.Executors[0] // whichever log tells of it, an executor fetched from another
	}
	driverOver := from != v.Driver && over(v.Driver, about.At)
	if from == nil || driverOver {
		return cause.Cause{}, false
	}
	list := slices.DeleteFunc(slices.Clone(v.NetworkPolicies), func(p networkingv1.NetworkPolicy) bool {
		return !about.At.IsZero() && p.CreationTimestamp.After(about.At)
	})
	role := cause.DriverRole
	if from.Labels["spark-role"] == "executor" {
		role = cause.ExecutorRole
	}
	to, by := closed(v, list, from, &failed, about.At)
	if len(by) == 0 {
		return cause.Cause{}, false
	}
	slices.SortStableFunc(by, func(a, b networkingv1.NetworkPolicy) int { // one with rules is the one to add to
		return (len(b.Spec.Ingress) + len(b.Spec.Egress)) - (len(a.Spec.Ingress) + len(a.Spec.Egress))
	})
	found := PolicyBlocks{From: role, To: to}
	if to.Kind == ExecutorPort {
		found.Open = v.openPort(list, from, addressed(v, failed.Connection.Host))
	}
	out := cause.Cause{Class: cause.Network, Certainty: check.Likely, Role: role, Subject: PolicyRef(&by[0]), At: about.At,
		Trust: cause.ByEnvironment}
	if to.Kind == DriverFromExecutors || to.Kind == ExecutorPort {
		out.Role = cause.ExecutorRole
	}
	for i := range by {
		found.Policies = append(found.Policies, by[i].Name)
		out.Evidence = append(out.Evidence, cause.Proof{Object: PolicyRef(&by[i]), Field: "spec", Value: PolicyText(&by[i])})
	}
	out.Detail = found
	return out, true
}

// closed is what a pod could not reach, by its log, and the policies that are in the way. Packets that a policy blocks are dropped, so that
// names do not resolve and connections time out; one that is refused reached somebody.
func closed(v *View, list []networkingv1.NetworkPolicy, from *corev1.Pod, failed *logs.Failure, at time.Time,
) (Target, []networkingv1.NetworkPolicy) {
	switch {
	case failed.Connection.Unresolved:
		if namesResolve(v, from) || !usesClusterDNS(from) {
			return Target{}, nil
		}
		dns := policies.Peer{Namespaces: []string{"kube-system", "openshift-dns"}}
		return Target{Kind: ClusterDNS, Port: 53}, policies.Egress(list, from, dns, policies.Port{Protocol: corev1.ProtocolUDP, Number: 53})
	case failed.Connection.TimedOut:
		return unreached(v, list, from, failed, at)
	default:
		return Target{}, nil
	}
}

// podOf is the pod that a log cause is about, or one like it; nil: there is none.
func podOf(v *View, c *cause.Cause) *corev1.Pod {
	if p := v.Pod(c.Subject.Name); p != nil {
		return p
	}
	if c.Trust == cause.ByExecutorLog && len(v.Executors) > 0 {
		return v.Executors[0] // it is gone: policies see the same labels on the others
	}
	return nil
}

// over reports whether a pod had ended at a time, or may have: then nothing listens there, and its name is gone.
func over(p *corev1.Pod, at time.Time) bool {
	if p == nil {
		return true
	}
	after := func(end time.Time) bool { return at.IsZero() || at.After(end) }
	if p.DeletionTimestamp != nil && after(p.DeletionTimestamp.Time) {
		return true
	}
	t := app.Termination(p)
	return t != nil && after(t.FinishedAt.Add(-2*time.Second))
}

// namesResolve reports whether a pod showed that names resolve: a driver that created executors found the API server, and an executor that
// registered found the driver.
func namesResolve(v *View, from *corev1.Pod) bool {
	if from.Labels["spark-role"] == "executor" {
		return v.Work.Registered
	}
	return len(v.Names()) > 0
}

func usesClusterDNS(p *corev1.Pod) bool {
	return p.Spec.DNSPolicy == "" || p.Spec.DNSPolicy == corev1.DNSClusterFirst || p.Spec.DNSPolicy == corev1.DNSClusterFirstWithHostNet
}

// unreached finds whom a pod could not connect to, and the policies on the way.
func unreached(v *View, list []networkingv1.NetworkPolicy, from *corev1.Pod, failed *logs.Failure, at time.Time,
) (Target, []networkingv1.NetworkPolicy) {
	host, port := failed.Connection.Host, int32(failed.Connection.Port) //nolint:gosec // below 65536
	tcp := policies.Port{Protocol: corev1.ProtocolTCP, Number: port}
	switch ours := addressed(v, host); {
	case failed.Connection.ToDriver, ours != nil && ours == v.Driver:
		if v.Driver == nil || v.Work.Registered {
			return Target{}, nil
		}
		if by := policies.Egress(list, from, policies.Of(v.Driver), tcp); len(by) > 0 {
			return Target{Kind: DriverPort, Port: port}, by
		}
		return Target{Kind: DriverFromExecutors, Port: port}, policies.Ingress(list, v.Driver, policies.Of(from), tcp)
	case ours != nil && over(ours, at):
		return Target{}, nil
	case ours != nil:
		to := Target{Kind: ExecutorPort, Port: port}
		if by := policies.Egress(list, from, policies.Of(ours), tcp); len(by) > 0 {
			return to, by
		}
		return to, policies.Ingress(list, ours, policies.Of(from), tcp)
	}
	to, known := peer(from.Namespace, host)
	if !known {
		return Target{}, nil
	}
	if strings.HasPrefix(host, "kubernetes.default") { // the API server listens on another port than its Service
		if len(v.Names()) > 0 {
			return Target{}, nil
		}
		tcp.Unknown, to = true, policies.Peer{}
	}
	tcp.Unknown = tcp.Unknown || len(to.Namespaces) > 0
	return Target{Kind: OtherHost, Host: host, Port: port}, policies.Egress(list, from, to, tcp)
}

// defaultBlockPort is what an executor's container lists as its port. Its block manager listens at a random one all the same where
// spark.blockManager.port is not set (BasicExecutorFeatureStep.scala and Constants.scala in resource-managers/kubernetes/core@v3.5.5;
// kubeflow/spark-operator#1532).
const defaultBlockPort = 7079

// openPort is a port at which executors may connect to each other, where none is set.
func (v *View) openPort(list []networkingv1.NetworkPolicy, from, to *corev1.Pod) int32 {
	if set := v.Spec.Conf["spark.blockManager.port"]; from == nil || to == nil || set != "" && set != "0" {
		return 0
	}
	port := policies.Port{Protocol: corev1.ProtocolTCP, Number: defaultBlockPort}
	closed := len(policies.Egress(list, from, policies.Of(to), port)) > 0 || len(policies.Ingress(list, to, policies.Of(from), port)) > 0
	if closed {
		return 0
	}
	return defaultBlockPort
}

// addressed is the pod of the application that has an address; nil: none, or it is gone.
func addressed(v *View, host string) *corev1.Pod {
	for i := range v.Pods {
		if ip := v.Pods[i].Status.PodIP; ip != "" && ip == host {
			return &v.Pods[i]
		}
	}
	return nil
}

// peer is what a host's name tells of it. Of a private address nothing is known: it may be a pod's or a Service's.
func peer(namespace, host string) (policies.Peer, bool) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return policies.Peer{IP: host}, !ip.IsPrivate() && !ip.IsLoopback()
	}
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(host, "."), ".cluster.local"), ".")
	switch n := len(parts); {
	case host == "", n == 2: // NAME.NAMESPACE, or a name outside
		return policies.Peer{}, false
	case n == 1: // a Service of the namespace
		return policies.Peer{Namespaces: []string{namespace}}, true
	case parts[n-1] == "svc":
		return policies.Peer{Namespaces: []string{parts[n-2]}}, true
	default:
		return policies.Peer{}, true
	}
}

// PolicyRef names a policy.
func PolicyRef(p *networkingv1.NetworkPolicy) snapshot.Ref {
	return snapshot.Ref{APIVersion: networkingv1.SchemeGroupVersion.String(), Kind: "NetworkPolicy", Namespace: p.Namespace, Name: p.Name,
		UID: string(p.UID)}
}

// PolicyText is a policy in a line.
func PolicyText(p *networkingv1.NetworkPolicy) string {
	pods := metav1.FormatLabelSelector(&p.Spec.PodSelector)
	if pods == "<none>" || pods == "" {
		pods = "all pods"
	}
	types := make([]string, 0, len(p.Spec.PolicyTypes))
	for _, t := range p.Spec.PolicyTypes {
		types = append(types, string(t))
	}
	text := fmt.Sprintf("selects %s for %s, with %s for egress and %s for ingress", pods, strings.Join(types, " and "),
		phrase.Counted(len(p.Spec.Egress), "rule"), phrase.Counted(len(p.Spec.Ingress), "rule"))
	if at := p.CreationTimestamp; !at.IsZero() {
		text += ", since " + at.UTC().Format(time.DateTime)
	}
	return text
}
