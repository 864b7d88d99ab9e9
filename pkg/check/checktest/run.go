package checktest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

// Run holds that the checks find in the fixtures of an area what these say.
func Run(t *testing.T, list []check.Check) {
	t.Helper()
	for _, f := range Fixtures(t, "testdata/SD*/*.yaml") {
		t.Run(f.Name(), func(t *testing.T) {
			c, err := check.Lookup(list, f.ID())
			require.NoError(t, err)
			s := f.Snapshot(t)
			results := check.Run(s, []check.Check{c}, f.Asked(t, s))
			r := results[0]
			require.NotContains(t, r.Reason, "internal error")
			if f.Target+f.Values == "" || f.Reasons == nil { // where manifests leave a question open, a gate is incomplete
				require.NotEqual(t, check.Skipped, r.Status, r.Reason)
			}
			for _, reason := range f.Reasons {
				require.Contains(t, r.Reason, reason)
			}
			require.ElementsMatch(t, f.Depends, r.Values)
			slices.Sort(f.Want)
			require.ElementsMatch(t, f.Want, Summary(r.Findings))
			for _, finding := range r.Findings {
				for _, m := range f.Messages {
					require.Contains(t, finding.Message, m)
				}
				require.NotContains(t, finding.Message, "\n")
				require.NotEmpty(t, finding.Evidence, "a finding is proven by what was seen")
				require.NotEmpty(t, finding.Object.Name)
			}
			switch {
			case !f.Silent:
				require.Equal(t, check.Failed, r.Status)
			case r.Status != check.Passed:
				require.NotEmpty(t, f.Reasons, "%s: a look-alike that is not judged says so: # reason %s", r.Status, r.Reason)
			}
		})
	}
}

// Summary says of each finding how bad it is, how sure, and what it is about, as fixtures do.
func Summary(list []check.Reported) []string {
	out := []string{}
	for _, f := range list {
		name := f.Object.Name
		if f.Object.Namespace != "" {
			name = f.Object.Namespace + "/" + name
		}
		out = append(out, fmt.Sprintf("%s %s %s %s", f.Severity, f.Certainty, f.Object.Kind, name))
	}
	slices.Sort(out)
	return out
}
