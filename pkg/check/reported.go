package check

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"

// Reported is what a check stated, with what the engine adds when it looks at the findings of all checks together.
type Reported struct {
	Finding

	Check, Slug string   // which check stated it
	CausedBy    []string // fingerprints of the findings that explain it
	Folded
	Confirming bool         // it is shown before what is missing was looked at again
	Suppressed *Suppression // why it does not count; nil: it does
	// Barred are why fix would refuse its Fixes, in their order, as far as the snapshot shows; nil: nothing is known against one.
	Barred []*fix.Refused
}

// Folded is how a finding joins others that are one to the reader. The objects of those are in Objects.
type Folded struct {
	Cause string // fingerprints of the cause by which it was folded; it is then named by that
	// Apps says that it joins parts of several applications, so that App is only that of the first.
	Apps   bool
	Joined Joined // those that were joined because they share something
}
