package report

import (
	"fmt"
	"slices"
)

// headline is the result in a few words. Nobody should take what could not be looked at for clean.
func (r *Report) headline() string {
	f := r.judgedCounts()
	switch {
	case f.Error+f.Warning+f.Info > 0:
		return fmt.Sprintf("%s%s, %s, %s", r.newText(), count(f.Error, "error"), count(f.Warning, "warning"), count(f.Info, "info"))
	case r.judged() == 0:
		return "Nothing could be judged"
	case r.Incomplete():
		return "No findings in what could be looked at"
	case r.Baseline != nil:
		return "Nothing new" + r.apply()
	default:
		return "No findings" + r.apply()
	}
}

// apply says how many checks came to a verdict where most did not apply: few checks that find nothing are no clean bill.
func (r *Report) apply() string {
	if !r.mostDoNotApply() {
		return ""
	}
	return fmt.Sprintf(" by the %d of %d checks that apply", r.judged(), len(r.Checks))
}

func (r *Report) mostDoNotApply() bool {
	return 2*r.Summary.Checks.NotApplicable > len(r.Checks)
}

// newText begins the counts where only what is new counts.
func (r *Report) newText() string {
	switch {
	case r.Baseline == nil:
		return ""
	case slices.ContainsFunc(r.Items, func(i Item) bool { return i.Baseline != nil && i.Baseline.Class == classNotComparable }):
		return "new or not comparable: "
	default:
		return "new: "
	}
}
