package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Correlate looks at the findings of all checks together. It is the only place that changes a finding because of
// another one: it folds findings that are one to the reader and links causes.
func Correlate(results []Result) []Result {
	out := slices.Clone(results)
	for i := range out {
		out[i].Findings = fold(out[i].Findings)
	}
	return out
}

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
		first := &out[i]
		if len(first.Objects) == 0 {
			first.Objects = []snapshot.Ref{first.Object}
		}
		first.Objects = append(first.Objects, f.Object)
	}
	return out
}
