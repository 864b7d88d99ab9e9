package apply

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// TestRecordComesFirst: if the record cannot be written, nothing is sent.
func TestRecordComesFirst(t *testing.T) {
	s, c := newServer(t, etlObject())
	p := planned(t, c, prune())
	dir := filepath.Join(t.TempDir(), "records")
	j, err := NewJournal(dir, plan.HeaderOf(p, at, "test"))
	require.NoError(t, err)
	require.NoError(t, os.Remove(dir))
	r := &Runner{Client: c, Journal: j, Now: func() time.Time { return at }}
	r.Run(t.Context(), p, all)
	o := r.Outcomes(p)[0]
	require.Equal(t, FailedFix, o.Status)
	require.Contains(t, o.Reason, "making a record")
	require.Empty(t, s.writes())
}

// TestNoRecordOfNothing: a run that sends nothing leaves no record, and one that does has it before the request.
func TestNoRecordOfNothing(t *testing.T) {
	s, c := newServer(t, etlObject())
	p := planned(t, c, prune())
	dir := t.TempDir()
	j, err := NewJournal(dir, plan.HeaderOf(p, at, "test"))
	require.NoError(t, err)
	files := func() []string {
		list, err := filepath.Glob(filepath.Join(dir, "*"))
		require.NoError(t, err)
		return list
	}
	status, _ := s.objects[appPath]["status"].(map[string]any)
	status["submissionID"] = "another"
	r := &Runner{Client: c, Journal: j, Now: func() time.Time { return at }}
	r.Run(t.Context(), p, all)
	require.Equal(t, StaleObject, r.Outcomes(p)[0].Status)
	require.NoError(t, j.Close())
	require.Empty(t, files())

	status["submissionID"] = "s"
	var opened []string
	j.Opened = func(path string) { opened = append(opened, path) }
	s.before = func(*server) { require.Equal(t, opened, files()) }
	r.Run(t.Context(), p, all)
	require.Equal(t, Applied, r.Outcomes(p)[0].Status, r.Outcomes(p)[0].Reason)
	require.NoError(t, j.Close())
	require.Equal(t, opened, files())
	require.Len(t, opened, 1)
	require.Equal(t, opened[0], j.Path())
}

func TestRecordIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	j, err := NewJournal(dir, plan.Header{Started: at})
	require.NoError(t, err)
	_, err = j.Begin(plan.Fix{}, fix.Step{}, at)
	require.NoError(t, err)
	require.NoError(t, j.Close())
	info, err := os.Stat(j.Path())
	require.NoError(t, err)
	parent, err := os.Stat(dir)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		require.Equal(t, os.FileMode(0o700), parent.Mode().Perm())
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = NewJournal(filepath.Join(file, "x"), plan.Header{Started: at})
	require.Error(t, err)
}
