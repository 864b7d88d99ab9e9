package fix

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Object is a whole object as the API server has it now.
type Object = unstructured.Unstructured

// Read is what an intent needs to see before it can be resolved: one object, or with a selector the metadata of those
// of its kind in a namespace that match.
type Read struct {
	Ref      snapshot.Ref
	Selector string // of labels; Ref then has no name
}

// Fresh are objects that were read just now.
type Fresh struct {
	objects map[snapshot.Key]*Object
	lists   map[Read][]*Object
}

// NewFresh returns an empty set.
func NewFresh() Fresh {
	return Fresh{objects: map[snapshot.Key]*Object{}, lists: map[Read][]*Object{}}
}

// Put adds an object. One that was asked for and is not there is simply not added.
func (f Fresh) Put(o *Object) { f.objects[refOf(o).Key()] = o }

// PutList adds what a read with a selector returned.
func (f Fresh) PutList(r Read, list []*Object) { f.lists[r] = list }

// Object returns an object that was read, by kind and name; nil if it does not exist.
func (f Fresh) Object(ref snapshot.Ref) *Object { return f.objects[ref.Key()] }

// List returns what a read with a selector returned.
func (f Fresh) List(r Read) []*Object { return f.lists[r] }

// Target returns the object that a check saw, or says why it is not that one any more.
func (f Fresh) Target(ref snapshot.Ref) (*Object, error) {
	o := f.Object(ref)
	switch {
	case o == nil:
		return nil, stale("%s does not exist any more", ref)
	case ref.UID != "" && string(o.GetUID()) != ref.UID:
		return nil, stale("%s was replaced by another object of that name", ref)
	default:
		return o, nil
	}
}

func refOf(o *Object) snapshot.Ref {
	return snapshot.Ref{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID())}
}
