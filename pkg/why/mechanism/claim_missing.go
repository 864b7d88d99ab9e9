package mechanism

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// ClaimMissing is a pod that names a PersistentVolumeClaim which does not exist. One that exists and is not bound is named by the
// scheduler in the same way, without "not found". The words are those of
// pkg/scheduler/framework/plugins/volumebinding/volume_binding.go@v1.36.3.
type ClaimMissing struct {
	Waiting

	Claim string
}

// Mechanism returns its ID.
func (ClaimMissing) Mechanism() cause.ID { return "claim-missing" }

func (d ClaimMissing) alike(pod string) waitingDetail {
	return ClaimMissing{Claim: without(pod, d.Claim)}
}

func claimMissing(w *waiter) (cause.Cause, bool) {
	if w.says.Claim == "" {
		return cause.Cause{}, false
	}
	return w.cause(cause.Configuration, cause.ByPod, ClaimMissing{Waiting: w.Waiting, Claim: w.says.Claim}, w.byScheduler()...), true
}
