package check

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// BreaksWrites reports whether an error of the check has the API server refuse writes that must pass the operator's webhooks.
func (c Check) BreaksWrites() bool {
	return slices.Contains(c.Breaks, AdmissionPath) || slices.Contains(c.Breaks, Registration)
}

// Cause says which findings explain those of a check: those that break a part, where the two belong together.
type Cause struct {
	Breaks Part // zero: the finding of any other check
	Where  func(effect, cause *Finding) bool
	Raise  Raise
}

// Raise is what an error of one of the two does to a warning of the other.
type Raise int

const (
	RaiseNone   Raise = iota
	RaiseEffect       // an effect is as bad as its cause
	RaiseCause        // a cause is as bad as its effect
)

// explains reports whether a finding of a check is the cause of an effect.
func (c Cause) explains(effect *Reported, by Check, cause *Reported) bool {
	if c.Breaks == "" {
		return by.ID != effect.Check && c.Where(&effect.Finding, &cause.Finding)
	}
	return (slices.Contains(by.Breaks, c.Breaks) || slices.Contains(cause.Breaks, c.Breaks)) && c.Where(&effect.Finding, &cause.Finding)
}

// link names the causes of findings, and raises what a cause or an effect makes worse.
func link(results []Result) {
	type edge struct {
		effect, cause *Reported
		raise         Raise
	}
	var edges []edge
	for _, r := range results {
		for i := range r.Findings {
			effect := &r.Findings[i]
			for _, other := range results {
				for j := range other.Findings {
					cause := &other.Findings[j]
					for _, c := range r.Check.CausedBy {
						if c.explains(effect, other.Check, cause) {
							edges = append(edges, edge{effect, cause, c.Raise})
						}
					}
				}
			}
		}
	}
	for _, e := range edges {
		if name := e.cause.Fingerprint(); !slices.Contains(e.effect.CausedBy, name) {
			e.effect.CausedBy = append(e.effect.CausedBy, name)
		}
	}
	for _, e := range edges {
		if e.raise == RaiseEffect && e.effect.Severity == Warning && e.cause.Severity == Error {
			e.effect.Severity = Error
		}
	}
	for _, e := range edges {
		if e.raise == RaiseCause && e.effect.Severity == Error {
			e.cause.Severity = Error
		}
	}
}

// SameObject reports whether two findings are about one object.
func SameObject(effect, cause *Finding) bool { return effect.Object.Key() == cause.Object.Key() }

// RelatedObject reports whether the object of the cause is related to the effect.
func RelatedObject(effect, cause *Finding) bool { return effect.Names(cause.Object) }

// RelatedMember reports whether one of the objects that the cause joins is related to the effect.
func RelatedMember(effect, cause *Finding) bool {
	return slices.ContainsFunc(effect.Related, cause.IsAbout)
}

// Members are the object of a finding and those that it joins.
func (f *Finding) Members() []snapshot.Ref { return append([]snapshot.Ref{f.Object}, f.Objects...) }

// IsAbout reports whether an object is that of a finding, or one of those that it joins.
func (f *Finding) IsAbout(r snapshot.Ref) bool {
	return f.Object.Key() == r.Key() || slices.ContainsFunc(f.Objects, func(o snapshot.Ref) bool { return o.Key() == r.Key() })
}

// Names reports whether a finding names an object as related.
func (f *Finding) Names(r snapshot.Ref) bool {
	return slices.ContainsFunc(f.Related, func(o snapshot.Ref) bool { return o.Key() == r.Key() })
}
