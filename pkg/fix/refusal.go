package fix

import "fmt"

// Stale is the error of an intent whose object is not what the check saw: gone, replaced, or changed in what matters.
// Nothing is forced.
type Stale struct{ Reason string }

func (e *Stale) Error() string { return e.Reason }

// Refused is the error of an intent that must not be carried out as things are. Advice says what a person can do.
type Refused struct{ Reason, Advice string }

func (e *Refused) Error() string { return e.Reason }

// Done is the error of an intent with nothing left to do.
type Done struct{ Reason string }

func (e *Done) Error() string { return e.Reason }

func stale(format string, args ...any) error { return &Stale{fmt.Sprintf(format, args...)} }

func done(format string, args ...any) error { return &Done{fmt.Sprintf(format, args...)} }
