package checks_test

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestWhatFilesLeaveOutProvesNothing takes every fixture as files that may not be everything, and leaves out one object
// after the other: no check may prove what it did not prove before, nor call it worse. A check that concludes from absence
// says so (Check.Absence, Finding.Absent), asks snapshot.Covers, or says that it is likely.
func TestWhatFilesLeaveOutProvesNothing(t *testing.T) {
	for _, f := range sampling.NightlyOf(fixtures(t)) {
		if f.Upgrade != nil || f.ID() == "SD6012" { // a run has its bad name whether its schedule is seen or not
			continue
		}
		raw, err := os.ReadFile(f.Path)
		require.NoError(t, err)
		docs := bytes.Split(raw, []byte("\n---\n"))[1:] // the first is what the fixture expects
		if len(docs) < 2 {
			continue
		}
		now := f.Snapshot(t).TakenAt
		before := provenIn(t, f, docs, now)
		for i, left := range docs {
			after := provenIn(t, f, slices.Concat(docs[:i], docs[i+1:]), now)
			for at, finding := range after {
				was, known := before[at]
				require.True(t, known && was.Severity >= finding.Severity,
					"%s: %s of %s is said (%s: %s) once the input lacks\n%s", f.Path, at.check, at.object, finding.Severity, finding.Message, left)
			}
		}
	}
}

// about is what a finding says something of.
type about struct {
	check  string
	object snapshot.Key
}

// provenIn returns the worst proven finding of each check about each object that it names as hit.
func provenIn(t *testing.T, f *checktest.Fixture, docs [][]byte, now time.Time) map[about]check.Reported {
	t.Helper()
	text := bytes.Join(docs, []byte("\n---\n"))
	s, _, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{"-"}, Stdin: bytes.NewReader(text), AsOf: now, Now: now})
	require.NoError(t, err, f.Path)
	out := map[about]check.Reported{}
	for _, r := range check.Run(s, checks.All(), f.Params) {
		for _, finding := range r.Findings {
			for _, object := range append([]snapshot.Ref{finding.Object}, finding.Objects...) {
				at := about{finding.Check, object.Key()}
				if was, known := out[at]; finding.Certainty == check.Proven && (!known || finding.Severity > was.Severity) {
					out[at] = finding
				}
			}
		}
	}
	return out
}
