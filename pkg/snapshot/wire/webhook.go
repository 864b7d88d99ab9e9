package wire

import (
	admissionv1 "k8s.io/api/admissionregistration/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func mutatingFrom(c *admissionv1.MutatingWebhookConfiguration, loc snapshot.Location) *snapshot.WebhookConfiguration {
	out := snapshot.WebhookConfiguration{Object: objectFrom("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", &c.ObjectMeta, loc)}
	narrow(&out, &c.ObjectMeta)
	for _, w := range c.Webhooks {
		out.Webhooks = append(out.Webhooks, webhookFrom(w.Name, w.FailurePolicy, w.ClientConfig, w.NamespaceSelector, w.ObjectSelector, w.Rules))
		out.Webhooks[len(out.Webhooks)-1].Conditional = len(w.MatchConditions) > 0
	}
	return &out
}

func validatingFrom(c *admissionv1.ValidatingWebhookConfiguration, loc snapshot.Location) *snapshot.WebhookConfiguration {
	out := snapshot.WebhookConfiguration{Object: objectFrom("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", &c.ObjectMeta, loc)}
	narrow(&out, &c.ObjectMeta)
	for _, w := range c.Webhooks {
		out.Webhooks = append(out.Webhooks, webhookFrom(w.Name, w.FailurePolicy, w.ClientConfig, w.NamespaceSelector, w.ObjectSelector, w.Rules))
		out.Webhooks[len(out.Webhooks)-1].Conditional = len(w.MatchConditions) > 0
	}
	return &out
}

// narrow keeps what cert-manager and field managers say (cert-manager.io/docs/concepts/ca-injector).
func narrow(c *snapshot.WebhookConfiguration, m *metav1.ObjectMeta) {
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

func webhookFrom(name string, policy *admissionv1.FailurePolicyType, client admissionv1.WebhookClientConfig, namespaces, objects *metav1.LabelSelector, rules []admissionv1.RuleWithOperations) snapshot.Webhook {
	out := snapshot.Webhook{Name: name, FailurePolicy: string(admissionv1.Fail), NamespaceSelector: namespaces, ObjectSelector: objects}
	if policy != nil {
		out.FailurePolicy = string(*policy)
	}
	out.CABundle = snapshot.ParseBundle(client.CABundle)
	if s := client.Service; s != nil {
		out.Service = snapshot.Key{GroupKind: snapshot.GroupKind{Kind: "Service"}, Namespace: s.Namespace, Name: s.Name}
		out.Port = 443
		if s.Port != nil {
			out.Port = *s.Port
		}
		if s.Path != nil {
			out.Path = *s.Path
		}
	}
	for _, r := range rules {
		rule := snapshot.WebhookRule{Groups: r.APIGroups, Resources: r.Resources}
		for _, op := range r.Operations {
			rule.Operations = append(rule.Operations, string(op))
		}
		out.Rules = append(out.Rules, rule)
	}
	return out
}

func endpointSliceFrom(e *discoveryv1.EndpointSlice, loc snapshot.Location) *snapshot.EndpointSlice {
	out := snapshot.EndpointSlice{Object: objectFrom("discovery.k8s.io/v1", "EndpointSlice", &e.ObjectMeta, loc), Service: e.Labels[discoveryv1.LabelServiceName]}
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
	return &out
}
