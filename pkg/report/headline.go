package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// Headline is the result in a few words. Nobody should take what could not be looked at for clean.
func (r *Report) Headline() string {
	f := r.JudgedCounts()
	switch {
	case f.Error+f.Warning+f.Info > 0:
		return fmt.Sprintf("%s%s, %s, %s", r.NewText(), phrase.Counted(f.Error, "error"), phrase.Counted(f.Warning, "warning"),
			phrase.Counted(f.Info, "info"))
	case r.Void():
		return "Nothing to judge: the input is an empty list"
	case r.Judged() == 0:
		return "Nothing could be judged"
	case r.Incomplete():
		return "No findings in what could be looked at"
	case r.Baseline != nil:
		return "Nothing new" + r.within() + r.apply()
	default:
		return "No findings" + r.within() + r.apply()
	}
}

// Void reports whether the input is nothing but empty lists, of which no check could judge: there is no more to say.
func (r *Report) Void() bool {
	return r.Gate == nil && len(r.Sources) == 1 && r.Sources[0].Type == "files" && r.Sources[0].Objects == 0 && r.Judged() == 0 &&
		len(r.NotRead()) == 0
}

// within names the namespaces of a scope that ends there.
func (r *Report) within() string {
	if r.Scope.Level != ScopeNamespace {
		return ""
	}
	return " in namespace " + strings.Join(r.Scope.Namespaces, ", ")
}

// apply says how many checks came to a verdict where most did not apply: few checks that find nothing are no clean bill.
func (r *Report) apply() string {
	if !r.MostDoNotApply() {
		return ""
	}
	return fmt.Sprintf(" by the %d of %d checks that apply", r.Judged(), len(r.Checks))
}

// MostDoNotApply reports whether fewer than half of the checks had anything to judge.
func (r *Report) MostDoNotApply() bool {
	return 2*r.Summary.Checks.NotApplicable > len(r.Checks)
}

// NewText begins the counts where only what is new counts.
func (r *Report) NewText() string {
	switch {
	case r.Baseline == nil:
		return ""
	case slices.ContainsFunc(r.Items, func(i Item) bool { return i.Baseline != nil && i.Baseline.Class == ClassNotComparable }):
		return "new or not comparable: "
	default:
		return "new: "
	}
}
