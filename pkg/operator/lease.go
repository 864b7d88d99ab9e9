package operator

import (
	"cmp"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// WebhookLease is the name of the lease for which replicas of the webhook compete: the leader writes caBundle. It is in
// the Deployment's namespace. Empty if there is none (charts/spark-operator-chart/templates/webhook/deployment.yaml@v2.5.2;
// its default is that of leaseOf).
func (in *Installation) WebhookLease() string {
	if in.Webhook == nil || in.Legacy() {
		return ""
	}
	return leaseOf(in.Webhook).Name
}

// ControllerLease is the lease for which replicas of the controller compete: the holder alone reconciles. Empty without
// leader election, where every replica does.
func (in *Installation) ControllerLease() snapshot.Key {
	if in.Controller == nil {
		return snapshot.Key{}
	}
	return leaseOf(in.Controller)
}

// Candidate is a Deployment whose replicas compete for a lease.
type Candidate struct {
	Deployment *snapshot.Deployment
	Lease      snapshot.Key
}

// Candidates returns the installation's Deployments with leader election, as far as the name of the lease is known.
func (in *Installation) Candidates() []Candidate {
	var out []Candidate
	for _, d := range in.Deployments() {
		if lease := leaseOf(d); lease.Name != "" && !isVariable(lease.Name) {
			out = append(out, Candidate{d, lease})
		}
	}
	return out
}

// leaseOf reads what is the same in all releases: the switch is off by default, the lock is spark-operator-lock in
// namespace spark-operator (main.go@spark-operator-chart-1.1.0, cmd/operator/controller/start.go@v2.0.0 and @v2.5.2). The
// charts pass the release's namespace, Kustomize a variable that holds it.
func leaseOf(d *snapshot.Deployment) snapshot.Key {
	flags := flagsOf(d)
	if on, set := flags["leader-election"]; !set || on == "false" {
		return snapshot.Key{}
	}
	namespace := cmp.Or(flags["leader-election-lock-namespace"], "spark-operator")
	if isVariable(namespace) {
		namespace = d.Namespace
	}
	return snapshot.Key{
		GroupKind: snapshot.GroupKind{Group: "coordination.k8s.io", Kind: "Lease"},
		Namespace: namespace, Name: cmp.Or(flags["leader-election-lock-name"], "spark-operator-lock"),
	}
}
