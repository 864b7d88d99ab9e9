package mechanism

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// VolumeWanted is a pod that the scheduler cannot place for want of a volume, where no claim was seen that says more. Where nodes lack room
// as well, that is what the pod waits for.
type VolumeWanted struct {
	Waiting

	Said   string   // by the scheduler
	Claims []string // of the pod
}

// Mechanism returns its ID.
func (VolumeWanted) Mechanism() cause.ID { return "volume-wanted" }

func (d VolumeWanted) alike(pod string) waitingDetail {
	claims := make([]string, 0, len(d.Claims))
	for _, one := range d.Claims {
		claims = append(claims, without(pod, one))
	}
	return VolumeWanted{Said: without(pod, d.Said), Claims: claims}
}

// noVolume is what the scheduler says when a claim that is bound with its pod finds no volume, and none can be provisioned
// (kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go@v1.36.3: ErrReasonBindConflict).
const noVolume = "didn't find available persistent volumes to bind"

// volumesNotBound is what the scheduler says when it chose a node, and a claim of the pod was not bound in time
// (kubernetes pkg/scheduler/framework/plugins/volumebinding/binder.go@v1.36.3: BindPodVolumes, bindTimeoutSeconds).
const volumesNotBound = "binding volumes: "

func volumeWanted(w *waiter) (cause.Cause, bool) {
	if w.refused == nil {
		return cause.Cause{}, false
	}
	said := w.refused.Message
	if strings.Contains(said, noVolume) && !strings.Contains(said, "Insufficient") {
		if c, is := noFreeVolume(w); is {
			return c, true
		}
	}
	lower := strings.ToLower(said)
	if !strings.Contains(lower, "persistentvolumeclaim") && !strings.Contains(lower, "volume node affinity conflict") &&
		!strings.Contains(said, volumesNotBound) && !ofEveryNode(said, noVolume) {
		return cause.Cause{}, false
	}
	if c, is := claimMissing(w); is {
		return c, true
	}
	if c, is := claimUnbound(w); is {
		return c, true
	}
	c := w.cause(cause.Storage, cause.ByPod, VolumeWanted{Waiting: w.Waiting, Said: said, Claims: w.claims()}, w.byScheduler()...)
	c.Topics = ofMemory(namesMemory(said))
	return c, true
}

// claims are the names of those that the pod mounts.
func (w *waiter) claims() []string {
	var out []string
	for _, volume := range w.pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil {
			out = append(out, volume.PersistentVolumeClaim.ClaimName)
		}
	}
	return out
}

// ofEveryNode reports whether the scheduler gives one reason for all nodes ("0/3 nodes are available: 3 node(s) ...",
// FitError.Error in kubernetes pkg/scheduler/framework/types.go@v1.36.3).
func ofEveryNode(message, reason string) bool {
	var all, of int
	n, _ := fmt.Sscanf(message, "0/%d nodes are available: %d node(s)", &all, &of)
	_, after, found := strings.Cut(message, "node(s) ")
	return n == 2 && all == of && found && strings.HasPrefix(after, reason)
}
