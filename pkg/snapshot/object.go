package snapshot

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
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
	// Unkept are the fields of the object that the schema does not keep against which it was read, see Schemas.
	Unkept []string `verdict:"none"`
	// Refused are the values of the object that this schema refuses.
	Refused []schema.Violation `verdict:"none"`
	// Users and Groups are those that OpenShift assigned to a namespace, as its annotations write them.
	Users, Groups string `verdict:"none"`
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

// Unkept returns the paths of the fields that a schema of Snapshot.Compared does not keep, the outermost ones.
func (o *Object) Unkept() []string { return o.orNothing().Unkept }

// IDs returns what the annotations UsersAnnotation and GroupsAnnotation of a namespace say.
func (o *Object) IDs() (users, groups string) { rest := o.orNothing(); return rest.Users, rest.Groups }

// SetIDs is for decoders.
func (o *Object) SetIDs(users, groups string) {
	if users == "" && groups == "" {
		return
	}
	rest := o.orNothing()
	rest.Users, rest.Groups = users, groups
	o.Seldom = &rest
}

// Refused returns what a schema of Snapshot.Compared refuses of the object's values.
func (o *Object) Refused() []schema.Violation { return o.orNothing().Refused }

// Written reports whether the object may be as somebody wrote it: an API server sets both when it stores one
// (FillObjectMetaSystemFields, pkg/registry/rest/meta.go of k8s.io/apiserver@v0.36.3).
func (o *Object) Written() bool { return o.UID == "" && o.Created.IsZero() }

// SetCompared is for decoders: what Unkept and Refused return.
func (o *Object) SetCompared(unkept []string, refused []schema.Violation) {
	if len(unkept)+len(refused) == 0 {
		return
	}
	rest := o.orNothing()
	rest.Unkept, rest.Refused = unkept, refused
	o.Seldom = &rest
}

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

// The annotations by which clouds bind an identity to a service account.
const (
	AmazonRoleAnnotation    = "eks.amazonaws.com/role-arn"
	GoogleAccountAnnotation = "iam.gke.io/gcp-service-account"
	AzureClientAnnotation   = "azure.workload.identity/client-id"
)

// KyvernoAnnotation is where Kyverno says which of its rules changed which fields of an object, one a line: "RULE.POLICY.kyverno.io: added
// /path" (annotationFromEngineResponses in pkg/utils/annotations.go of kyverno/kyverno@4cea1f7).
const KyvernoAnnotation = "policies.kyverno.io/last-applied-patches"

// LastAppliedAnnotation is where kubectl apply keeps a copy of the manifest.
const LastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration"

// IgnoreAnnotation is where an object says which findings about it are accepted.
const IgnoreAnnotation = "sparkdoctor.io/ignore"

// UsersAnnotation and GroupsAnnotation are on every namespace of OpenShift (security/v1/consts.go of github.com/openshift/api).
const (
	UsersAnnotation  = "openshift.io/sa.scc.uid-range"
	GroupsAnnotation = "openshift.io/sa.scc.supplemental-groups"
)

// Record is a decoded item: one of the record types of this package.
type Record interface{ object() *Object }

func (o *Object) object() *Object { return o }

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

// Key returns the reference without version and UID: what stays the same when an object is re-created.
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
