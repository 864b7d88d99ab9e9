package fix

import "fmt"

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
