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
