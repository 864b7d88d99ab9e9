package scan_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// TestScanOffersWhatFixPlans asks both about the inputs of all checks, as a part and as everything: a repair that a scan offers is planned,
// with its risk allowed and its object named, and one that it says is refused is not.
func TestScanOffersWhatFixPlans(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "checks", "*", "testdata", "SD*", "*.yaml"))
	require.NoError(t, err)
	require.Greater(t, len(paths), 200)
	offered, refused := 0, 0
	for _, path := range sampling.NightlyOf(paths) {
		for _, complete := range []bool{false, true} {
			source := scan.Files{Paths: []string{path}, Complete: complete}
			d, err := scan.Diagnose(t.Context(), scan.Options{Source: source})
			require.NoError(t, err, path)
			r := scan.Repair{Scan: scan.Options{Source: source}, Limits: plan.Limits{MaxRisk: fix.Destructive}}
			allowed, barred := map[string]bool{}, map[string]string{}
			for _, result := range d.Results {
				for i := range result.Findings {
					f := &result.Findings[i]
					for _, intent := range f.Fixes {
						r.Limits.Finalizers = append(r.Limits.Finalizers, fix.TraitsOf(intent).Consent.Finalizer)
					}
					list, why := f.Allowed()
					if len(list) > 0 {
						allowed[f.Fingerprint()] = true
					}
					if why != nil {
						barred[f.Fingerprint()] = why.Reason
					}
					r.Picks = append(r.Picks, scan.Pick{Check: f.Check, Finding: f.Fingerprint()})
				}
			}
			if len(allowed)+len(barred) == 0 {
				continue
			}
			p, err := r.Plan(t.Context())
			require.NoError(t, err, path)
			planned, left := map[string]bool{}, map[string]string{}
			for _, f := range p.Fixes {
				for _, of := range f.Findings {
					planned[of.Name] = planned[of.Name] || f.Blocked == ""
					left[of.Name] += f.Blocked
				}
			}
			for _, l := range p.Skipped {
				left[l.Name] += l.Reason
			}
			for name := range allowed {
				owned := strings.Contains(left[name], "field manager ") // which only the object itself tells
				assert.True(t, planned[name] || owned || left[name] == "", "%s (complete %t): %s is offered, and left: %s", path, complete,
					name, left[name])
				offered++
			}
			for name, why := range barred {
				assert.False(t, planned[name], "%s (complete %t): %s is said to be refused: %s", path, complete, name, why)
				assert.NotEmpty(t, left[name], path)
				refused++
			}
		}
	}
	require.Positive(t, min(offered, refused))
	if sampling.Nightly() {
		require.Greater(t, min(offered, refused), 20)
	}
}
