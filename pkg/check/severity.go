package check

// Severity says how bad it is.
type Severity int

const (
	Info    Severity = iota // worth knowing
	Warning                 // breaks under a plausible event
	Error                   // broken or lost now, or at the next ordinary event
)

// String returns error, warning or info.
func (s Severity) String() string { return [...]string{"info", "warning", "error"}[s] }

// Certainty says how sure it is.
type Certainty int

const (
	Proven Certainty = iota
	Likely
)

// String returns proven or likely.
func (c Certainty) String() string { return [...]string{"proven", "likely"}[c] }
