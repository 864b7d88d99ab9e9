package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// settle decides how certain answers are: proven is what its mechanism says of who ended or blocks the application, where each of its
// rivals was ruled out by something that was seen. All else is likely.
func settle(v *mechanism.View, all []Answer) {
	needs := mechanism.AllNeeds()
	for i := range all {
		a := &all[i]
		if a.Certainty != check.Proven || a.Class == cause.Unknown {
			continue
		}
		head := &a.Clauses[0].Cause
		a.Doubts = mechanism.Doubts(v, needs, head)
		if n, _ := mechanism.NeedsOf(needs, head); n.Explains && len(a.Clauses) > 1 {
			a.Doubts = append(a.Doubts, mechanism.Doubts(v, needs, &a.Clauses[1].Cause)...)
		}
		if len(a.Doubts) > 0 {
			a.Certainty = check.Likely
		}
	}
}

// doubted takes over the doubts of an answer that tells the same: where one of both is proven, none is left.
func (a *Answer) doubted(by *Answer) {
	if a.Certainty = min(a.Certainty, by.Certainty); a.Certainty == check.Proven {
		a.Doubts = nil
		return
	}
	for _, d := range by.Doubts {
		if !slices.ContainsFunc(a.Doubts, func(o cause.Doubt) bool { return o.ID == d.ID }) {
			a.Doubts = append(slices.Clone(a.Doubts), d)
		}
	}
}
