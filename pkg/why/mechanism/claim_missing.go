package mechanism

import (
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ClaimMissing is a pod that names a PersistentVolumeClaim which does not exist. One that exists and is not bound is named by the scheduler
// in the same way, without "not found".
type ClaimMissing struct {
	Waiting

	Claim string
}

// Mechanism returns its ID.
func (ClaimMissing) Mechanism() cause.ID { return "claim-missing" }

func (d ClaimMissing) alike(pod string) waitingDetail {
	return ClaimMissing{Claim: without(pod, d.Claim)}
}

// claimName matches a claim that the scheduler names.
func claimName() *regexp.Regexp { return regexp.MustCompile(`persistentvolumeclaim "([^"]+)"`) }

func claimMissing(w *waiter) (cause.Cause, bool) {
	m := claimName().FindStringSubmatch(w.refused.Message)
	if m == nil || !strings.Contains(w.refused.Message, "not found") {
		return cause.Cause{}, false
	}
	return w.cause(cause.Configuration, cause.ByPod, ClaimMissing{Waiting: w.Waiting, Claim: m[1]}, w.byScheduler()...), true
}
