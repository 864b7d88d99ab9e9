package cause

// Rival is something else that could look like a mechanism.
type Rival struct {
	ID RivalID
	Is string // what it would be: "the pod was deleted"
}

// RivalID names a rival: "pod-deleted". It is a word of the report's schema.
type RivalID string

// Standing is what is known of a rival.
type Standing int

// The standings. The zero value rules out nothing: certainty is earned.
const (
	NotSeen  Standing = iota // nothing that was seen tells
	Present                  // something that was seen speaks for it
	RuledOut                 // something that was seen does not go with it
)

// String is the word of the report.
func (s Standing) String() string {
	switch s {
	case Present:
		return "present"
	case RuledOut:
		return "ruledOut"
	default:
		return "notSeen"
	}
}

// Doubt is a rival that was not ruled out, so that an answer is likely and not proven.
type Doubt struct {
	Rival
	Standing Standing // NotSeen or Present
}
