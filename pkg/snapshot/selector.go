package snapshot

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

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
