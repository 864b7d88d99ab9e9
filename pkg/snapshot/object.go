package snapshot

import (
	"time"
)

// Object is the metadata that every record carries.
type Object struct {
	Ref
	Created  time.Time // zero where the input has none
	Owners   []OwnerReference
	Labels   Labels
	Location Location
	Seldom   *Seldom // nil for most objects
}

// Seldom is what few objects have: it would take a sixth of the memory of a fleet's 100,000 pods.
type Seldom struct {
	Deleted     time.Time // metadata.deletionTimestamp
	GracePeriod time.Duration
	Finalizers  []string
	Ignore      string // annotation sparkdoctor.io/ignore
}

func (o *Object) orNothing() Seldom {
	if o.Seldom == nil {
		return Seldom{}
	}
	return *o.Seldom
}

// Terminating reports whether a delete was accepted and something still holds the object.
func (o *Object) Terminating() bool { return !o.Deleted().IsZero() }

// Deleted returns metadata.deletionTimestamp, zero unless the object is terminating. It lies ahead of the delete by the
// grace period.
func (o *Object) Deleted() time.Time { return o.orNothing().Deleted }

// GracePeriod returns metadata.deletionGracePeriodSeconds.
func (o *Object) GracePeriod() time.Duration { return o.orNothing().GracePeriod }

// Finalizers returns metadata.finalizers.
func (o *Object) Finalizers() []string { return o.orNothing().Finalizers }

// Ignore returns the annotation sparkdoctor.io/ignore.
func (o *Object) Ignore() string { return o.orNothing().Ignore }

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
