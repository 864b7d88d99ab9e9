package snapshot

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
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

// Selects reports whether the namespaceSelector of a webhook takes a namespace. known is false if that depends on
// labels of a namespace that was not seen, or if the selector cannot be read.
func (w *Webhook) Selects(namespace string, seen *Object) (yes, known bool) {
	return w.NamespaceMatch()(namespace, seen)
}

// NamespaceMatch returns Selects for many namespaces: a selector that names hundreds takes as long to read as to ask.
func (w *Webhook) NamespaceMatch() func(namespace string, seen *Object) (yes, known bool) {
	if w.NamespaceSelector == nil {
		return func(string, *Object) (bool, bool) { return true, true }
	}
	selector, err := metav1.LabelSelectorAsSelector(w.NamespaceSelector)
	if err != nil {
		return func(string, *Object) (bool, bool) { return false, false }
	}
	return func(namespace string, seen *Object) (bool, bool) { return MatchNamespace(selector, namespace, seen) }
}

// MatchNamespace reports whether a selector takes a namespace, which may not have been seen: then only its name is
// known, as the label that the API server puts on every namespace (kubernetes.io/metadata.name, since 1.21).
func MatchNamespace(selector labels.Selector, namespace string, seen *Object) (yes, known bool) {
	requirements, selectable := selector.Requirements()
	if !selectable {
		return false, true
	}
	for _, r := range requirements {
		if r.Key() != corev1.LabelMetadataName && seen == nil {
			return false, false
		}
	}
	l := namespaceLabels{name: namespace}
	if seen != nil {
		l.seen = seen.Labels
	}
	return selector.Matches(l), true
}

// namespaceLabels are labels of a namespace, with the one that is always there.
type namespaceLabels struct {
	name string
	seen Labels
}

// Lookup satisfies labels.Labels.
func (l namespaceLabels) Lookup(key string) (value string, exists bool) {
	if key == corev1.LabelMetadataName {
		return l.name, true
	}
	return l.seen.Lookup(key)
}

// Has satisfies labels.Labels.
func (l namespaceLabels) Has(key string) bool { _, exists := l.Lookup(key); return exists }

// Get satisfies labels.Labels.
func (l namespaceLabels) Get(key string) string { value, _ := l.Lookup(key); return value }
