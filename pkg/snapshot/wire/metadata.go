package wire

import (
	"bytes"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Options accept what Kubernetes itself accepts: the last of two equal keys wins, and bytes that are no
// UTF-8 are replaced.
func Options() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// wireObject is the head of every Kubernetes object in JSON, with the sizes of the parts that grow.
type wireObject struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   wireMetadata `json:"metadata"`
}

type wireMetadata struct {
	wireHead
	ManagedFields sized[managedFields] `json:"managedFields"`
}

// wireHead is what every record has of its metadata.
type wireHead struct {
	Name              string      `json:"name"`
	Namespace         string      `json:"namespace"`
	UID               string      `json:"uid"`
	CreationTimestamp wireTime    `json:"creationTimestamp"`
	DeletionTimestamp wireTime    `json:"deletionTimestamp"`
	GraceSeconds      int64       `json:"deletionGracePeriodSeconds"`
	Labels            labelPairs  `json:"labels"`
	Annotations       annotations `json:"annotations"`
	OwnerReferences   []wireOwner `json:"ownerReferences"`
	Finalizers        []string    `json:"finalizers"`
}

type wireOwner struct {
	APIVersion         string `json:"apiVersion"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
	UID                string `json:"uid"`
	Controller         bool   `json:"controller"`
	BlockOwnerDeletion bool   `json:"blockOwnerDeletion"`
}

func (w *wireObject) object(loc snapshot.Location) snapshot.Object {
	o := w.Metadata.object()
	o.APIVersion = w.APIVersion
	o.Kind = w.Kind
	o.Location = loc
	return o
}

func (m *wireHead) object() snapshot.Object {
	o := snapshot.Object{
		Ref:     snapshot.Ref{Namespace: m.Namespace, Name: m.Name, UID: m.UID},
		Created: m.CreationTimestamp.Time, Labels: snapshot.Labels{Shared: snapshot.NewLabelSet(m.Labels)},
	}
	o.Seldom = seldom(m.DeletionTimestamp.Time, m.GraceSeconds, m.Finalizers, m.Annotations.Ignore)
	o.SetIDs(m.Annotations.Users, m.Annotations.Groups)
	for _, r := range m.OwnerReferences {
		o.Owners = append(o.Owners, snapshot.OwnerReference(r))
	}
	return o
}

// objectFrom narrows the metadata of a typed object.
func objectFrom(apiVersion, kind string, m *metav1.ObjectMeta, loc snapshot.Location) snapshot.Object {
	o := snapshot.Object{
		Ref:     snapshot.Ref{APIVersion: apiVersion, Kind: kind, Namespace: m.Namespace, Name: m.Name, UID: string(m.UID)},
		Created: m.CreationTimestamp.UTC(), Labels: snapshot.LabelsOf(m.Labels), Location: loc,
	}
	var deleted time.Time
	if m.DeletionTimestamp != nil {
		deleted = m.DeletionTimestamp.UTC()
	}
	var grace int64
	if m.DeletionGracePeriodSeconds != nil {
		grace = *m.DeletionGracePeriodSeconds
	}
	o.Seldom = seldom(deleted, grace, m.Finalizers, m.Annotations[snapshot.IgnoreAnnotation])
	for _, r := range m.OwnerReferences {
		o.Owners = append(o.Owners, snapshot.OwnerReference{
			APIVersion: r.APIVersion, Kind: r.Kind, Name: r.Name, UID: string(r.UID),
			Controller: r.Controller != nil && *r.Controller, BlockOwnerDeletion: r.BlockOwnerDeletion != nil && *r.BlockOwnerDeletion,
		})
	}
	return o
}

// seldom is nil for most objects.
func seldom(deleted time.Time, grace int64, finalizers []string, ignore string) *snapshot.Seldom {
	if deleted.IsZero() && grace == 0 && len(finalizers) == 0 && ignore == "" {
		return nil
	}
	return &snapshot.Seldom{Deleted: deleted, GracePeriod: seconds(grace), Finalizers: finalizers, Ignore: ignore}
}

// seconds is a grace period, within a year: more would overflow, and means the same.
func seconds(n int64) time.Duration {
	return time.Duration(min(max(n, 0), 365*24*3600)) * time.Second
}

// wireTime is an RFC 3339 time or null.
type wireTime struct{ time.Time }

func (t *wireTime) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var text string
	if err := json.UnmarshalDecode(dec, &text); err != nil {
		return err
	}
	if text == "" {
		return nil
	}
	var err error
	t.Time, err = snapshot.ParseTime(text)
	return err
}

// labelPairs decodes a map of labels without building one.
type labelPairs []snapshot.Label

func (l *labelPairs) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	err := members(dec, func(name string) error {
		label := snapshot.Label{Key: name}
		err := json.UnmarshalDecode(dec, &label.Value)
		*l = append(*l, label)
		return err
	})
	*l = snapshot.SortLabels(*l)
	return err
}

// DecodeLabels decodes the map of labels that comes next.
func DecodeLabels(dec *jsontext.Decoder) (*snapshot.LabelSet, error) {
	var list labelPairs
	err := list.UnmarshalJSONFrom(dec)
	return snapshot.NewLabelSet(list), err
}

// annotations measures the largest annotation and keeps a few.
type annotations struct {
	LastApplied int
	Ignore      string
	Users       string // of snapshot.UsersAnnotation
	Groups      string // of snapshot.GroupsAnnotation
	Queue       string // the first that names a queue of a batch scheduler
	manifest    []byte // the manifest that was last applied, if it holds a field that an old CRD drops
}

func (a *annotations) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return members(dec, func(name string) error {
		switch name {
		case snapshot.LastAppliedAnnotation:
		case snapshot.IgnoreAnnotation:
			return json.UnmarshalDecode(dec, &a.Ignore)
		case snapshot.UsersAnnotation:
			return json.UnmarshalDecode(dec, &a.Users)
		case snapshot.GroupsAnnotation:
			return json.UnmarshalDecode(dec, &a.Groups)
		default:
			if namesQueue(name) && a.Queue == "" {
				return json.UnmarshalDecode(dec, &a.Queue)
			}
			return dec.SkipValue()
		}
		value, err := dec.ReadValue()
		if a.LastApplied = len(value); err == nil && mentionsPrunable(value) {
			a.manifest, err = jsontext.AppendUnquote(nil, value)
		}
		return err
	})
}

// sized decodes a value and remembers how many bytes it takes. The input must be compact JSON.
type sized[T any] struct {
	Value T
	Bytes int
}

func (s *sized[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	start := dec.InputOffset()
	if err := json.UnmarshalDecode(dec, &s.Value); err != nil {
		return err
	}
	s.Bytes = int(dec.InputOffset()-start) - len(":")
	return nil
}

// ignored passes over a value.
type ignored struct{}

func (ignored) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return dec.SkipValue() }

// members calls fn for every member of the object that comes next; fn must read the value. null has no members.
func members(dec *jsontext.Decoder, fn func(name string) error) error {
	return rawMembers(dec, func(name []byte) error { return fn(string(name)) })
}

// elements calls fn for every entry of the list that comes next; fn must read it.
func elements(dec *jsontext.Decoder, fn func() error) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		if err := fn(); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// rawMembers is members where there are too many names to make each a string. A name is only valid until the value is
// read.
func rawMembers(dec *jsontext.Decoder, fn func(name []byte) error) error {
	switch dec.PeekKind() {
	case 'n':
		return dec.SkipValue()
	case '{':
	default:
		kind := dec.PeekKind()
		if err := dec.SkipValue(); err != nil {
			return err
		}
		return fmt.Errorf("is %s, not an object", KindWord(kind))
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		quoted, err := dec.ReadValue()
		if err != nil {
			return err
		}
		name := []byte(quoted)[1 : len(quoted)-1]
		if bytes.IndexByte(name, '\\') >= 0 || !utf8.Valid(name) {
			if name, err = unquoted(quoted); err != nil {
				return err
			}
		}
		if err := fn(name); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}
