package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// wholeResult puts the JDBC driver before the heap that it filled. Executors that ended with Spark's exit code for that need the same,
// and no more heap.
func wholeResult(v *mechanism.View, all []Answer) []Answer {
	all = explains(mechanism.ReadWhole)(v, all)
	at := slices.IndexFunc(all, func(a Answer) bool { _, is := a.Clauses[0].Cause.Detail.(mechanism.WholeResult); return is })
	if at < 0 {
		return all
	}
	for i := range all {
		if a := &all[i]; !Logged(&a.Cause) && a.Topics.Has(cause.Exit52) {
			a.Advice = all[at].Advice
		}
	}
	return all
}
