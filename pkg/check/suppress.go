package check

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Suppression says why a finding does not count.
type Suppression struct {
	By     SuppressionOrigin
	Reason string
	Owner  string
	Until  string // last day, empty without an end
}

// Suppress marks the findings that users accept, by the annotations of the objects in the snapshot, which name known checks, and
// by what was given, and adds the results of the checks about suppressions themselves if there are any. A suppression that has ended covers
// nothing. It looks at the results of all checks, so it comes after Correlate, and changes no verdict on admission.
func Suppress(s *snapshot.Snapshot, results []Result, given []SuppressionRule, known, about []Check, sel Selection) []Result {
	suppressions, bad := annotated(s, known, sel)
	suppressions = append(suppressions, given...)
	if len(suppressions) == 0 && len(bad) == 0 {
		return results
	}
	covered := make([]int, len(suppressions))
	out := slices.Clone(results)
	for i := range out {
		out[i].Findings = parted(slices.Clone(out[i].Findings), func(f *Reported) bool {
			return slices.ContainsFunc(suppressions, func(w SuppressionRule) bool { return w.covers(f) && !w.ended(s.TakenAt) })
		})
		for j := range out[i].Findings {
			suppress(&out[i].Findings[j], suppressions, covered, s.TakenAt)
		}
		if out[i].Status == Failed && !slices.ContainsFunc(out[i].Findings, func(f Reported) bool { return f.Suppressed == nil }) {
			out[i].Status = Passed
		}
	}
	findings := map[string][]Finding{unreadableSuppressionID: bad}
	for i := range suppressions {
		w := &suppressions[i]
		switch {
		case w.ended(s.TakenAt):
			findings[expiredSuppressionID] = append(findings[expiredSuppressionID], expired(w, covered[i]))
		case covered[i] == 0 && couldCover(w, s, results, sel):
			findings[unusedSuppressionID] = append(findings[unusedSuppressionID], unused(w))
		}
	}
	labelled := sel.labelsByApp(s)
	for _, c := range about {
		r := Result{Check: c, Findings: slices.DeleteFunc(foldSame().Join(c.report(findings[c.ID])), func(f Reported) bool {
			return !sel.concerns(f, labelled)
		})}
		sortFindings(r.Findings)
		if len(r.Findings) > 0 {
			r.Status = Failed
		}
		out = append(out, r)
	}
	return out
}

// concerns reports whether a finding about a suppression is about what was asked for, where that was named or labelled. A
// suppression that was given is.
func (sel Selection) concerns(f Reported, labelled map[snapshot.Key]snapshot.Labels) bool {
	given := f.Field != ignoreField
	unnamed := sel.Objects == nil && sel.Selector == nil
	return given || unnamed || sel.matches(f, labelled)
}

func (w *SuppressionRule) ended(now time.Time) bool { return !w.Until.IsZero() && !now.Before(w.Until) }

// suppress marks a finding with the first suppression that covers it and counts all that do.
func suppress(f *Reported, suppressions []SuppressionRule, covered []int, now time.Time) {
	for i := range suppressions {
		w := &suppressions[i]
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
func annotated(s *snapshot.Snapshot, known []Check, sel Selection) (suppressions []SuppressionRule, bad []Finding) {
	for _, o := range s.Ignored() {
		if sel.Namespaces != nil && o.Namespace != "" && !slices.Contains(sel.Namespaces, o.Namespace) {
			continue
		}
		list, errs := parseAnnotation(o, known)
		suppressions = append(suppressions, list...)
		for _, err := range errs {
			bad = append(bad, unreadable(o, err))
		}
	}
	return suppressions, bad
}

// couldCover reports whether a finding that the suppression covers would have been seen: its check looked at all there is,
// and nothing was left out. Files that are a part tell only of the objects in them.
func couldCover(w *SuppressionRule, s *snapshot.Snapshot, results []Result, sel Selection) bool {
	if sel.Selector != nil || sel.Objects != nil {
		return false
	}
	if s.Excerpt() && w.By != ByAnnotation {
		return false
	}
	if sel.Namespaces != nil && w.By != ByAnnotation && !slices.Contains(sel.Namespaces, w.Namespace) {
		return false
	}
	return slices.ContainsFunc(results, func(r Result) bool {
		return r.Check.ID == w.Check && r.Status.judged() && !r.Partial && r.Reason == ""
	})
}
