package mechanism

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NotCalled is why the operator's webhook did not change a pod, as far as is known: it does not see pods of the namespace, or the API
// server does not trust its certificate. Zero: nothing tells. A webhook that is changed later, and one that other clients refuse, look
// alike; so the selector is that of now, and refusals count only around the time when the pod was made.
type NotCalled struct {
	Skips *app.WebhookSkip
	Pod   string // of the webhook, whose log tells of refusals
	At    time.Time
}

// near is how far the creation of a pod may be from the lines that tell of calls which failed: handshakes are logged at once.
const near = 30 * time.Second

func (v *View) notCalled(p *corev1.Pod) (NotCalled, []cause.Proof) {
	if s := v.WebhookSkips; s != nil {
		return NotCalled{Skips: s}, []cause.Proof{{Object: s.Config, Field: "namespaceSelector of " + s.Webhook, Value: s.Selector}}
	}
	made := p.CreationTimestamp.Time
	for _, h := range v.HandshakesRefused {
		if !h.First.After(made.Add(near)) && !h.At.Before(made.Add(-near)) {
			return NotCalled{Pod: h.Pod.Name, At: h.At}, []cause.Proof{{Object: h.Pod, Field: "log " + h.Container, Value: h.Text, At: h.At}}
		}
	}
	return NotCalled{}, nil
}
