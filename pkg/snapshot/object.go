package snapshot

import (
	"slices"
	"strings"
	"time"
)

// Object is the metadata that every record carries.
type Object struct {
	Ref
	Created     time.Time // zero where the input has none
	Deleted     time.Time // metadata.deletionTimestamp; zero unless the object is terminating
	GracePeriod time.Duration
	Owners      []OwnerReference
	Finalizers  []string
	Labels      Labels
	Location    Location
}

// Terminating reports whether a delete was accepted and something still holds the object.
func (o *Object) Terminating() bool { return !o.Deleted.IsZero() }

// OwnerReference is one entry of metadata.ownerReferences.
type OwnerReference struct {
	APIVersion, Kind, Name, UID    string
	Controller, BlockOwnerDeletion bool
}

// GroupKind returns the kind that the reference names.
func (r OwnerReference) GroupKind() GroupKind {
	return GroupKind{Group: groupOf(r.APIVersion), Kind: r.Kind}
}

// Location says where in the input a record was read; it is zero for records from an API server.
type Location struct {
	File     string `json:"file,omitempty"`
	Document int    `json:"document,omitempty"` // 1 is the first document of the file
	Line     int    `json:"line,omitempty"`     // line of the file where the object starts, from 1
}

// Label is one key and value of metadata.labels.
type Label struct{ Key, Value string }

// Labels are sorted by key. A slice of a few pairs is a third of the size of a map, and fleets have 100,000 pods.
// It satisfies k8s.io/apimachinery/pkg/labels.Labels, so selectors match it as it is.
type Labels []Label

// Lookup returns the value of a label and whether it is set.
func (l Labels) Lookup(key string) (value string, exists bool) {
	i, found := slices.BinarySearchFunc(l, key, func(e Label, k string) int { return strings.Compare(e.Key, k) })
	if !found {
		return "", false
	}
	return l[i].Value, true
}

// Get returns the value of a label, empty if it is not set.
func (l Labels) Get(key string) string { value, _ := l.Lookup(key); return value }

// Has reports whether a label is set.
func (l Labels) Has(key string) bool { _, exists := l.Lookup(key); return exists }

func labelsFrom(m map[string]string) Labels {
	if len(m) == 0 {
		return nil
	}
	out := make(Labels, 0, len(m))
	for k, v := range m {
		out = append(out, Label{k, v})
	}
	slices.SortFunc(out, func(a, b Label) int { return strings.Compare(a.Key, b.Key) })
	return out
}
