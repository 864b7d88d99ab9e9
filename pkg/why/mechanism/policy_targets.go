package mechanism

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/policies"
)

// blocked is what a pod could not reach, and the policies that are in the way; without policies: they are not.
type blocked struct {
	to              Target
	by              []networkingv1.NetworkPolicy
	egress, ingress Side
	asked           AskedPort
}

// closed is what a pod could not reach, by its log, and the policies that are in the way. Packets that a policy blocks are dropped, so that
// names do not resolve and connections time out. A connection that was refused got past the policies.
func closed(v *View, list []networkingv1.NetworkPolicy, from *corev1.Pod, failed *logs.Connection, at time.Time) blocked {
	switch {
	case failed.Unresolved:
		if namesResolve(v, from) || !usesClusterDNS(from) {
			return blocked{}
		}
		dns := policies.Peer{Namespaces: []string{"kube-system", "openshift-dns"}}
		by := policies.Egress(list, from, dns, policies.Port{Protocol: corev1.ProtocolUDP, Number: 53})
		return blocked{to: Target{Kind: ClusterDNS, Port: 53}, by: by}
	case failed.TimedOut:
		return unreached(v, list, from, failed, at)
	default:
		return blocked{}
	}
}

// unreached finds whom a pod could not connect to, and the policies on the way.
func unreached(v *View, list []networkingv1.NetworkPolicy, from *corev1.Pod, failed *logs.Connection, at time.Time) blocked {
	host, port := failed.Host, int32(failed.Port) //nolint:gosec // below 65536
	tcp := policies.Port{Protocol: corev1.ProtocolTCP, Number: port}
	switch ours := addressed(v, host); {
	case failed.ToDriver, ours != nil && ours == v.Driver:
		registers := v.Work.Registered && !v.servesBlocksAt(port)
		if v.Driver == nil || registers {
			return blocked{}
		}
		b := betweenPods(list, from, v.Driver, tcp)
		b.asked = v.askedFor(list, from, v.Driver, port, driverPorts)
		if b.to.Kind = DriverPort; !b.egress.Closed {
			b.to.Kind = DriverFromExecutors
		}
		return b
	case ours != nil && over(ours, at):
		return blocked{}
	case ours != nil:
		b := betweenPods(list, from, ours, tcp)
		b.asked = v.askedFor(list, from, ours, port, executorPorts)
		b.to.Kind = ExecutorPort
		return b
	}
	to, tcp, known := resolved(v, from.Namespace, host, tcp)
	if !known || to.Unknown && failed.Fetches { // it may be an executor that is gone
		return blocked{}
	}
	if tcp.Number != 0 {
		port = tcp.Number
	}
	b := blocked{to: Target{Kind: OtherHost, Host: host, Port: port}, by: policies.Egress(list, from, to.Peer, tcp)}
	if len(b.by) == 0 {
		return blocked{}
	}
	b.to.Peer = to.ref
	b.egress = Side{Closed: true, Elsewhere: policies.EgressElsewhere(b.by, to.Peer)}
	for _, one := range to.Named {
		if tcp.Number = one; len(policies.Egress(list, from, to.Peer, tcp)) > 0 && !slices.Contains(b.to.Shut, one) {
			b.to.Shut = append(b.to.Shut, one)
		}
	}
	slices.Sort(b.to.Shut)
	return b
}

// betweenPods are the policies at both ends of a connection. Those of the pod that connects are named first: it does not get further.
func betweenPods(list []networkingv1.NetworkPolicy, from, to *corev1.Pod, port policies.Port) blocked {
	out, in := policies.Egress(list, from, policies.Of(to), port), policies.Ingress(list, to, policies.Of(from), port)
	b := blocked{to: Target{Port: port.Number}, by: out}
	b.egress = Side{Closed: len(out) > 0, Elsewhere: policies.EgressElsewhere(out, policies.Of(to))}
	b.ingress = Side{Closed: len(in) > 0, Elsewhere: policies.IngressElsewhere(in, policies.Of(from))}
	if len(out) == 0 {
		b.by = in
	}
	return b
}

// portSettings are settings of Spark for ports, with those that it takes without them.
type portSettings map[string]int32

// The ports of a driver and of executors on Kubernetes, where nothing sets them (Constants.scala, features/DriverServiceFeatureStep.scala
// below resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s@v3.5.5). Of executors, the block manager listens at a
// random port then, so that the one that policies know must be set.
//
//nolint:gochecknoglobals // tables
var (
	driverPorts   = portSettings{"spark.driver.port": 7078, "spark.driver.blockManager.port": blockManagerPort}
	executorPorts = portSettings{"spark.blockManager.port": defaultBlockPort}
)

// driverBlockPort is the port that a driver is to serve blocks at, by its settings; empty: none says (features/BasicDriverFeatureStep.scala
// below resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s, apache/spark@00012ec).
func (v *View) driverBlockPort() string {
	return cmp.Or(v.Spec.Conf["spark.driver.blockManager.port"], v.Spec.Conf["spark.blockManager.port"])
}

// servesBlocksAt reports whether a driver serves blocks at a port: an executor that registered may still not reach it.
func (v *View) servesBlocksAt(port int32) bool {
	set := v.driverBlockPort()
	return set == "" && port == blockManagerPort || set == strconv.Itoa(int(port))
}

// askedFor is the setting that makes a port what it is.
func (v *View) askedFor(list []networkingv1.NetworkPolicy, from, to *corev1.Pod, port int32, settings portSettings) AskedPort {
	for name, own := range settings {
		if own == port || v.Spec.Conf[name] != strconv.Itoa(int(port)) {
			continue
		}
		open := betweenPods(list, from, to, policies.Port{Protocol: corev1.ProtocolTCP, Number: own})
		return AskedPort{Name: name, Own: own, Open: !open.egress.Closed && !open.ingress.Closed}
	}
	return AskedPort{}
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

// named is a peer, and the object that has its address.
type named struct {
	policies.Peer

	ref snapshot.Ref // zero: not known
}

// resolved is what a host's name or address tells of it, and its port as the pod behind it has it. A private address may be of anything
// that was not seen.
func resolved(v *View, namespace, host string, port policies.Port) (named, policies.Port, bool) {
	ip, err := netip.ParseAddr(host)
	private := err == nil && (ip.IsPrivate() || ip.IsLoopback())
	for i := range v.Peers {
		if p := &v.Peers[i]; private && p.IP == host {
			return behind(p, host, port)
		}
	}
	switch {
	case private && ip.IsLoopback():
		return named{}, port, false
	case private:
		port.Unknown = true
		return named{Peer: policies.Peer{IP: host, Unknown: true}}, port, true
	case err == nil:
		return named{Peer: policies.Peer{IP: host}}, port, true
	}
	switch name, inside := clusterNameOf(host); {
	case host == "":
		return named{}, port, false
	case !inside:
		return named{}, port, true
	case name.Namespace != "" && !name.Svc: // NAME.NAMESPACE, or a name outside
		out, port, is := ofService(v, name.Namespace, name.Service, port)
		return out, port, is && out.ref.Name != ""
	case name.Service == "kubernetes" && name.Namespace == "default": // the API server listens on another port than its Service
		port.Unknown = true
		return named{}, port, len(v.Names()) == 0
	case name.Pod == "":
		return ofService(v, cmp.Or(name.Namespace, namespace), name.Service, port)
	default: // a pod behind a headless Service, which translates no port
		return named{Peer: policies.Peer{Namespaces: []string{name.Namespace}}}, port, true
	}
}

// ofService is a Service by its name. Where it was not seen, so are the ports of the pods behind it.
func ofService(v *View, namespace, name string, port policies.Port) (named, policies.Port, bool) {
	for i := range v.Peers {
		if p := &v.Peers[i]; p.Kind == "Service" && p.Namespace == namespace && p.Name == name {
			return behind(p, "", port)
		}
	}
	port.Unknown = true
	return named{Peer: policies.Peer{Namespaces: []string{namespace}}}, port, true
}

// behind is the pod that has an address, or the pods behind a Service. Plugins see the connection as it is once the Service has translated
// it: to a pod, at a port of the pod.
func behind(p *app.Peer, ip string, port policies.Port) (named, policies.Port, bool) {
	out := named{Peer: policies.Peer{Namespaces: []string{p.Namespace}}, ref: p.Ref}
	if p.Kind == "Pod" {
		out.IP, out.Named = ip, p.Ports
		return out, port, true
	}
	if p.IP == "" {
		return out, port, true
	}
	target, is := p.Targets[port.Number]
	if !is {
		return named{}, port, false // it has no such port, which is why
	}
	port.Number, port.Unknown = target, target == 0
	return out, port, true
}
