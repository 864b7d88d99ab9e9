package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// WebhookInMesh is a sidecar of Istio in front of the operator's webhook, where the API server's call is cut off: a mesh that accepts mTLS
// only ends every other connection, and the API server is no part of the mesh (#3090). One that accepts both (PERMISSIVE, which is the
// default of Istio) lets the call through, so a sidecar alone says nothing; a webhook that is just starting cuts calls off, too.
type WebhookInMesh struct {
	Pod  string
	Port string // that the API server calls
}

// Mechanism names it.
func (WebhookInMesh) Mechanism() cause.ID { return "webhook-in-mesh" }

// excludedPorts is the annotation of pods that lists ports which the sidecar leaves alone (istio.io/docs/reference/config/annotations).
const excludedPorts = "traffic.sidecar.istio.io/excludeInboundPorts"

// CutOffByMesh says why the operator's webhook could not be called, where a sidecar stands in front of it.
func CutOffByMesh(v *View, about *cause.Cause) (cause.Cause, bool) {
	r := refusalOf(about)
	if r == nil || r.Kind != WebhookUncalled || !r.CutOff {
		return cause.Cause{}, false
	}
	proxy := func(c corev1.Container) bool { return c.Name == "istio-proxy" }
	for i := range v.Webhook {
		p := &v.Webhook[i]
		port := servedPort(p)
		if !slices.ContainsFunc(slices.Concat(p.Spec.Containers, p.Spec.InitContainers), proxy) || excludes(p, port) {
			continue
		}
		return cause.Cause{Class: cause.Submission, Role: cause.OperatorRole, Certainty: check.Likely, Subject: Ref(p), At: about.At,
			Trust: cause.BySpec, Detail: WebhookInMesh{Pod: p.Name, Port: port},
			Evidence: []cause.Proof{{Object: Ref(p), Field: "spec.containers", Value: "istio-proxy"}}}, true
	}
	return cause.Cause{}, false
}

func refusalOf(c *cause.Cause) *Refusal {
	switch d := c.Detail.(type) {
	case OperatorCannotCreate:
		return d.Refusal
	case SubmissionRefused:
		return &d.Refusal
	default:
		return nil
	}
}

// servedPort is the port of the webhook's container: 9443 in the chart (charts/spark-operator-chart/values.yaml@v2.5.2, webhook.port).
func servedPort(p *corev1.Pod) string {
	for _, c := range p.Spec.Containers {
		for _, arg := range c.Args {
			if port, is := strings.CutPrefix(arg, "--webhook-port="); is {
				return port
			}
		}
	}
	return "9443"
}

func excludes(p *corev1.Pod, port string) bool {
	listed := strings.FieldsFunc(p.Annotations[excludedPorts], func(r rune) bool { return r == ',' || r == ' ' })
	return slices.Contains(listed, port) || slices.Contains(listed, "*")
}
