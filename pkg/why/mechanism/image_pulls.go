package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ImagePulls is a pod whose image is being pulled, by its last event about an image. A pull that failed has a later event. The reasons are
// in pkg/kubelet/events/event.go@v1.36.3.
type ImagePulls struct {
	Waiting

	Pulling time.Duration // how long
	Said    string        // by the kubelet
}

// Mechanism returns its ID.
func (ImagePulls) Mechanism() cause.ID { return "image-pulls" }

func (d ImagePulls) alike(string) waitingDetail { return ImagePulls{Said: d.Said} }

func imagePulls(w *waiter) (cause.Cause, bool) {
	events := w.eventsOn("Pod", w.pod.Name, "Pulling", "Pulled", "Failed", "BackOff")
	if len(events) == 0 || events[len(events)-1].Reason != "Pulling" {
		return cause.Cause{}, false
	}
	e := events[len(events)-1]
	c := w.cause(cause.SlowButProgressing, cause.ByEvent, ImagePulls{Waiting: w.Waiting, Pulling: w.Now.Sub(e.Last), Said: e.Message},
		cause.Proof{Object: Ref(w.pod), Field: "event Pulling", Value: e.Message, At: e.Last})
	c.At = e.Last
	return c, true
}
