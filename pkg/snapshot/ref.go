package snapshot

import (
	"strings"
)

// Ref names one object. UID may be empty where the input does not carry one (a manifest that was never applied).
type Ref struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	UID        string `json:"uid,omitempty"`
}

// Group returns the API group of the reference, empty for the core group.
func (r Ref) Group() string { return groupOf(r.APIVersion) }

// GroupKind returns "kind.group" with the kind as written, the form that kubectl uses to tell kinds apart.
func (r Ref) GroupKind() GroupKind { return GroupKind{Group: r.Group(), Kind: r.Kind} }

// Key returns the reference without version and UID: what stays the same when an object is made anew.
func (r Ref) Key() Key { return Key{GroupKind: r.GroupKind(), Namespace: r.Namespace, Name: r.Name} }

// String returns "Kind namespace/name", or "Kind name" for an object without a namespace.
func (r Ref) String() string {
	if r.Namespace == "" {
		return r.Kind + " " + r.Name
	}
	return r.Kind + " " + r.Namespace + "/" + r.Name
}

// Compare orders references by group, kind, namespace, name and UID.
func (r Ref) Compare(o Ref) int {
	if r.APIVersion != o.APIVersion {
		if c := strings.Compare(r.Group(), o.Group()); c != 0 {
			return c
		}
	}
	for _, pair := range [...][2]string{{r.Kind, o.Kind}, {r.Namespace, o.Namespace}, {r.Name, o.Name}, {r.UID, o.UID}} {
		if c := strings.Compare(pair[0], pair[1]); c != 0 {
			return c
		}
	}
	return 0
}

// GroupKind is a kind within its API group.
type GroupKind struct{ Group, Kind string }

// String returns "Kind" for the core group, else "Kind.group".
func (g GroupKind) String() string {
	if g.Group == "" {
		return g.Kind
	}
	return g.Kind + "." + g.Group
}

// Key identifies an object by name.
type Key struct {
	GroupKind
	Namespace, Name string
}

func groupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

// ObjectOf returns the metadata of a record.
func ObjectOf(r Record) *Object { return r.object() }

// KeyOf returns the key of a record.
func KeyOf(r Record) Key { return r.object().Key() }

// ref is before all objects of the name.
func (k Key) ref() Ref {
	return Ref{APIVersion: k.Group + "/", Kind: k.Kind, Namespace: k.Namespace, Name: k.Name}
}
