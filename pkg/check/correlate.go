package check

import (
	"slices"
)

// Correlate looks at the findings of all checks together. It is the only place that changes a finding because of
// another one: it folds findings that are one to the reader and links causes, as their checks say.
func Correlate(results []Result) []Result {
	out := slices.Clone(results)
	for i := range out {
		out[i].Findings = foldShared().Join(foldSame().Join(out[i].Findings))
		out[i].fold(false)
	}
	link(out)
	for i := range out {
		out[i].fold(true)
	}
	return out
}

// fold joins findings as the check says, if it says so before or after causes are linked.
func (r *Result) fold(linked bool) {
	if d := r.Check.Fold; d != nil && d.Linked == linked {
		r.Findings = d.Join(r.Findings)
	}
}
