package why

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/policies"
)

// What a connection that a policy blocks looks like: packets are dropped, so that names do not resolve and connections time out. One that
// is refused reached somebody.
var (
	unresolved = regexp.MustCompile(`UnknownHostException|Temporary failure in name resolution|Name or service not known|` +
		`UnresolvedAddressException|Failed to resolve '`)
	timedOut = regexp.MustCompile(`(?i)connect(?:ion|ing)?\b[^\n]{0,200}timed out|ConnectTimeout|connect timed out`)
	// HOST:PORT or HOST/IP:PORT, as Java writes them, and the forms of urllib3 and libpq. A name without a dot is a host only where
	// something connects to it.
	hostPort = regexp.MustCompile(`(?:^|[\s/(\[@])([A-Za-z0-9][\w-]*\.[\w.-]*\w)(?:/(?:<unresolved>|[\d.]+))?:(\d{2,5})\b|` +
		`(?:\bto |//)([A-Za-z][\w-]*)(?:/(?:<unresolved>|[\d.]+))?:(\d{2,5})\b|` +
		`host='([\w.-]+)', port=(\d+)|server at "([\w.-]+)"[^\n]{0,60}port (\d+)`)
	source = regexp.MustCompile(`\.(?:scala|java|py|kt)$`) // FILE:LINE of a frame
)

// blocked is a connection that policies do not allow.
type blocked struct {
	from, what string // "the executors", "port 7078 of the driver"
	by         []networkingv1.NetworkPolicy
}

// behindPolicies names the policies that explain why connections fail, before causes are ranked: what only told a consequence has a cause
// then.
func behindPolicies(v *mechanism.View, causes []cause.Cause) {
	for i := range causes {
		c := &causes[i]
		if !logged(c) {
			continue
		}
		b, is := blocking(v, c)
		if !is {
			continue
		}
		names := make([]string, 0, len(b.by))
		for j := range b.by {
			names = append(names, b.by[j].Name)
			c.Evidence = append(c.Evidence, cause.Proof{Object: policyRef(&b.by[j]), Field: "spec", Value: policyText(&b.by[j])})
		}
		c.Message += fmt.Sprintf("; NetworkPolicy %s selects %s and allows no connection to %s", strings.Join(names, ", "), b.from, b.what)
		if c.Effect || c.Class == cause.Unknown {
			c.Class, c.Effect = cause.Network, false
		}
		c.Certainty = check.Likely // whether the network enforces policies, nobody can see in the API
		c.Next = []command.Command{command.Do("allow %s in a NetworkPolicy of %s; Spark needs the ports 7078 and 7079 of the driver, executors "+
			"among each other, DNS, and the API server from the driver", b.what, b.from).On("describe", policyRef(&b.by[0]))}
	}
}

// blocking is which connection of a cause's pod fails and is blocked. A policy that is newer than the failure explains nothing.
func blocking(v *mechanism.View, c *cause.Cause) (blocked, bool) {
	from, text := podOf(v, c.Subject.Name), said(c)
	if strings.Contains(text, "FetchFailed") && len(v.Executors) > 0 {
		from = v.Executors[0] // whichever log tells of it, an executor fetched from another
	}
	if from == nil || over(v.Driver, c.At) && from != v.Driver {
		return blocked{}, false
	}
	list := slices.DeleteFunc(slices.Clone(v.NetworkPolicies), func(p networkingv1.NetworkPolicy) bool {
		return !c.At.IsZero() && p.CreationTimestamp.After(c.At)
	})
	b := blocked{from: "the driver"}
	if from.Labels["spark-role"] == "executor" {
		b.from = "the executors"
	}
	switch {
	case unresolved.MatchString(text):
		if namesResolve(v, from) || !usesClusterDNS(from) {
			return b, false
		}
		b.what = "DNS (port 53)"
		b.by = policies.Egress(list, from, policies.Peer{Namespaces: []string{"kube-system", "openshift-dns"}},
			policies.Port{Protocol: corev1.ProtocolUDP, Number: 53})
	case timedOut.MatchString(text):
		b.what, b.by = unreachable(v, list, from, text, c.At)
	}
	return b, len(b.by) > 0
}

// said is what a cause says, without what it advises.
func said(c *cause.Cause) string {
	parts := []string{c.Message}
	for _, e := range c.Evidence {
		parts = append(parts, e.Value)
	}
	return strings.Join(parts, "\n")
}

func podOf(v *mechanism.View, name string) *corev1.Pod {
	for i := range v.Pods {
		if v.Pods[i].Name == name {
			return &v.Pods[i]
		}
	}
	if strings.Contains(name, "-exec-") && len(v.Executors) > 0 {
		return v.Executors[0] // it is gone: policies see the same labels on the others
	}
	return nil
}

// over reports whether a pod had ended at a time, or may have: then nothing listens there, and its name is gone.
func over(p *corev1.Pod, at time.Time) bool {
	if p == nil {
		return true
	}
	if p.DeletionTimestamp != nil && (at.IsZero() || at.After(p.DeletionTimestamp.Time)) {
		return true
	}
	t := mechanism.Termination(p)
	return t != nil && (at.IsZero() || at.After(t.FinishedAt.Add(-2*time.Second)))
}

// namesResolve reports whether a pod showed that names resolve: a driver that created executors found the API server, and an executor that
// registered found the driver.
func namesResolve(v *mechanism.View, from *corev1.Pod) bool {
	if from.Labels["spark-role"] == "executor" {
		return registered(v)
	}
	return len(v.Names()) > 0
}

func registered(v *mechanism.View) bool {
	for i := range v.Logs {
		l := &v.Logs[i]
		const line = "Registered executor "
		if v.Driver != nil && l.Pod == v.Driver.Name && (strings.Contains(l.Head, line) || strings.Contains(l.Tail, line)) {
			return true
		}
	}
	return false
}

func usesClusterDNS(p *corev1.Pod) bool {
	return p.Spec.DNSPolicy == "" || p.Spec.DNSPolicy == corev1.DNSClusterFirst || p.Spec.DNSPolicy == corev1.DNSClusterFirstWithHostNet
}

// unreachable finds whom a pod could not connect to, and the policies on the way.
func unreachable(v *mechanism.View, list []networkingv1.NetworkPolicy, from *corev1.Pod, text string, at time.Time,
) (string, []networkingv1.NetworkPolicy) {
	host, port := target(text)
	tcp := policies.Port{Protocol: corev1.ProtocolTCP, Number: port}
	switch ours := addressed(v, host); {
	case strings.Contains(host, "-driver-svc"), ours != nil && ours == v.Driver:
		if v.Driver == nil || registered(v) {
			return "", nil
		}
		what := fmt.Sprintf("port %d of the driver", port)
		if by := policies.Egress(list, from, policies.Of(v.Driver), tcp); len(by) > 0 {
			return what, by
		}
		return what + " from the executors", policies.Ingress(list, v.Driver, policies.Of(from), tcp)
	case ours != nil && over(ours, at):
		return "", nil
	case ours != nil:
		if by := policies.Egress(list, from, policies.Of(ours), tcp); len(by) > 0 {
			return fmt.Sprintf("port %d of other executors", port), by
		}
		return fmt.Sprintf("port %d of other executors", port), policies.Ingress(list, ours, policies.Of(from), tcp)
	}
	what := host + ":" + strconv.Itoa(int(port))
	to, known := peer(from.Namespace, host)
	if !known {
		return "", nil
	}
	if strings.HasPrefix(host, "kubernetes.default") { // the API server listens on another port than its Service
		if len(v.Names()) > 0 {
			return "", nil
		}
		tcp.Unknown, to = true, policies.Peer{}
	}
	tcp.Unknown = tcp.Unknown || len(to.Namespaces) > 0
	return what, policies.Egress(list, from, to, tcp)
}

// target is the last host and port that a text names: what is deepest in a chain of exceptions stands last.
func target(text string) (string, int32) {
	all := hostPort.FindAllStringSubmatch(text, -1)
	for _, m := range slices.Backward(all) {
		host, number := m[1]+m[3]+m[5]+m[7], m[2]+m[4]+m[6]+m[8]
		port, err := strconv.ParseUint(number, 10, 16)
		if err == nil && port > 0 && !source.MatchString(host) {
			return host, int32(port)
		}
	}
	return "", 0
}

// addressed is the pod of the application that has an address; nil: none, or it is gone.
func addressed(v *mechanism.View, host string) *corev1.Pod {
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

func policyRef(p *networkingv1.NetworkPolicy) snapshot.Ref {
	return snapshot.Ref{APIVersion: networkingv1.SchemeGroupVersion.String(), Kind: "NetworkPolicy", Namespace: p.Namespace, Name: p.Name,
		UID: string(p.UID)}
}

// policyText is a policy in a line.
func policyText(p *networkingv1.NetworkPolicy) string {
	pods := metav1.FormatLabelSelector(&p.Spec.PodSelector)
	if pods == "<none>" || pods == "" {
		pods = "all pods"
	}
	types := make([]string, 0, len(p.Spec.PolicyTypes))
	for _, t := range p.Spec.PolicyTypes {
		types = append(types, string(t))
	}
	text := fmt.Sprintf("selects %s for %s, with %s for egress and %s for ingress", pods, strings.Join(types, " and "),
		facts.Counted(len(p.Spec.Egress), "rule"), facts.Counted(len(p.Spec.Ingress), "rule"))
	if at := p.CreationTimestamp; !at.IsZero() {
		text += ", since " + at.UTC().Format(time.DateTime)
	}
	return text
}
