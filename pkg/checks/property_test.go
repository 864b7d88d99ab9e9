package checks_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
)

// TestNoSurprises holds for every check on every fixture, those of area 7 on fixtures of upgrades: the input is unchanged, the same
// question gets the same
// answer twice, and neither the order of the input matters nor that it holds everything twice.
func TestNoSurprises(t *testing.T) {
	for _, f := range sampling.NightlyOf(fixtures(t)) {
		s := f.Snapshot(t)
		before := fmt.Sprintf("%+v", s)
		list, params := checks.All(), check.DefaultParams()
		if f.Upgrade != nil {
			list, params.Upgrade = checks.OfUpgrades(), f.Asked(t, s).Upgrade
		}
		first := answers(t, check.Run(s, list, params))
		require.Equal(t, before, fmt.Sprintf("%+v", s), "%s: a check changed its input", f.Path)
		require.Equal(t, first, answers(t, check.Run(s, list, params)), "%s: asked twice", f.Path)
		shuffled, _, err := manifests.Read(t.Context(), manifests.Options{
			Paths: []string{shuffle(t, f), f.Path}, Complete: f.Complete, AsOf: s.TakenAt, Now: time.Now(), Schemas: s.Compared,
			CRDs: f.CRDs(),
		})
		require.NoError(t, err)
		if f.Upgrade != nil {
			params.Upgrade = f.Asked(t, shuffled).Upgrade
		}
		require.Equal(t, first, answers(t, check.Run(shuffled, list, params)), "%s: shuffled, and all of it twice", f.Path)
	}
}

// answers is all that a reader of the results sees, without the places in the file.
func answers(t *testing.T, results []check.Result) []string {
	t.Helper()
	var out []string
	for _, r := range check.Correlate(results) {
		require.NotContains(t, r.Reason, "internal error", r.Check.ID)
		out = append(out, fmt.Sprintf("%s %s %v %v %s", r.Check.ID, r.Status, r.Partial, len(r.Unseen), r.Reason))
		for _, finding := range r.Findings {
			labels := finding.Labels()
			finding.Seen = nil
			out = append(out, fmt.Sprintf("%s %+v %+v", finding.Fingerprint(), finding, labels))
		}
	}
	return out
}

// shuffle writes the documents of a fixture in another order.
func shuffle(t *testing.T, f *checktest.Fixture) string {
	t.Helper()
	raw, err := os.ReadFile(f.Path)
	require.NoError(t, err)
	docs := bytes.Split(raw, []byte("\n---\n"))
	r := rand.New(rand.NewPCG(1, uint64(len(raw))))
	r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	path := filepath.Join(t.TempDir(), "shuffled.yaml")
	require.NoError(t, os.WriteFile(path, bytes.Join(docs, []byte("\n---\n")), 0o600))
	return path
}

// TestNoFindingWaitsLongerThanAsked: --confirm-after bounds how long a scan waits, whatever a cluster's objects say.
func TestNoFindingWaitsLongerThanAsked(t *testing.T) {
	waits := 0
	for _, f := range fixtures(t) { // few findings wait at all
		s := f.Snapshot(t)
		p := f.Asked(t, s)
		for _, asked := range []time.Duration{0, time.Second, p.SettleAfter} {
			p.SettleAfter = asked
			for _, finding := range check.Run(s, []check.Check{checkOf(t, f.ID())}, p)[0].Findings {
				require.LessOrEqual(t, finding.Settles, asked, f.Path)
				waits += int(finding.Settles)
			}
		}
	}
	require.Positive(t, waits)
}
