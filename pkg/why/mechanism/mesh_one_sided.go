package mechanism

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// MeshOneSided is a driver with the proxy of a service mesh whose executors have none, where their connections to it are cut off: a proxy
// that accepts mTLS only ends every other connection (istio.io/docs/concepts/security, Mutual TLS: strict mode; istio/istio#27900). With a
// proxy at both, or at neither, it is not that, and it is not where the driver's proxy leaves the port alone. Whether the mesh insists on
// mTLS was not read.
type MeshOneSided struct {
	Proxy string // "istio-proxy"
	Key   string // of the annotation or label that says whether a pod gets one
	Off   string // its value that says no
	// Optout is where the executors have it, "annotations" or "labels"; empty: nothing at them says why they have none.
	Optout string
	Now    string // its value at the driver; empty: it is not set
}

// Mechanism names it.
func (MeshOneSided) Mechanism() cause.ID { return "mesh-one-sided" }

// driverPort is the port at which executors register (spark.driver.port in docs/running-on-kubernetes.md@v3.5.5).
const driverPort = "7078"

// OutsideItsMesh says why connections of executors to the driver are cut off, where only the driver has a proxy.
func OutsideItsMesh(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	m, reach := failed.Meaning.(logs.DriverUnreached)
	if !is || !reach || !m.Cut || v.Driver == nil || len(v.Executors) == 0 {
		return cause.Cause{}, false
	}
	d := MeshOneSided{Proxy: proxyOf(v.Driver)}
	if d.Proxy == "" || excludes(v.Driver, cmp.Or(v.Spec.Conf["spark.driver.port"], driverPort)) ||
		slices.ContainsFunc(v.Executors, func(p *corev1.Pod) bool { return proxyOf(p) != "" }) {
		return cause.Cause{}, false
	}
	one := v.Executors[0]
	seen := []cause.Proof{{Object: Ref(v.Driver), Field: "spec.containers", Value: d.Proxy},
		{Object: Ref(one), Field: "spec.containers", Value: "no " + d.Proxy}}
	switch d.Proxy { // istio.io/docs/reference/config/labels, linkerd.io/2/reference/proxy-configuration
	case "istio-proxy":
		d.Key, d.Off = "sidecar.istio.io/inject", "false"
	default:
		d.Key, d.Off = "linkerd.io/inject", "disabled"
	}
	for _, at := range []struct {
		place     string
		its, main map[string]string
	}{{"labels", one.Labels, v.Driver.Labels}, {"annotations", one.Annotations, v.Driver.Annotations}} {
		if at.its[d.Key] == d.Off {
			d.Optout, d.Now = at.place, at.main[d.Key]
			seen[1].Field, seen[1].Value = "metadata."+at.place+"["+d.Key+"]", d.Off
		}
	}
	return cause.Cause{Class: cause.Network, Role: cause.ExecutorRole, Certainty: check.Likely, Subject: Ref(v.Driver), At: about.At,
		Trust: cause.BySpec, Detail: d, Evidence: seen}, true
}

// proxyOf is the proxy of a mesh in a pod; empty: it has none. A native sidecar is an init container.
func proxyOf(p *corev1.Pod) string {
	for _, c := range slices.Concat(p.Spec.Containers, p.Spec.InitContainers) {
		if c.Name == "istio-proxy" || c.Name == "linkerd-proxy" {
			return c.Name
		}
	}
	return ""
}
