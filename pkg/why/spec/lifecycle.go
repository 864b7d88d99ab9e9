package spec

import (
	"math"
	"strconv"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// OnSpot is a pod that was taken away, on a node that its provider may take back.
type OnSpot struct {
	Node  string // empty: it is not known, and the pod selects such nodes
	Label string // that says so
	Role  cause.Role
	// Decommissions says that spark.decommission.enabled is set.
	Decommissions bool
}

// Mechanism names it.
func (OnSpot) Mechanism() cause.ID { return "on-spot" }

// spotLabels are those by which nodes say that their provider may take them back at any time: of Karpenter
// (pkg/apis/v1/labels.go of kubernetes-sigs/karpenter), EKS managed node groups, GKE, AKS and kops.
func spotLabels() [][2]string {
	return [][2]string{
		{"karpenter.sh/capacity-type", "spot"}, {"eks.amazonaws.com/capacityType", "SPOT"}, {"cloud.google.com/gke-spot", "true"},
		{"cloud.google.com/gke-preemptible", "true"}, {"kubernetes.azure.com/scalesetpriority", "spot"},
		{"node.kubernetes.io/lifecycle", "spot"}, {"node.kubernetes.io/lifecycle", "Ec2Spot"},
	}
}

func spot(labels map[string]string) string {
	for _, pair := range spotLabels() {
		if labels[pair[0]] == pair[1] {
			return pair[0] + "=" + pair[1]
		}
	}
	return ""
}

// onSpot is about pods that were taken away, on nodes that their provider may take back. A node that is gone is known by what its pod
// selected.
func onSpot(v *mechanism.View, c *cause.Cause, role cause.Role) (Note, bool) {
	if !fromOutside(c) {
		return Note{}, false
	}
	p := podOf(v, c, role)
	if p == nil {
		return Note{}, false
	}
	on := OnSpot{Role: role, Decommissions: v.Spec.Conf["spark.decommission.enabled"] == "true"}
	for i := range v.Nodes {
		if label := spot(v.Nodes[i].Labels); v.Nodes[i].Name == p.Spec.NodeName && label != "" {
			on.Node, on.Label = p.Spec.NodeName, label
			return Note{Detail: on, Proofs: []cause.Proof{{Object: snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: on.Node},
				Field: "metadata.labels", Value: label, Beside: true}}}, true
		}
	}
	if on.Label = spot(p.Spec.NodeSelector); on.Label == "" {
		return Note{}, false
	}
	return Note{Detail: on, Proofs: []cause.Proof{{Object: mechanism.Ref(p), Field: "spec.nodeSelector", Value: on.Label, Beside: true}}}, true
}

// NotRetried is a run that the operator does not start again.
type NotRetried struct {
	Policy  string // Never, or OnFailure
	Retries int    // that are used up; 0 without Bounded: onFailureRetries is not set
	Bounded bool
}

// Mechanism names it.
func (NotRetried) Mechanism() cause.ID { return "not-retried" }

// notRetried is about a run that something from outside ended and that the operator does not start again (ShouldRetry in
// pkg/util/sparkapplication.go@v2.5.2: OnFailure without onFailureRetries never does).
func notRetried(v *mechanism.View, c *cause.Cause, role cause.Role) (Note, bool) {
	if v.State != "FAILED" || role != cause.DriverRole || !fromOutside(c) {
		return Note{}, false
	}
	retries := v.Spec.RestartPolicy.OnFailureRetries
	switch policy := v.Spec.RestartPolicy.Type; {
	case policy == "" || policy == "Never":
		return Note{Detail: NotRetried{Policy: "Never"}, Proofs: []cause.Proof{proof(v, "restartPolicy.type", "Never")}}, true
	case policy == "OnFailure" && retries == nil:
		return Note{Detail: NotRetried{Policy: policy}, Proofs: []cause.Proof{proof(v, "restartPolicy.type", policy)}}, true
	case policy == "OnFailure":
		if n := *retries; v.Attempts > n {
			return Note{Detail: NotRetried{Policy: policy, Retries: n, Bounded: true},
				Proofs: []cause.Proof{proof(v, "restartPolicy.onFailureRetries", strconv.Itoa(n))}}, true
		}
	}
	return Note{}, false
}

// Expires is a failed application that the operator deletes before long, with all that tells of it.
type Expires struct {
	Application snapshot.Ref
	At          time.Time
	In          time.Duration
}

// Mechanism names it.
func (Expires) Mechanism() cause.ID { return "expires" }

// soon is how far ahead a deletion is announced.
const soon = time.Hour

// expires is about a failed application that the operator deletes before long, and the garbage collector its pods with their logs
// (IsExpired in pkg/util/sparkapplication.go@v2.5.2).
func expires(v *mechanism.View, c *cause.Cause, _ cause.Role) (Note, bool) {
	ttl := v.Spec.TimeToLiveSeconds
	if ttl <= 0 || ttl > math.MaxInt32 || v.Ended.IsZero() || !c.Class.Fault() {
		return Note{}, false
	}
	at := v.Ended.Add(time.Duration(ttl) * time.Second)
	left := at.Sub(v.Now)
	if left <= 0 || left > soon {
		return Note{}, false
	}
	return Note{Detail: Expires{Application: v.AppRef(), At: at, In: left},
		Proofs: []cause.Proof{proof(v, "timeToLiveSeconds", strconv.Itoa(ttl))}}, true
}
