package checks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// fold joins findings with one fingerprint: executors of an application that hang for one reason, say.
func fold(list []Finding) []Finding {
	at := map[string]int{}
	var out []Finding
	for _, f := range list {
		key := f.Fingerprint()
		i, seen := at[key]
		if !seen {
			at[key] = len(out)
			out = append(out, f)
			continue
		}
		out[i].absorb(f)
	}
	return out
}

// absorb adds the object of another finding to this one.
func (f *Finding) absorb(other Finding) {
	if len(f.Objects) == 0 {
		f.Objects = []snapshot.Ref{f.Object}
	}
	if !slices.ContainsFunc(f.Objects, func(r snapshot.Ref) bool { return r.Key() == other.Object.Key() }) {
		f.Objects = append(f.Objects, other.Object)
		f.keepField(other)
		f.Fixes = append(slices.Clone(f.Fixes), other.Fixes...)
	}
}

// keepField remembers where in the object of another finding its field is.
func (f *Finding) keepField(other Finding) {
	if other.Field == f.Field && other.Object.Kind == f.Object.Kind {
		return
	}
	f.Fields = maps.Clone(f.Fields)
	if f.Fields == nil {
		f.Fields = map[snapshot.Key]string{}
	}
	f.Fields[other.Object.Key()] = other.Field
}

// foldShared joins what applications suffer from one and the same thing: a hundred drivers that wait for one image are
// one fault.
func foldShared(list []Finding) []Finding {
	at := map[string]int{}
	var out []Finding
	for _, f := range list {
		i, seen := at[f.Shared]
		if f.Shared == "" || !seen {
			at[f.Shared] = len(out)
			out = append(out, f)
			continue
		}
		first := &out[i]
		if first.Joined == nil {
			first.Joined = Joined{*first}
		}
		first.Joined = append(first.Joined, f)
		first.absorb(f)
		for _, r := range f.Related {
			if !slices.Contains(first.Related, r) {
				first.Related = append(slices.Clone(first.Related), r)
			}
		}
		first.Severity, first.Certainty = max(first.Severity, f.Severity), min(first.Certainty, f.Certainty)
	}
	for i := range out {
		if f := &out[i]; f.Joined != nil {
			f.Cause = f.Shared
			f.Message = fmt.Sprintf("%s, such as %s: %s", counted(len(f.Joined), "application"), f.Object, f.Message)
		}
	}
	return out
}

// Joined are the findings that one joins.
type Joined []Finding

// String says how many.
func (j Joined) String() string { return fmt.Sprint(len(j), " findings") }

// parted takes out of what foldShared joined the findings that somebody accepts: those about the other applications stay
// joined.
func parted(list []Finding, accepted func(*Finding) bool) []Finding {
	var out []Finding
	for _, f := range list {
		apart := slices.Clone(f.Joined)
		rest := slices.DeleteFunc(slices.Clone(f.Joined), func(one Finding) bool { return accepted(&one) })
		if len(rest) == len(apart) || len(rest) == 0 {
			out = append(out, f)
			continue
		}
		apart = slices.DeleteFunc(apart, func(one Finding) bool { return !accepted(&one) })
		for _, one := range append(foldShared(rest), apart...) {
			one.CausedBy = f.CausedBy
			out = append(out, one)
		}
	}
	return out
}

// foldUncollected joins what a live garbage collector should have taken and did not: that is one fault, of the
// collector, however many objects it left.
func foldUncollected(list []Finding) []Finding {
	var out []Finding
	first := -1
	for _, f := range list {
		switch {
		case f.Settles == 0 || f.Severity != Error:
			out = append(out, f)
		case first < 0:
			first = len(out)
			out = append(out, f)
		default:
			out[first].absorb(f)
		}
	}
	if first >= 0 && len(out[first].Objects) > 1 {
		f := &out[first]
		f.Message = fmt.Sprintf("the garbage collector does not collect: %d objects whose owner is gone were still there %s later, such as %s", len(f.Objects), f.Settles, f.Object)
		f.What = garbageCollectorWhat
	}
	return out
}

const garbageCollectorWhat = "garbage-collector"

// joinsApplications reports whether a finding is about parts of several applications, so that its App is only that of
// the first.
func (f *Finding) joinsApplications() bool { return f.Cause != "" || f.What == garbageCollectorWhat }

// foldByCause joins the applications whose pods lack something for one and the same reason: four hundred pods of one
// broken certificate are one fault.
func foldByCause(list []Finding) []Finding {
	at := map[string]int{}
	applications := map[string]int{}
	var out []Finding
	for _, f := range list {
		cause := strings.Join(f.CausedBy, " ")
		i, seen := at[cause]
		if cause == "" || !seen {
			if cause != "" {
				at[cause] = len(out)
				applications[cause] = 1
			}
			out = append(out, f)
			continue
		}
		first := &out[i]
		first.Objects = append(slices.Clone(first.Objects), f.Objects...)
		first.keepField(f)
		first.Severity, first.Certainty = max(first.Severity, f.Severity), min(first.Certainty, f.Certainty)
		applications[cause]++
	}
	for cause, i := range at {
		if f := &out[i]; applications[cause] > 1 {
			f.Cause = cause
			f.Message = fmt.Sprintf("%s of %s lack what only the webhook brings, such as those of %s: %s",
				counted(f.Affected(), "pod"), counted(applications[cause], "application"), f.Object, f.Message)
		}
	}
	return out
}
