package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestArchivedFixtures holds for every check on every fixture that what an archive keeps of the input gives the same
// answer, and that the redaction of archives finds nothing that decoding left: it would change what is said.
func TestArchivedFixtures(t *testing.T) {
	for _, f := range sampling.NightlyOf(fixtures(t)) {
		if f.Written {
			continue // an archive is of a cluster, which holds no manifests
		}
		s := f.Snapshot(t)
		want := answers(t, check.Run(s, checks.All(), check.DefaultParams()))
		require.Equal(t, want, answers(t, check.Run(archived(t, s), checks.All(), check.DefaultParams())), f.Path)
	}
}

// archived returns a snapshot as an archive gives it back.
func archived(t *testing.T, s *snapshot.Snapshot) *snapshot.Snapshot {
	t.Helper()
	saved, err := s.Saved()
	require.NoError(t, err)
	l, e := archive.NewLoader(saved), archive.NewEncoder()
	for _, v := range saved.Views {
		for r := range s.Records(v.View) {
			line, err := e.Append(nil, r)
			require.NoError(t, err)
			require.NoError(t, l.Add(v.View, line), "%s", line)
		}
	}
	out, notes, err := l.Seal()
	require.NoError(t, err)
	require.Empty(t, notes)
	out.Live, out.Files, out.Whole = s.Live, s.Files, s.Whole
	return out
}
