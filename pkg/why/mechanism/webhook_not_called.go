package mechanism

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NotCalled is why the operator's webhook did not change a pod, as far as is known: it does not see pods of the namespace, the API server
// does not trust its certificate, or it did not run. Zero: nothing tells. A webhook that is changed later, one that other clients refuse,
// and one that went down after the pod was made look alike; so the selector is that of now, refusals count only around the time when the
// pod was made, and what waits to be restarted must have ended before.
type NotCalled struct {
	Skips *app.WebhookSkip
	Down  *WebhookDown
	Pod   string // of the webhook, whose log tells of refusals
	At    time.Time
	// Expired is the certificate of the webhook, where that was no longer valid; nil: it was, or was not seen.
	Expired *Expired
	// Ignored says that the API server creates the pods of applications without the webhook where it cannot call it, by failurePolicy.
	Ignored bool
}

// Expired is a Certificate of cert-manager that was not renewed. One that was renewed since looks alike: its end is later than the pod.
type Expired struct {
	Certificate snapshot.Ref
	Until       time.Time
	Issuer      app.Issuer // that is to renew it
}

// WebhookDown is a webhook of which no pod ran when it was to be called.
type WebhookDown struct {
	Pod      string
	Reason   string // why its container ended last
	Code     int32
	Restarts int32
	Limit    string // of its memory; empty: it has none
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
			proofs := []cause.Proof{{Object: h.Pod, Field: "log " + h.Container, Value: h.Text, At: h.At}}
			expired, why := v.expired(h.Pod.Namespace, made)
			ignored := v.ignored(h.Pod.Namespace)
			return NotCalled{Pod: h.Pod.Name, At: h.At, Expired: expired, Ignored: len(ignored) > 0}, slices.Concat(proofs, why, ignored)
		}
	}
	if down, proof, is := v.webhookDown(made); is {
		ignored := v.ignored(v.Webhook[0].Namespace)
		return NotCalled{Down: &down, Ignored: len(ignored) > 0}, append([]cause.Proof{proof}, ignored...)
	}
	return NotCalled{}, nil
}

// ignored shows the failurePolicy of the webhooks for pods that call a Service of a namespace, where it is Ignore. Where one of them is
// Fail, the policy may have been changed since, or another let the pod pass: nil.
func (v *View) ignored(namespace string) (proofs []cause.Proof) {
	for i := range v.Trusts {
		t := &v.Trusts[i]
		switch {
		case t.Policy == "" || t.Service.Namespace != namespace:
		case t.Policy != "Ignore":
			return nil
		default:
			proofs = append(proofs, cause.Proof{Object: t.Config, Field: "webhooks[" + t.Webhook + "].failurePolicy", Value: t.Policy})
		}
	}
	return proofs
}

// expired is the certificate from which cert-manager fills caBundle of a webhook of a namespace, where it had expired at a time.
func (v *View) expired(namespace string, at time.Time) (*Expired, []cause.Proof) {
	for i := range v.Certificates {
		c := &v.Certificates[i]
		ours := func(t app.Trusted) bool {
			return t.Service.Namespace == namespace && t.Injected == "Certificate "+c.Namespace+"/"+c.Name
		}
		if c.Until.IsZero() || c.Until.After(at) || !slices.ContainsFunc(v.Trusts, ours) {
			continue
		}
		proofs := []cause.Proof{{Object: c.Ref, Field: "status.notAfter", Value: c.Until.Format(time.RFC3339), At: c.Until}}
		if c.Issuer.Missing {
			proofs = append(proofs, cause.Proof{Object: c.Request, Field: "status.conditions[Ready]", Value: c.Pending.Reason + ": " +
				c.Pending.Message})
		}
		return &Expired{Certificate: c.Ref, Until: c.Until, Issuer: c.Issuer}, proofs
	}
	return nil, nil
}

// webhookDown is a webhook whose pods had all ended at a time, and were not started again since.
func (v *View) webhookDown(at time.Time) (WebhookDown, cause.Proof, bool) {
	var down WebhookDown
	var proof cause.Proof
	for i := range v.Webhook {
		p := &v.Webhook[i]
		s, ended := waitsSince(p, at)
		if !ended {
			return WebhookDown{}, cause.Proof{}, false
		}
		t := s.LastTerminationState.Terminated
		down = WebhookDown{Pod: p.Name, Reason: t.Reason, Code: t.ExitCode, Restarts: s.RestartCount, Limit: limitOf(p, s.Name)}
		proof = cause.Proof{Object: Ref(p), Field: "status.containerStatuses[" + s.Name + "].lastState", Value: fmt.Sprintf(
			"%s (exit code %d), %d restarts", t.Reason, t.ExitCode, s.RestartCount), At: t.FinishedAt.UTC()}
	}
	return down, proof, down.Pod != ""
}

// waitsSince is a container that ended before a time and waits to be started again.
func waitsSince(p *corev1.Pod, at time.Time) (corev1.ContainerStatus, bool) {
	for _, s := range p.Status.ContainerStatuses {
		t := s.LastTerminationState.Terminated
		if s.State.Waiting != nil && t != nil && !t.FinishedAt.IsZero() && !t.FinishedAt.After(at) {
			return s, true
		}
	}
	return corev1.ContainerStatus{}, false
}

func limitOf(p *corev1.Pod, container string) string {
	for i := range p.Spec.Containers {
		if c := &p.Spec.Containers[i]; c.Name == container && !c.Resources.Limits.Memory().IsZero() {
			return c.Resources.Limits.Memory().String()
		}
	}
	return ""
}
