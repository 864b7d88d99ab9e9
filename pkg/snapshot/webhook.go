package snapshot

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// WebhookConfiguration is a Mutating- or ValidatingWebhookConfiguration.
type WebhookConfiguration struct {
	Object
	Webhooks []Webhook
	// InjectedFrom is what cert-manager's cainjector fills caBundle from, "Certificate ns/name" or "Secret ns/name"; empty
	// without it.
	InjectedFrom string
	Managers     []FieldManager // who owns a caBundle or a failurePolicy
}

// Mutating reports whether the configuration may change objects.
func (c *WebhookConfiguration) Mutating() bool { return c.Kind == "MutatingWebhookConfiguration" }

// Webhook is one entry of a configuration.
type Webhook struct {
	Name              string
	FailurePolicy     string // Fail or Ignore; the API server's default, Fail, is filled in
	Service           Key    // the Service that is called; empty for a URL
	Port              int32
	Path              string
	NamespaceSelector *metav1.LabelSelector
	ObjectSelector    *metav1.LabelSelector
	Rules             []WebhookRule
	Conditional       bool // it has matchConditions: CEL, which is not evaluated
	CABundle          Bundle
}

// WebhookRule says which requests a webhook sees.
type WebhookRule struct{ Operations, Groups, Resources []string }

// EndpointSlice is one slice of the endpoints of a Service that a webhook calls.
type EndpointSlice struct {
	Object
	Service string   // label kubernetes.io/service-name
	Ready   int      // endpoints that receive requests
	Pods    []string // names of the pods behind these
	Ports   []string // names of the Service's ports that these have; nil in archives that do not tell
}

// Intercepts reports whether the rules of a webhook cover an operation on the main resource of an object. Selectors
// are not looked at: they need the labels of the namespace.
func (w *Webhook) Intercepts(operation string, o *Object) bool {
	src, known := SourceOf(ViewOf(o.GroupKind()))
	if !known {
		return false
	}
	return slices.ContainsFunc(w.Rules, func(r WebhookRule) bool {
		return matches(r.Operations, operation) && matches(r.Groups, src.Group) && matches(r.Resources, src.Resource)
	})
}

func matches(list []string, value string) bool {
	return slices.Contains(list, value) || slices.Contains(list, "*") || slices.Contains(list, "*/*")
}
