package check

import (
	"cmp"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Finding is what a check states: one fact about an object that should not be. The engine adds the rest, see Reported.
type Finding struct {
	About
	Field     string // path within the object
	Message   string // one line, lower case, a fact about this object with its numbers
	Severity  Severity
	Certainty Certainty
	// Alone says that the object itself shows it, so that an Optional view that was not seen takes nothing from its certainty.
	Alone bool
	Verdict
	Identity
	Evidence []Evidence
	Related  []snapshot.Ref
	Confirmation
	Breaks []Part           // beside those of its check
	Hop    operator.Version // of area 7: the hop of the upgrade that breaks it; zero: that to which Gate.Break of its check belongs
	Next   []Step           // what to do about it, in order, with names that nothing contradicts
	Fixes  []fix.Intent     // what would repair it, all of them and in this order; none if only a person can
}

// About is what a finding is about.
type About struct {
	Object  snapshot.Ref
	App     string                  // name of the Spark object that the finding belongs to, if the object is it or one of its parts
	Objects []snapshot.Ref          // all objects that it is about, where there are several
	Fields  map[snapshot.Key]string // those of Objects where the field differs from Field
	Seen    *snapshot.Object        // as the input has the object, or what stands for it there; nil: the input has neither
}

// Of is about an object of the input.
func Of(r snapshot.Record) About {
	o := snapshot.ObjectOf(r)
	return About{Object: o.Ref, Seen: o}
}

// Named is about an object that the input need not have.
func Named(r snapshot.Ref) About { return About{Object: r} }

// OfApp is about a Spark object of the input, to which its parts belong.
func OfApp(r snapshot.Record) About { return Of(r).PartOf(snapshot.ObjectOf(r).Name) }

// PartOf says which Spark object the object is a part of.
func (a About) PartOf(app string) About { a.App = app; return a }

// Among says that the object is one of several.
func (a About) Among(list []snapshot.Ref) About { a.Objects = list; return a }

// Location is where the input has the object.
func (a *About) Location() snapshot.Location {
	if a.Seen == nil {
		return snapshot.Location{}
	}
	return a.Seen.Location
}

// Labels are those by which -l selects a finding that belongs to no Spark object. What is seen of a Namespace that the input does not have
// is one of many objects in it, whose labels say nothing about the others.
func (a *About) Labels() snapshot.Labels {
	if a.Seen == nil || a.Object.Kind == "Namespace" && a.Seen.Kind != a.Object.Kind {
		return snapshot.Labels{}
	}
	return a.Seen.Labels
}

// Verdict is how a verdict tells a finding.
type Verdict struct {
	// Subject and Brief say what Message does in a few words, as "Subject: Brief": who it is about where an object's name says little
	// ("Spark Operator 2.5.1 is down"), and the fact. Empty: the object, and Message.
	Subject, Brief string
	// Follows is what follows from it, where no finding of another check says so. Empty: nothing.
	Follows string
	// Since is when it began, or the earliest time at which it was so already; zero where nothing that was seen tells. Message says
	// it in its own words. A check that sets it sets Brief, too, without it: a verdict says the age behind each Brief.
	Since time.Time
}

// Identity tells a finding from others of its check.
type Identity struct {
	Kind Kind   // of fault, where a check knows several
	What string // tells findings of one kind about one object apart; no counts, UIDs, generated names
	// Fault is what exactly is wrong, where its causes depend on it: no part of the fingerprint.
	Fault Kind
	// Shared is what it has in common with findings of its check about other applications, such as an image that cannot be pulled:
	// those are one to the reader. Empty: nothing.
	Shared string
}

// Kind is a kind of fault that a check knows: a word that stays the same, for it is a part of the fingerprint.
type Kind string

// name tells findings of one check about one object apart.
func (i *Identity) name() string { return cmp.Or(i.What, string(i.Kind)) }

// Confirmation is what Confirm asks about before a finding is shown.
type Confirmation struct {
	// Absent names what the finding rests on not being there; a finding that is not covered is dropped, and live each is fetched again.
	Absent []Absent
	// Reviews are what the finding says that an account may not do, which an API server is asked about.
	Reviews []snapshot.Review
	// Settles is how long what is missing must stay missing, because a controller may just be slow.
	Settles time.Duration
}

// Absent is an object that was not found where it should be.
type Absent struct {
	View View
	Ref  snapshot.Ref
}

// View is snapshot.View.
type View = snapshot.View

// Evidence is one value that was seen, and where.
type Evidence struct {
	Object snapshot.Ref
	Field  string
	Value  string
}

// Saw adds evidence: the value that a field of an object has.
func (f *Finding) Saw(o snapshot.Ref, field, value string) {
	f.Evidence = append(f.Evidence, Evidence{Object: o, Field: field, Value: value})
}

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
