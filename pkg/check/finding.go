package check

import (
	"cmp"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Finding is one fact that should not be.
type Finding struct {
	Check, Slug string // filled in by Run
	Object      snapshot.Ref
	Location    snapshot.Location
	Severity    Severity
	Certainty   Certainty
	Field       string // path within the object
	Message     string // one line, lower case, a fact about this object with its numbers
	// Subject and Brief say the same in a few words for a verdict, as "Subject: Brief": who it is about where an object's name
	// says little ("Spark Operator 2.5.1 is down"), and the fact. Empty: the object, and Message.
	Subject, Brief string
	// Follows is what a verdict says that follows from it, where no finding of another check says so. Empty: nothing.
	Follows string
	// Since is when it began, or the earliest time at which it was so already; zero where nothing that was seen tells. Message says
	// it in its own words. Whoever sets it sets Brief, too, without it: a verdict says the age behind each Brief.
	Since    time.Time
	Evidence []Evidence
	Related  []snapshot.Ref
	CausedBy []string // fingerprints

	// Fixes are what would repair it, all of them and in this order; none if only a person can.
	Fixes []fix.Intent

	Hop  operator.Version // of area 7: the hop of the upgrade that breaks it
	Next []Step           // what to do about it, in order, with names that nothing contradicts

	// Absent names what the finding rests on not being there; a finding that is not covered is dropped, and
	// live each is fetched again.
	Absent []Absent
	// Reviews are what the finding says that an account may not do, which an API server is asked about.
	Reviews []snapshot.Review
	// Settles is how long what is missing must stay missing, because a controller may just be slow.
	Settles time.Duration
	// Confirming is set where findings are shown before what is missing was looked at again.
	Confirming bool

	Labels  snapshot.Labels // of the object, for -l where no Spark custom resource owns it
	App     string          // name of the Spark object that the finding belongs to, if the object is one of its parts
	Kind    Kind            // of fault, where a check knows several
	Fault   Kind            // what exactly is wrong, where its causes depend on it: no part of the fingerprint
	What    string          // tells findings of one kind about one object apart; no counts, UIDs, generated names
	Breaks  []Part          // beside those of its check
	Objects []snapshot.Ref  // all objects hit by the same cause, when folded
	// Fields are those of Objects where the field differs from Field, for findings that join others.
	Fields map[snapshot.Key]string
	Cause  string // fingerprints of the cause by which it was folded; it is then named by that
	// Apps says that it joins parts of several applications, so that App is only that of the first.
	Apps bool

	// Shared is what it has in common with findings of its check about other applications, such as an image that cannot be
	// pulled: those are one to the reader. Empty: nothing.
	Shared string
	Joined Joined // those that were joined because they share it

	Suppressed *Suppression // somebody accepts it
}

// Kind is a kind of fault that a check knows: a word that stays the same, for it is a part of the fingerprint.
type Kind string

// identity tells findings of one check about one object apart.
func (f *Finding) identity() string { return cmp.Or(f.What, string(f.Kind)) }

// Evidence is one value that was seen, and where.
type Evidence struct {
	Object snapshot.Ref
	Field  string
	Value  string
}

// Absent is an object that was not found where it should be.
type Absent struct {
	View View
	Ref  snapshot.Ref
}

// View is snapshot.View.
type View = snapshot.View

// FieldOf returns the path within one of Objects; empty where the finding says it of another kind of object only.
func (f *Finding) FieldOf(o snapshot.Ref) string {
	if field, differs := f.Fields[o.Key()]; differs {
		return field
	}
	if o.Kind != f.Object.Kind {
		return ""
	}
	return f.Field
}

// Affected returns how many objects the finding is about. Where a finding about one object names others that it hits,
// the pods of an application say, these count.
func (f *Finding) Affected() int {
	others := 0
	for _, o := range f.Objects {
		if o.Kind != f.Object.Kind {
			others++
		}
	}
	if others > 0 {
		return others
	}
	return max(1, len(f.Objects))
}
