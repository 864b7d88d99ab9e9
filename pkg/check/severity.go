package check

// Severity says how bad it is.
type Severity int

const (
	Info    Severity = iota // worth knowing
	Warning                 // breaks under a plausible event
	Error                   // broken or lost now, or at the next ordinary event
)

// Certainty says how sure it is.
type Certainty int

const (
	Proven Certainty = iota
	Likely
)
