package snapshot

import (
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
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

func mutatingFrom(c *admissionv1.MutatingWebhookConfiguration, loc Location) WebhookConfiguration {
	out := WebhookConfiguration{Object: objectFrom("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", &c.ObjectMeta, loc)}
	out.narrow(&c.ObjectMeta)
	for _, w := range c.Webhooks {
		out.Webhooks = append(out.Webhooks, webhookFrom(w.Name, w.FailurePolicy, w.ClientConfig, w.NamespaceSelector, w.ObjectSelector, w.Rules))
		out.Webhooks[len(out.Webhooks)-1].Conditional = len(w.MatchConditions) > 0
	}
	return out
}

func validatingFrom(c *admissionv1.ValidatingWebhookConfiguration, loc Location) WebhookConfiguration {
	out := WebhookConfiguration{Object: objectFrom("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", &c.ObjectMeta, loc)}
	out.narrow(&c.ObjectMeta)
	for _, w := range c.Webhooks {
		out.Webhooks = append(out.Webhooks, webhookFrom(w.Name, w.FailurePolicy, w.ClientConfig, w.NamespaceSelector, w.ObjectSelector, w.Rules))
		out.Webhooks[len(out.Webhooks)-1].Conditional = len(w.MatchConditions) > 0
	}
	return out
}

// narrow keeps what cert-manager and field managers say (cert-manager.io/docs/concepts/ca-injector).
func (c *WebhookConfiguration) narrow(m *metav1.ObjectMeta) {
	switch from := m.Annotations; {
	case from["cert-manager.io/inject-ca-from"] != "":
		c.InjectedFrom = "Certificate " + from["cert-manager.io/inject-ca-from"]
	case from["cert-manager.io/inject-ca-from-secret"] != "":
		c.InjectedFrom = "Secret " + from["cert-manager.io/inject-ca-from-secret"]
	case from["cert-manager.io/inject-apiserver-ca"] == "true":
		c.InjectedFrom = "the API server's own CA"
	}
	c.Managers = managersOf(m, "f:caBundle", "f:failurePolicy")
}

func webhookFrom(name string, policy *admissionv1.FailurePolicyType, client admissionv1.WebhookClientConfig, namespaces, objects *metav1.LabelSelector, rules []admissionv1.RuleWithOperations) Webhook {
	out := Webhook{Name: name, FailurePolicy: string(admissionv1.Fail), NamespaceSelector: namespaces, ObjectSelector: objects}
	if policy != nil {
		out.FailurePolicy = string(*policy)
	}
	out.CABundle = ParseBundle(client.CABundle)
	if s := client.Service; s != nil {
		out.Service = Key{GroupKind: GroupKind{Kind: "Service"}, Namespace: s.Namespace, Name: s.Name}
		out.Port = 443
		if s.Port != nil {
			out.Port = *s.Port
		}
		if s.Path != nil {
			out.Path = *s.Path
		}
	}
	for _, r := range rules {
		rule := WebhookRule{Groups: r.APIGroups, Resources: r.Resources}
		for _, op := range r.Operations {
			rule.Operations = append(rule.Operations, string(op))
		}
		out.Rules = append(out.Rules, rule)
	}
	return out
}

func endpointSliceFrom(e *discoveryv1.EndpointSlice, loc Location) EndpointSlice {
	out := EndpointSlice{Object: objectFrom("discovery.k8s.io/v1", "EndpointSlice", &e.ObjectMeta, loc), Service: e.Labels[discoveryv1.LabelServiceName]}
	out.Ports = make([]string, 0, len(e.Ports))
	for _, p := range e.Ports {
		name := ""
		if p.Name != nil {
			name = *p.Name
		}
		out.Ports = append(out.Ports, name)
	}
	for _, ep := range e.Endpoints {
		// A nil Ready means ready (k8s.io/api/discovery/v1 EndpointConditions).
		if ep.Conditions.Ready == nil || *ep.Conditions.Ready {
			out.Ready += len(ep.Addresses)
			if ep.TargetRef != nil && ep.TargetRef.Kind == "Pod" {
				out.Pods = append(out.Pods, ep.TargetRef.Name)
			}
		}
	}
	return out
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
