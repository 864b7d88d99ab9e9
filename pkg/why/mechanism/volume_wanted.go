package mechanism

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// VolumeWanted is a pod that the scheduler cannot place for want of a volume, where no claim was seen that says more. Where nodes lack
// room as well, that is what the pod waits for. The words are those of pkg/scheduler/framework/plugins/volumebinding/binder.go@v1.36.3.
type VolumeWanted struct {
	Waiting
	Placement // by the scheduler

	Claims []string // of the pod
}

// Mechanism returns its ID.
func (VolumeWanted) Mechanism() cause.ID { return "volume-wanted" }

func (d VolumeWanted) alike(pod string) waitingDetail {
	claims := make([]string, 0, len(d.Claims))
	for _, one := range d.Claims {
		claims = append(claims, without(pod, one))
	}
	return VolumeWanted{Placement: Placement{Text: without(pod, d.Text)}, Claims: claims}
}

func volumeWanted(w *waiter) (cause.Cause, bool) {
	if w.refused == nil {
		return cause.Cause{}, false
	}
	if w.says.WantsFree {
		if c, is := noFreeVolume(w); is {
			return c, true
		}
	}
	if !w.says.WantsVolume {
		return cause.Cause{}, false
	}
	if c, is := claimMissing(w); is {
		return c, true
	}
	if c, is := claimUnbound(w); is {
		return c, true
	}
	c := w.cause(cause.Storage, cause.ByPod, VolumeWanted{Waiting: w.Waiting, Placement: w.says, Claims: w.claims()}, w.byScheduler()...)
	c.Topics = ofMemory(namesMemory(w.says.Text))
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
