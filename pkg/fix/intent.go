package fix

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Intent is what a check wishes, as data. Every kind of intent is a struct in a file of its own.
type Intent interface {
	traits() Traits
	resolve(Fresh) ([]Step, error)
}

// Traits are what is known of an intent before the objects are read.
type Traits struct {
	Target    snapshot.Ref // the object that is written
	Title     string       // in the imperative: what is done to it
	Risk      Risk
	Order     Order
	Reads     []Read  // what must be read before the intent can be resolved
	Consent   Consent // what the user must have said besides accepting the risk
	Alone     bool    // it does not wait for the other fixes of its finding
	Elsewhere string  // what to change instead where a deployment tool owns the field
	Otherwise Intent  // what to try if it does not help
}

// TraitsOf returns the traits of an intent.
func TraitsOf(i Intent) Traits { return i.traits() }

// Order says what comes first where nothing else does: what heals the webhook before what must pass it, a driver's
// owner before anything that may delete its application.
type Order int

const (
	Certificate Order = iota // the Secret of the webhook
	Webhook                  // the process and the registration
	Policy                   // what happens when a call fails
	Adoption                 // owner references that are added
	Release                  // finalizers and owner references that are removed
	Removal                  // pods and applications
	Upkeep                   // everything else
)

// Consent is what a user must have said.
type Consent struct {
	Named     bool   // the object, by name
	Because   string // why it must be named; empty: it runs
	Finalizer string // --finalizer
}

// Wish is an intent in a plan: exactly one field is set.
type Wish struct {
	AddOwner           *AddOwner           `json:"addOwner,omitempty"`
	DeleteObject       *DeleteObject       `json:"deleteObject,omitempty"`
	DropAnnotation     *DropAnnotation     `json:"dropAnnotation,omitempty"`
	Kick               *Kick               `json:"kick,omitempty"`
	PatchBundle        *PatchBundle        `json:"patchBundle,omitempty"`
	PruneExecutorState *PruneExecutorState `json:"pruneExecutorState,omitempty"`
	ReassertBundle     *ReassertBundle     `json:"reassertBundle,omitempty"`
	RemoveFinalizer    *RemoveFinalizer    `json:"removeFinalizer,omitempty"`
	Restart            *Restart            `json:"restart,omitempty"`
	Restore            *Restore            `json:"-"` // exists in the undo of a record only
	SetFailurePolicy   *SetFailurePolicy   `json:"setFailurePolicy,omitempty"`
	StripOwner         *StripOwner         `json:"stripOwner,omitempty"`
}

// WishOf puts an intent into a plan.
func WishOf(i Intent) Wish {
	var w Wish
	switch i := i.(type) {
	case AddOwner:
		w.AddOwner = &i
	case DeleteObject:
		w.DeleteObject = &i
	case DropAnnotation:
		w.DropAnnotation = &i
	case Kick:
		w.Kick = &i
	case PatchBundle:
		w.PatchBundle = &i
	case PruneExecutorState:
		w.PruneExecutorState = &i
	case ReassertBundle:
		w.ReassertBundle = &i
	case RemoveFinalizer:
		w.RemoveFinalizer = &i
	case Restart:
		w.Restart = &i
	case Restore:
		w.Restore = &i
	case SetFailurePolicy:
		w.SetFailurePolicy = &i
	case StripOwner:
		w.StripOwner = &i
	}
	return w
}

// Intent returns the one that is set, nil if none or several are.
func (w Wish) Intent() Intent {
	var out []Intent
	add := func(set bool, i func() Intent) {
		if set {
			out = append(out, i())
		}
	}
	add(w.AddOwner != nil, func() Intent { return *w.AddOwner })
	add(w.DeleteObject != nil, func() Intent { return *w.DeleteObject })
	add(w.DropAnnotation != nil, func() Intent { return *w.DropAnnotation })
	add(w.Kick != nil, func() Intent { return *w.Kick })
	add(w.PatchBundle != nil, func() Intent { return *w.PatchBundle })
	add(w.PruneExecutorState != nil, func() Intent { return *w.PruneExecutorState })
	add(w.ReassertBundle != nil, func() Intent { return *w.ReassertBundle })
	add(w.RemoveFinalizer != nil, func() Intent { return *w.RemoveFinalizer })
	add(w.Restart != nil, func() Intent { return *w.Restart })
	add(w.Restore != nil, func() Intent { return *w.Restore })
	add(w.SetFailurePolicy != nil, func() Intent { return *w.SetFailurePolicy })
	add(w.StripOwner != nil, func() Intent { return *w.StripOwner })
	if len(out) != 1 {
		return nil
	}
	return out[0]
}
