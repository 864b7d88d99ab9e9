package mechanism

import (
	"cmp"
	"fmt"
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
	// Egress and Ingress are the two ends of the connection: at the pods that connect, and at those that they connect to.
	Egress, Ingress Side
	// Open is a port to which they let executors connect, where Spark takes a random one because none is set; 0: it is not that.
	Open int32
	// Asked is the setting of Spark that makes the port another one than Spark's own; zero: none does.
	Asked AskedPort
	// Said is what the log says of the connection, where the failure that came of it does not; zero: the failure does.
	Said cause.Proof
}

// Side is one end of a connection.
type Side struct {
	Closed bool
	// Elsewhere is a policy that lets the same pods connect there, on other ports.
	Elsewhere policies.Elsewhere
}

// AskedPort is a setting of Spark for a port.
type AskedPort struct {
	Name string
	Own  int32 // the port that Spark takes without it
	Open bool  // policies let that one be reached
}

// Target is what policies allow no connection to.
type Target struct {
	Kind TargetKind
	Port int32
	Host string // of OtherHost
	// Peer is the pod or the Service that has the address of OtherHost; zero: not known.
	Peer snapshot.Ref
	// Shut are the ports that a pod lists and that are as closed as Port, in order, Port among them; fewer than two: no other is.
	Shut []int32
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
	var failed logs.Failure
	switch d := about.Detail.(type) {
	case logs.Failure:
		failed = d
	case DriverBlocks:
		if d.Random {
			return cause.Cause{}, false // no policy can know the port
		}
		failed.Connection = logs.Connection{ToDriver: true, TimedOut: d.TimedOut, Port: d.Port}
	default:
		return cause.Cause{}, false
	}
	from, connection, said := podOf(v, about), failed.Connection, cause.Proof{}
	if failed.Connection.Fetches && len(v.Executors) > 0 {
		from = v.Executors[0] // whichever log tells of it, an executor fetched from another
	}
	if b := failed.Before; b != nil {
		connection, said = b.Connection, b.Said
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
	b := closed(v, list, from, &connection, about.At)
	if len(b.by) == 0 {
		return cause.Cause{}, false
	}
	found := PolicyBlocks{From: role, To: b.to, Egress: b.egress, Ingress: b.ingress, Asked: b.asked, Said: said}
	mostTelling(b.by, cmp.Or(b.egress.Elsewhere.Policy, b.ingress.Elsewhere.Policy))
	if b.to.Kind == ExecutorPort {
		found.Open = v.openPort(list, from, addressed(v, connection.Host))
	}
	out := cause.Cause{Class: cause.Network, Certainty: check.Likely, Role: role, Subject: PolicyRef(&b.by[0]), At: about.At,
		Trust: cause.ByEnvironment}
	if b.to.Kind == DriverFromExecutors || b.to.Kind == ExecutorPort {
		out.Role = cause.ExecutorRole
	}
	if said.Value != "" {
		out.Evidence = append(out.Evidence, said)
	}
	for i := range b.by {
		found.Policies = append(found.Policies, b.by[i].Name)
		out.Evidence = append(out.Evidence, cause.Proof{Object: PolicyRef(&b.by[i]), Field: "spec", Value: PolicyText(&b.by[i])})
	}
	out.Detail = found
	return out, true
}

// mostTelling puts the policy first that lets the same pods connect on other ports: that is the one to add to. Where none does, it is what
// denies all: another lets them do something else.
func mostTelling(list []networkingv1.NetworkPolicy, elsewhere string) {
	rank := func(p *networkingv1.NetworkPolicy) int {
		if p.Name == elsewhere {
			return -1
		}
		return len(p.Spec.Ingress) + len(p.Spec.Egress)
	}
	slices.SortStableFunc(list, func(a, b networkingv1.NetworkPolicy) int { return cmp.Compare(rank(&a), rank(&b)) })
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
