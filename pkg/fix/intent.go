package fix

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Intent is what a check proposes, as data. Every kind of intent is a struct in a file of its own.
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

// Risk says what applying a fix may do besides repairing.
type Risk int

const (
	Safe        Risk = iota // nothing restarts and nothing disappears as a consequence
	Disruptive              // something restarts, or admission changes
	Destructive             // an object goes away
)

func riskNames() []string { return []string{"safe", "disruptive", "destructive"} }

// String returns safe, disruptive or destructive.
func (r Risk) String() string { return riskNames()[r] }

// MarshalText writes the word.
func (r Risk) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the word.
func (r *Risk) UnmarshalText(text []byte) error {
	for i, name := range riskNames() {
		if name == string(text) {
			*r = Risk(i)
			return nil
		}
	}
	return fmt.Errorf("risk %q is none of safe, disruptive, destructive", text)
}

// Undo says whether a fix can be taken back.
type Undo struct {
	Exact  bool   `json:"exact"`
	Reason string `json:"reason,omitempty"` // why not
}

// exact is the undo of fields whose old values can be written back.
func exact() Undo { return Undo{Exact: true} }

func noUndo(reason string) Undo { return Undo{Reason: reason} }

// String returns "exact", or "none: " and the reason.
func (u Undo) String() string {
	if u.Exact {
		return "exact"
	}
	return "none: " + u.Reason
}
