package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// Wellness says in one line what was looked at and is well; nothing if there is something wrong, or nothing was seen as a whole.
func (v *Verdict) Wellness() string {
	if v.State != StateHealthy || v.failed != nil {
		return ""
	}
	return strings.Join(v.Healthy, " · ")
}

// healthy are the facts behind it.
func (r *Report) healthy() []string {
	var out []string
	if well := r.InState(check.AdmissionHealthy); len(well) > 0 {
		word := "working"
		if r.passed(check.Mutation) {
			word = "enforced"
		}
		out = append(out, fmt.Sprintf("admission: %s in %d of %s", word, len(well), phrase.Counted(len(r.Namespaces), "namespace")))
	}
	if r.passed(check.Controller) {
		for _, in := range r.Scope.Installations {
			text := of(in.Source) + "operator " + cmp.Or(in.Version, "of an unknown version") + " healthy"
			if in.Leading != nil {
				text += " (leader for " + facts.Elapsed(r.Metadata.CreationTimestamp.Sub(*in.Leading)) + ")"
			}
			out = append(out, text)
		}
	}
	if m := r.Metrics; m != nil && len(m.Applications) > 0 && r.passed(check.StatusUpdate) {
		share := fmt.Sprintf("%.0f%%", 100*m.Share(m.Applications[0]))
		if share == "0%" {
			share = "less than 1%"
		}
		out = append(out, "largest application: "+share+" of the size limit")
	}
	return out
}

// passed reports whether all checks that know faults of a part that jobs depend on saw everything, of every source, and found nothing.
func (r *Report) passed(part check.Part) bool {
	asked := map[string]int{} // how often a check passed
	for _, c := range r.Checks {
		if c.Status == check.Passed.String() && c.Coverage != PartialCoverage {
			asked[c.ID]++
		}
	}
	return !slices.ContainsFunc(checks.All(), func(c check.Check) bool {
		return slices.Contains(c.Breaks, part) && asked[c.ID] < len(r.Sources)
	})
}
