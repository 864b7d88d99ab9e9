package mechanism

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ClaimUnbound is a pod whose claim is not bound to a volume: no storage class of its name exists, its provisioner fails, or it is tried
// still. Which of these it is the events of the claim tell. Their reasons are in pkg/controller/volume/events/event.go@v1.36.3.
type ClaimUnbound struct {
	Waiting

	Claim  string
	Phase  corev1.PersistentVolumeClaimPhase
	Since  time.Duration // since the claim was created
	Class  string        // of storage; empty: the claim names none
	Said   string        // by the events of the claim
	Tells  bool          // an event says something
	Failed bool          // the provisioner reports an error, and not that something was not found
	Absent DriverAbsent  // where that is the error
}

// Mechanism returns its ID.
func (ClaimUnbound) Mechanism() cause.ID { return "claim-unbound" }

func (d ClaimUnbound) alike(pod string) waitingDetail {
	d.Waiting, d.Since = Waiting{}, roughly(d.Since)
	d.Claim, d.Said = without(pod, d.Claim), without(pod, d.Said)
	if d.Absent.Node != "" {
		d.Said = strings.ReplaceAll(d.Said, d.Absent.Node, "")
		d.Absent.Node, d.Absent.Taints = "", nil
	}
	return d
}

func claimUnbound(w *waiter) (cause.Cause, bool) {
	for _, name := range w.claims() {
		at := slices.IndexFunc(w.Claims, func(c corev1.PersistentVolumeClaim) bool {
			return c.Name == name && c.Status.Phase != corev1.ClaimBound
		})
		if at < 0 {
			continue
		}
		claim := &w.Claims[at]
		d := ClaimUnbound{Waiting: w.Waiting, Claim: name, Phase: claim.Status.Phase, Since: w.Now.Sub(claim.CreationTimestamp.Time)}
		if claim.Spec.StorageClassName != nil {
			d.Class = *claim.Spec.StorageClassName
		}
		evidence, failed := w.byScheduler(), false
		for _, e := range w.eventsOn("PersistentVolumeClaim", name, "ProvisioningFailed", "FailedBinding", "WaitForFirstConsumer",
			"ExternalProvisioning") {
			fails := e.Reason == "ProvisioningFailed" || e.Reason == "FailedBinding"
			if fails || !failed {
				d.Said, d.Tells = e.Message, true
				failed = fails // ExternalProvisioning and the like only say that it is tried
			}
			evidence = append(evidence, cause.Proof{Object: claimRef(claim.Namespace, name), Field: "event " + e.Reason, Value: e.Message,
				At: e.Last})
			if absent, shown := driverAbsent(w.View, claim, &e); fails && absent.Node != "" {
				d.Absent, evidence = absent, append(evidence, shown...)
			}
		}
		d.Failed = failed && !strings.Contains(d.Said, "not found") // a storage class that is not there has no provisioner
		return w.cause(cause.Storage, cause.ByPod, d, append(evidence, claimProofs(claim, d.Class)...)...), true
	}
	return cause.Cause{}, false
}
