package mechanism

import (
	"k8s.io/apimachinery/pkg/api/resource"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NoFreeVolume is a pod whose claim is bound together with it, and for which no node has a free volume or can get one. The claim's events
// say that it waits for the pod, which is no answer to why the pod waits. The scheduler says so
// (pkg/scheduler/framework/plugins/volumebinding/binder.go@v1.36.3).
type NoFreeVolume struct {
	Waiting

	Claim string
	Asks  resource.Quantity
	Class string // of storage; empty: the claim names none
}

// Mechanism returns its ID.
func (NoFreeVolume) Mechanism() cause.ID { return "no-free-volume" }

func (d NoFreeVolume) alike(pod string) waitingDetail {
	return NoFreeVolume{Claim: without(pod, d.Claim), Asks: d.Asks, Class: d.Class}
}

func noFreeVolume(w *waiter) (cause.Cause, bool) {
	for i := range w.Claims {
		claim := &w.Claims[i]
		if !mounts(w.pod, claim.Name) || claim.Status.Phase == corev1.ClaimBound {
			continue
		}
		d := NoFreeVolume{Waiting: w.Waiting, Claim: claim.Name, Asks: *claim.Spec.Resources.Requests.Storage()}
		if claim.Spec.StorageClassName != nil {
			d.Class = *claim.Spec.StorageClassName
		}
		return w.cause(cause.Storage, cause.ByPod, d, append(w.byScheduler(), claimProofs(claim, d.Class)...)...), true
	}
	return cause.Cause{}, false
}

// claimProofs show that a claim is not bound, and of which class it is.
func claimProofs(claim *corev1.PersistentVolumeClaim, class string) []cause.Proof {
	ref := claimRef(claim.Namespace, claim.Name)
	return []cause.Proof{{Object: ref, Field: "status.phase", Value: string(claim.Status.Phase)},
		{Object: ref, Field: "spec.storageClassName", Value: class}}
}
