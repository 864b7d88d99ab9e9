package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Fold joins findings of one check that are one to the reader.
type Fold struct {
	By     func(*Reported) string        // what those have in common that are one; empty: the finding stands alone
	Add    func(first, other *Reported)  // makes another one a part of the first
	Say    func(joined *Reported, n int) // says so, if n are more than one
	Linked bool                          // after causes are linked, by which it joins
}

// Join returns the findings of a list with those that are one as one, in the place of the first.
func (d Fold) Join(list []Reported) []Reported { return Join(list, d.By, d.Add, d.Say) }

// Join does what a Fold does, of findings in any form: a check joins what it states itself.
func Join[F any](list []F, by func(*F) string, add func(first, other *F), say func(joined *F, n int)) []F {
	at := map[string]int{}
	var out []F
	var counts []int // of findings in each; 0: it stands alone
	for i := range list {
		key := by(&list[i])
		switch first, seen := at[key]; {
		case key == "":
			out, counts = append(out, list[i]), append(counts, 0)
		case !seen:
			at[key] = len(out)
			out, counts = append(out, list[i]), append(counts, 1)
		default:
			add(&out[first], &list[i])
			counts[first]++
		}
	}
	for i, n := range counts {
		if n > 0 && say != nil {
			say(&out[i], n)
		}
	}
	return out
}

// foldSame joins findings with one fingerprint: executors of an application that hang for one reason, say.
func foldSame() Fold {
	return Fold{By: (*Reported).Fingerprint, Add: Absorb}
}

// foldShared joins what applications suffer from one and the same thing: a hundred drivers that wait for one image are
// one fault.
func foldShared() Fold {
	return Fold{
		By: func(f *Reported) string { return f.Shared },
		Add: func(first, other *Reported) {
			if first.Joined == nil {
				first.Joined = Joined{*first}
			}
			first.Joined = append(first.Joined, *other)
			Absorb(first, other)
			for _, r := range other.Related {
				if !slices.Contains(first.Related, r) {
					first.Related = append(slices.Clone(first.Related), r)
				}
			}
			first.Worsen(&other.Finding)
		},
		Say: func(f *Reported, n int) {
			if n == 1 {
				return
			}
			f.Cause, f.Apps = f.Shared, true
			f.Message = fmt.Sprintf("%d applications, such as %s: %s", n, f.Object, f.Message)
			f.Subject = fmt.Sprintf("%d applications%s", n, f.inNamespaces())
		},
	}
}

// Absorb adds the object of another finding to the first.
func Absorb(first, other *Reported) { first.Finding.Absorb(&other.Finding) }

// Absorb adds the object of another finding to this one.
func (f *Finding) Absorb(other *Finding) {
	if len(f.Objects) == 0 {
		f.Objects = []snapshot.Ref{f.Object}
	}
	if !slices.ContainsFunc(f.Objects, func(r snapshot.Ref) bool { return r.Key() == other.Object.Key() }) {
		f.Objects = append(f.Objects, other.Object)
		f.KeepField(other)
		if len(f.Fixes) == 0 && len(other.Fixes) > 0 {
			f.Next = other.Next // what repairs one of them repairs as many as can be
		}
		f.Fixes = append(slices.Clone(f.Fixes), other.Fixes...)
		f.age(other)
	}
}

// age makes the finding as old as another one that it joins.
func (f *Finding) age(other *Finding) {
	if f.Since.IsZero() || !other.Since.IsZero() && other.Since.Before(f.Since) {
		f.Since = other.Since
	}
}

// inNamespaces says in how many namespaces the objects are that a finding joins, if in several.
func (f *Finding) inNamespaces() string {
	seen := map[string]bool{}
	for _, o := range f.Objects {
		seen[o.Namespace] = true
	}
	if len(seen) < 2 {
		return " in " + f.Object.Namespace
	}
	return fmt.Sprintf(" in %d namespaces", len(seen))
}

// KeepField remembers where in the object of another finding its field is.
func (f *Finding) KeepField(other *Finding) {
	if other.Field == f.Field && other.Object.Kind == f.Object.Kind {
		return
	}
	f.Fields = maps.Clone(f.Fields)
	if f.Fields == nil {
		f.Fields = map[snapshot.Key]string{}
	}
	f.Fields[other.Object.Key()] = other.Field
}

// Worsen makes the finding as severe, as certain and as old as another one that it joins.
func (f *Finding) Worsen(other *Finding) {
	f.age(other)
	f.Severity, f.Certainty = max(f.Severity, other.Severity), min(f.Certainty, other.Certainty)
}

// Joined are the findings that one joins.
type Joined []Reported

// String says how many.
func (j Joined) String() string { return fmt.Sprint(len(j), " findings") }

// parted takes suppressed findings out of what foldShared joined: those about the other applications stay
// joined.
func parted(list []Reported, accepted func(*Reported) bool) []Reported {
	var out []Reported
	for _, f := range list {
		apart := slices.Clone(f.Joined)
		rest := slices.DeleteFunc(slices.Clone(f.Joined), func(one Reported) bool { return accepted(&one) })
		if len(rest) == len(apart) || len(rest) == 0 {
			out = append(out, f)
			continue
		}
		apart = slices.DeleteFunc(apart, func(one Reported) bool { return !accepted(&one) })
		for _, one := range append(foldShared().Join(rest), apart...) {
			one.CausedBy = f.CausedBy
			out = append(out, one)
		}
	}
	return out
}
