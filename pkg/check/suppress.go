package check

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Suppression says why a finding does not count.
type Suppression struct {
	By     WaiverOrigin
	Reason string
	Owner  string
	Until  string // last day, empty without an end
}

// Waive marks the findings that somebody accepts, by the annotations of the objects in the snapshot, which name known checks, and
// by what was given, and adds the results of the checks about waivers themselves if there are any. A waiver that has ended covers
// nothing. It looks at the results of all checks, so it comes after Correlate, and changes no verdict on admission.
func Waive(s *snapshot.Snapshot, results []Result, given []Waiver, known, about []Check, sel Selection) []Result {
	waivers, bad := annotated(s, known, sel)
	waivers = append(waivers, given...)
	if len(waivers) == 0 && len(bad) == 0 {
		return results
	}
	covered := make([]int, len(waivers))
	out := slices.Clone(results)
	for i := range out {
		out[i].Findings = parted(slices.Clone(out[i].Findings), func(f *Finding) bool {
			return slices.ContainsFunc(waivers, func(w Waiver) bool { return w.covers(f) && !w.ended(s.TakenAt) })
		})
		for j := range out[i].Findings {
			suppress(&out[i].Findings[j], waivers, covered, s.TakenAt)
		}
		if out[i].Status == Failed && !slices.ContainsFunc(out[i].Findings, func(f Finding) bool { return f.Suppressed == nil }) {
			out[i].Status = Passed
		}
	}
	findings := map[string][]Finding{invalidWaiverID: bad}
	for i := range waivers {
		w := &waivers[i]
		switch {
		case w.ended(s.TakenAt):
			findings[expiredWaiverID] = append(findings[expiredWaiverID], expired(w, covered[i]))
		case covered[i] == 0 && couldCover(w, s, results, sel):
			findings[unusedWaiverID] = append(findings[unusedWaiverID], unused(w))
		}
	}
	labelled := sel.labelsByApp(s)
	for _, c := range about {
		r := Result{Check: c, Findings: slices.DeleteFunc(foldSame().Join(findings[c.ID]), func(f Finding) bool {
			return !sel.asksAbout(f, labelled)
		})}
		for i := range r.Findings {
			r.Findings[i].Check, r.Findings[i].Slug = c.ID, c.Slug
		}
		sortFindings(r.Findings)
		if len(r.Findings) > 0 {
			r.Status = Failed
		}
		out = append(out, r)
	}
	return out
}

// asksAbout reports whether a finding about a waiver is about what was asked for, where that was named or labelled. A
// waiver that was given is.
func (sel Selection) asksAbout(f Finding, labelled map[snapshot.Key]snapshot.Labels) bool {
	given := f.Field != ignoreField
	return given || sel.Objects == nil && sel.Selector == nil || sel.matches(f, labelled)
}

func (w *Waiver) ended(now time.Time) bool { return !w.Until.IsZero() && !now.Before(w.Until) }

// suppress marks a finding with the first waiver that covers it and counts all that do.
func suppress(f *Finding, waivers []Waiver, covered []int, now time.Time) {
	for i := range waivers {
		w := &waivers[i]
		if !w.covers(f) {
			continue
		}
		covered[i]++
		if f.Suppressed == nil && !w.ended(now) {
			f.Suppressed = &Suppression{By: w.By, Reason: w.Reason, Owner: w.Owner, Until: w.LastDay()}
		}
	}
}

// annotated reads the annotations of the selected objects.
func annotated(s *snapshot.Snapshot, known []Check, sel Selection) (waivers []Waiver, bad []Finding) {
	for _, o := range s.Ignored() {
		if sel.Namespaces != nil && o.Namespace != "" && !slices.Contains(sel.Namespaces, o.Namespace) {
			continue
		}
		list, errs := parseAnnotation(o, known)
		waivers = append(waivers, list...)
		for _, err := range errs {
			bad = append(bad, unreadable(o, err))
		}
	}
	return waivers, bad
}

// couldCover reports whether a finding that the waiver covers would have been seen: its check looked at all there is,
// and nothing was left out. Files that are a part tell only of the objects in them.
func couldCover(w *Waiver, s *snapshot.Snapshot, results []Result, sel Selection) bool {
	if sel.Selector != nil || sel.Objects != nil || s.Excerpt() && w.By != ByAnnotation {
		return false
	}
	if sel.Namespaces != nil && w.By != ByAnnotation && !slices.Contains(sel.Namespaces, w.Namespace) {
		return false
	}
	return slices.ContainsFunc(results, func(r Result) bool {
		return r.Check.ID == w.Check && (r.Status == Passed || r.Status == Failed) && !r.Partial && r.Reason == ""
	})
}
