package fix

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Resolve returns the requests that an intent still needs, given the objects as they are now. The error is Done if
// none, Stale if the object is not what the check saw, and Refused if it must not be touched.
func Resolve(i Intent, f Fresh) ([]Step, error) {
	r, known := ruleOf(i)
	if !known {
		return nil, fmt.Errorf("%T may write nothing", i)
	}
	if err := r.object(r.target, i.traits().Target); err != nil {
		return nil, err
	}
	steps, err := i.resolve(f)
	if err != nil {
		return nil, err
	}
	for n := range steps {
		s := &steps[n]
		s.Undo, s.intent = r.undo, i
		if err := r.step("step", s); err != nil {
			return nil, err
		}
		if s.Delete {
			continue
		}
		o, err := f.Target(s.Target)
		if err != nil {
			return nil, err
		}
		tools := toolsOf(o)
		for _, c := range s.Changes {
			if tool := managedBy(tools, o, c.Path); tool != "" {
				return nil, revertedBy(i, tool, c.Path)
			}
		}
		if s.patch, err = patch(o.Object, *s); err != nil {
			return nil, &Stale{Reason: err.Error()}
		}
	}
	return steps, nil
}

// revertedBy refuses a change that a deployment tool would take back.
func revertedBy(i Intent, tool string, path Path) error {
	r := &Refused{
		Reason: fmt.Sprintf("field manager %s owns %s and would take the change back", tool, path),
		Advice: "change it where " + tool + " takes it from",
	}
	if advice := i.traits().Elsewhere; advice != "" {
		r.Advice = advice
	}
	return r
}

// Preview resolves an intent for a plan. What holds only now is dropped at once: the patch of one grown status takes a
// megabyte, and a plan may be of many.
func Preview(i Intent, f Fresh) ([]Step, error) {
	steps, err := Resolve(i, f)
	for n := range steps {
		steps[n].patch, steps[n].version = nil, ""
	}
	return steps, err
}

// Stale is the error of an intent whose object is not what the check saw: gone, replaced, or changed in what matters.
// Nothing is forced.
type Stale struct{ Reason string }

func (e *Stale) Error() string { return e.Reason }

// Refused is the error of an intent that must not be carried out as things are. Advice says what a person can do.
type Refused struct{ Reason, Advice string }

func (e *Refused) Error() string { return e.Reason }

// Text is the reason, and what a person can do.
func (e *Refused) Text() string {
	if e.Advice == "" {
		return e.Reason
	}
	return e.Reason + " (" + e.Advice + ")"
}

// NotHeld refuses what depends on an object that files do not hold.
func NotHeld(o snapshot.Ref) *Refused {
	return &Refused{Reason: fmt.Sprintf("the files do not hold %s, on which the fix depends", o),
		Advice: "pass --complete if the files are a full dump, or add it if it exists"}
}

// Done is the error of an intent with nothing left to do.
type Done struct{ Reason string }

func (e *Done) Error() string { return e.Reason }

func stale(format string, args ...any) error { return &Stale{fmt.Sprintf(format, args...)} }

func done(format string, args ...any) error { return &Done{fmt.Sprintf(format, args...)} }

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
	return snapshot.Ref{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Namespace: o.GetNamespace(), Name: o.GetName(),
		UID: string(o.GetUID())}
}
