package mechanism

import (
	"cmp"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// A connection that fails in a log was to a Service: which pods are behind it, and whether they can answer, stands beside the application.

// ServiceElsewhere is a host of the cluster's DNS whose Service is in another namespace. A name without a namespace is looked up in that of
// the pod (content/en/docs/concepts/services-networking/dns-pod-service.md of kubernetes/website).
type ServiceElsewhere struct {
	Host    string       // as the log has it
	Short   bool         // it has no namespace
	Asked   string       // namespace in which it is looked up
	Service snapshot.Ref // of that name, in the other one
	Setting string       // field of the spec that names the host; empty: none does
}

// Corrected is a value of a setting that names the Service where it is, and with it the pods behind it.
func (d ServiceElsewhere) Corrected(value string) string {
	var out strings.Builder
	for _, part := range partsOf(value) {
		name, is := clusterNameOf(part)
		same := name.Service == d.Service.Name && name.Namespace == d.Asked && !d.Short
		if is && (same || part == d.Host) {
			part = name.in(d.Service.Namespace)
		}
		out.WriteString(part)
	}
	return out.String()
}

// Mechanism names it.
func (ServiceElsewhere) Mechanism() cause.ID { return "service-elsewhere" }

// ServerNotReady is a Service whose pods were not ready when a connection to it failed, so that it leads nowhere: kube-proxy rejects it
// (pkg/proxy/iptables/proxier.go of kubernetes@v1.36.3), and DNS does not name pods behind a headless Service that are not ready.
type ServerNotReady struct {
	Service snapshot.Ref
	Pod     app.Backend // the first of them
	Pods    int
}

// Mechanism names it.
func (ServerNotReady) Mechanism() cause.ID { return "server-not-ready" }

// PortUnserved is a Service that has another port than the one that a connection was for.
type PortUnserved struct {
	Service snapshot.Ref
	Host    string // as the log has it
	Port    int32
	Has     []int32
	Setting string
}

// Corrected is a value of a setting with a port that the Service has.
func (d PortUnserved) Corrected(value string, port int32) string {
	return put(value, d.Host, ":"+strconv.Itoa(int(d.Port)), ":"+strconv.Itoa(int(port)))
}

// PortsText lists the ports of the Service.
func (d PortUnserved) PortsText() string {
	out := make([]string, 0, len(d.Has))
	for _, port := range d.Has {
		out = append(out, strconv.Itoa(int(port)))
	}
	return strings.Join(out, ", ")
}

// Mechanism names it.
func (PortUnserved) Mechanism() cause.ID { return "port-unserved" }

// UnresolvedBefore is a host without an address to which a library did not connect before it gave up, which it does not say then.
type UnresolvedBefore struct {
	Host    string
	Setting string // field of the spec that names it; empty: none does
}

// Mechanism names it.
func (UnresolvedBefore) Mechanism() cause.ID { return "unresolved-before" }

// address is what a log names that was not reached.
type address struct {
	host            string
	port            int32
	service         string
	namespace       string
	short           bool // it has no namespace
	unresolved      bool
	timedOut        bool
	behindNameOfPod bool // a pod of a headless Service
}

// BehindService explains a connection that was not made by the Service that it was for, and its pods.
func BehindService(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	if !is || about.At.IsZero() || failed.Connection.ToDriver {
		return cause.Cause{}, false
	}
	c := cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust}
	for _, a := range addressesOf(v, &failed) {
		at := slices.IndexFunc(v.Servers, func(s app.Server) bool { return s.Name == a.service && s.Namespace == a.namespace })
		found := false
		switch {
		case at < 0 && a.unresolved:
			c.Detail, c.Evidence, found = elsewhere(v, &a)
			c.Class, c.Certainty = cause.Configuration, check.Likely // Services that were not read may be there
		case at >= 0:
			c.Detail, c.Evidence, found = unanswered(v, &a, &v.Servers[at], about.At)
			if _, port := c.Detail.(PortUnserved); port {
				c.Class = cause.Configuration
			}
			if a.timedOut {
				c.Certainty = check.Likely
			}
		}
		if found {
			return c, true
		}
	}
	if b := failed.Before; b != nil && b.Unresolved {
		host := b.Name
		c.Class, c.Detail, c.Evidence = cause.Network, UnresolvedBefore{Host: host, Setting: settingWith(v, host)}, []cause.Proof{b.Said}
		return c, true
	}
	return cause.Cause{}, false
}

// addressesOf are those that a failure names, and those that a connection just before it was for.
func addressesOf(v *View, f *logs.Failure) []address {
	var out []address
	add := func(c *logs.Connection, texts []string) {
		for _, text := range texts {
			host, number, _ := strings.Cut(text, ":")
			a, is := addressOf(v, host)
			if !is {
				continue
			}
			at := slices.IndexFunc(out, func(o address) bool { return o.host == a.host })
			if at < 0 {
				at, out = len(out), append(out, a)
			}
			port, _ := strconv.ParseInt(number, 10, 32)
			to := &out[at]
			to.port = cmp.Or(to.port, int32(port)) //nolint:gosec // 32 bits
			to.unresolved, to.timedOut = to.unresolved || c.Unresolved, to.timedOut || c.TimedOut
		}
	}
	add(&f.Connection, f.Endpoints.Names)
	add(&f.Connection, hostsOf(&f.Connection))
	if b := f.Before; b != nil {
		add(&b.Connection, hostsOf(&b.Connection))
	}
	return out
}

// hostsOf are the hosts of a connection, with a port where it is known.
func hostsOf(c *logs.Connection) []string {
	var out []string
	if c.Name != "" {
		out = append(out, c.Name)
	}
	if c.Host != "" {
		out = append(out, net.JoinHostPort(c.Host, strconv.Itoa(c.Port)))
	}
	return out
}

// addressOf reads the name of a Service out of a host.
func addressOf(v *View, host string) (address, bool) {
	name, is := clusterNameOf(host)
	return address{host: host, service: name.Service, namespace: cmp.Or(name.Namespace, v.AppRef().Namespace),
		short: name.Namespace == "", behindNameOfPod: name.Pod != ""}, is
}

// elsewhere finds the one other namespace that has the Service. A name of two parts may be a host outside.
func elsewhere(v *View, a *address) (cause.Detail, []cause.Proof, bool) {
	var found []snapshot.Ref
	for i := range v.Servers {
		if s := &v.Servers[i]; s.Name == a.service && (!a.behindNameOfPod || s.Headless) {
			found = append(found, s.Ref)
		}
	}
	if len(found) != 1 {
		return nil, nil, false
	}
	d := ServiceElsewhere{Host: a.host, Short: a.short, Asked: a.namespace, Service: found[0], Setting: settingWith(v, a.host)}
	proofs := []cause.Proof{{Object: found[0], Field: "metadata.namespace", Value: found[0].Namespace}}
	if d.Setting != "" {
		proofs = append(proofs, cause.Proof{Object: v.AppRef(), Field: "spec.sparkConf[" + d.Setting + "]", Value: v.Spec.Conf[d.Setting]})
	}
	return d, proofs, true
}

// readyLate is how long before a connection failed a pod may have become unready: its log, the kubelet and the list of a Service's pods
// follow each other.
const readyLate = 30 * time.Second

// unanswered is why a Service that exists leads nowhere.
func unanswered(v *View, a *address, s *app.Server, at time.Time) (cause.Detail, []cause.Proof, bool) {
	if !s.Headless && a.port > 0 && len(s.Ports) > 0 && !slices.Contains(s.Ports, a.port) && !a.unresolved {
		d := PortUnserved{Service: s.Ref, Host: a.host, Port: a.port, Has: s.Ports, Setting: settingWith(v, a.host)}
		return d, []cause.Proof{{Object: s.Ref, Field: "spec.ports", Value: d.PortsText()}}, true
	}
	for i := range s.Pods {
		p := &s.Pods[i]
		if p.Ready || p.Since.IsZero() || p.Since.After(at.Add(readyLate)) {
			return nil, nil, false
		}
	}
	if len(s.Pods) == 0 || a.unresolved && !s.Headless {
		return nil, nil, false
	}
	d := ServerNotReady{Service: s.Ref, Pod: s.Pods[0], Pods: len(s.Pods)}
	return d, []cause.Proof{{Object: d.Pod.Ref, Field: "status.conditions[Ready]", Value: stated("False", d.Pod.Waiting),
		At: d.Pod.Since}}, true
}

// settingWith is the one setting of the spec that names a host; empty: none does, or several do.
func settingWith(v *View, host string) string {
	found := ""
	for key, value := range v.Spec.Conf {
		if len(wholeIn(value, host)) == 0 {
			continue
		}
		if found != "" {
			return ""
		}
		found = key
	}
	return found
}
