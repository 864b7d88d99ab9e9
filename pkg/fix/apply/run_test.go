package apply

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

var at = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)

const appPath = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/a/sparkapplications/etl"

func etl() snapshot.Ref {
	return snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "a", Name: "etl", UID: "u"}
}

func etlObject() map[string]string {
	return map[string]string{appPath: `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"namespace":"a","name":"etl","uid":"u","resourceVersion":"1",
	  "finalizers":["one","two"],"deletionTimestamp":"2026-11-21T00:00:00Z","ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"o1"}]},
	  "spec":{"mode":"cluster"},"status":{"submissionID":"s","executorState":{"e-exec-1":"COMPLETED","e-exec-2":"FAILED","e-exec-3":"RUNNING"}}}`}
}

func prune() fix.Intent   { return fix.PruneExecutorState{Application: etl(), Submission: "s"} }
func release() fix.Intent { return fix.RemoveFinalizer{Object: etl(), Name: "one"} }

func runner(t *testing.T, c *Client, p plan.Plan) (*Runner, func() plan.Record) {
	t.Helper()
	j, err := NewJournal(filepath.Join(t.TempDir(), "state", "records"), plan.HeaderOf(p, at, "test"))
	require.NoError(t, err)
	r := &Runner{Client: c, Journal: j, Now: func() time.Time { return at }}
	return r, func() plan.Record {
		if j.Path() == "" {
			return plan.Record{} // nothing was sent
		}
		text, err := os.ReadFile(j.Path())
		require.NoError(t, err)
		record, err := plan.ReadRecord(bytes.NewReader(text))
		require.NoError(t, err)
		return record
	}
}

func all(plan.Fix) bool { return true }

// TestFaults: whatever goes wrong with the first write, the outcome says what is true of the object.
func TestFaults(t *testing.T) {
	for name, tc := range map[string]struct {
		faults []fault
		want   Status
		done   bool // the object was changed
		writes int  // requests without dryRun
	}{
		"none":                         {nil, Applied, true, 1},
		"conflict, then not":           {[]fault{{code: 409}}, Applied, true, 2},
		"unavailable, then not":        {[]fault{{code: 500}}, Applied, true, 2},
		"500 after it was carried out": {[]fault{{code: 500, apply: true}}, Applied, true, 1},
		"connection lost before":       {[]fault{{drop: true}}, Applied, true, 2},
		"connection lost after":        {[]fault{{drop: true, apply: true}}, Applied, true, 1},
		"throttled":                    {[]fault{{code: 429}}, Applied, true, 2},
		"forbidden":                    {[]fault{{code: 403}}, FailedFix, false, 1},
		"invalid for good":             {[]fault{{code: 422}, {code: 422}, {code: 422}}, FailedFix, false, 1},
		"500 for good": {[]fault{{code: 500}, {code: 500}, {code: 500}, {code: 500}, {code: 500}, {code: 500}}, FailedFix, false,
			5},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := newServer(t, etlObject())
			p := planned(t, c, prune())
			s.faults = tc.faults
			r, record := runner(t, c, p)
			r.Run(t.Context(), p, all)
			o := r.Outcomes(p)[0]
			require.Equal(t, tc.want, o.Status, o.Reason)
			_, left := s.executors()["e-exec-1"]
			require.NotEqual(t, tc.done, left)
			require.Equal(t, "RUNNING", s.executors()["e-exec-3"], "a living entry is never removed")
			require.Len(t, s.writes(), tc.writes)
			back, _ := record().Undo("kubectl-sparkdoctor")
			require.Equal(t, tc.done || name == "500 for good", len(back) == 1, "the record knows what may have been written")
		})
	}
}

func (s *server) executors() map[string]any {
	status, _ := s.objects[appPath]["status"].(map[string]any)
	states, _ := status["executorState"].(map[string]any)
	return states
}

// TestMoved: what somebody else does between the look and the write is never overwritten.
func TestMoved(t *testing.T) {
	metadata := func(s *server) map[string]any {
		m, ok := s.objects[appPath]["metadata"].(map[string]any)
		require.True(t, ok)
		return m
	}
	for name, tc := range map[string]struct {
		intent fix.Intent
		change func(*server)
		want   Status
		keeps  any // finalizers afterwards
	}{
		"finalizers in another order": {release(), func(s *server) { metadata(s)["finalizers"] = []any{"two", "one"}; s.touch(appPath) }, Applied,
			[]any{"two"}},
		"a further finalizer": {release(), func(s *server) { metadata(s)["finalizers"] = []any{"three", "one", "two"}; s.touch(appPath) },
			Applied, []any{"three", "two"}},
		"removed by its owner": {release(), func(s *server) { metadata(s)["finalizers"] = []any{"two"}; s.touch(appPath) }, AlreadySo,
			[]any{"two"}},
		"replaced by another": {release(), func(s *server) { metadata(s)["uid"] = "other"; s.touch(appPath) }, StaleObject,
			[]any{"one", "two"}},
		"submitted again": {prune(), func(s *server) {
			s.objects[appPath]["status"] = map[string]any{"submissionID": "t", "executorState": map[string]any{"e-exec-1": "COMPLETED"}}
			s.touch(appPath)
		}, StaleObject, []any{"one", "two"}},
		"an entry lives again": {prune(), func(s *server) { s.executors()["e-exec-1"] = "RUNNING"; s.touch(appPath) }, Applied,
			[]any{"one", "two"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := newServer(t, etlObject())
			p := planned(t, c, tc.intent)
			s.before = tc.change
			r, _ := runner(t, c, p)
			r.Run(t.Context(), p, all)
			o := r.Outcomes(p)[0]
			require.Equal(t, tc.want, o.Status, o.Reason)
			require.Equal(t, tc.keeps, metadata(s)["finalizers"])
			if name == "an entry lives again" {
				require.Equal(t, map[string]any{"e-exec-1": "RUNNING", "e-exec-3": "RUNNING"}, s.executors())
			}
			if name == "submitted again" {
				require.Len(t, s.executors(), 1)
			}
		})
	}
}

// TestWhatEndedMeanwhileStays: a plan removes what it shows, and no more.
func TestWhatEndedMeanwhileStays(t *testing.T) {
	s, c := newServer(t, etlObject())
	p := planned(t, c, prune())
	s.executors()["e-exec-3"] = "COMPLETED"
	r, _ := runner(t, c, p)
	r.Run(t.Context(), p, all)
	require.Equal(t, Applied, r.Outcomes(p)[0].Status)
	require.Equal(t, map[string]any{"e-exec-3": "COMPLETED"}, s.executors())
}

// TestRespecIsRefused: the operator's defaulting webhook sees metadata patches, too.
func TestRespecIsRefused(t *testing.T) {
	s, c := newServer(t, etlObject())
	s.admit = func(o map[string]any) { o["spec"] = map[string]any{"mode": "cluster", "failureRetries": 3} }
	p := planned(t, c, release())
	r, record := runner(t, c, p)
	refused := r.Preflight(t.Context(), p)
	require.ErrorContains(t, refused[1], "would change the spec of SparkApplication a/etl")
	r.Run(t.Context(), p, all)
	require.Equal(t, FailedFix, r.Outcomes(p)[0].Status)
	for _, w := range s.writes() {
		require.Contains(t, w, "dryRun")
	}
	require.Empty(t, record().Entries)
}

// TestDryRunWritesNothing: the server tries every step, and no record is made.
func TestDryRunWritesNothing(t *testing.T) {
	s, c := newServer(t, etlObject())
	p := planned(t, c, prune(), release())
	r := &Runner{Client: c, Now: func() time.Time { return at }}
	r.Run(t.Context(), p, all)
	for _, o := range r.Outcomes(p) {
		require.Equal(t, Checked, o.Status, o.Reason)
	}
	require.NotEmpty(t, s.writes())
	for _, w := range s.writes() {
		require.Contains(t, w, "dryRun")
	}
}

// TestUndoBringsBack: just the fields that were written.
func TestUndoBringsBack(t *testing.T) {
	s, c := newServer(t, etlObject())
	p := planned(t, c, prune())
	r, record := runner(t, c, p)
	r.Run(t.Context(), p, all)
	s.executors()["e-exec-9"] = "PENDING"
	back, left := record().Undo("kubectl-sparkdoctor")
	require.Empty(t, left)
	q := planned(t, c, back[0].Intent)
	r, _ = runner(t, c, q)
	r.Run(t.Context(), q, all)
	require.Equal(t, Applied, r.Outcomes(q)[0].Status, r.Outcomes(q)[0].Reason)
	require.Equal(t, map[string]any{"e-exec-1": "COMPLETED", "e-exec-2": "FAILED", "e-exec-3": "RUNNING", "e-exec-9": "PENDING"},
		s.executors())
}

// TestWaiting: a fix that another was to make possible is not tried when that failed.
func TestWaiting(t *testing.T) {
	s, c := newServer(t, etlObject())
	p := planned(t, c, release(), prune())
	p.Fixes[1].After = []int{1}
	r, _ := runner(t, c, p)
	s.faults = []fault{{code: 403}}
	r.Run(t.Context(), p, all)
	require.Equal(t, FailedFix, r.Outcomes(p)[0].Status)
	require.Equal(t, NotTried, r.Outcomes(p)[1].Status)
	require.Contains(t, s.executors(), "e-exec-1")

	dry := &Runner{Client: c, Now: func() time.Time { return at }}
	dry.Run(t.Context(), p, all)
	require.Equal(t, Uncheckable, dry.Outcomes(p)[1].Status)
}

// TestOnlyResolvedStepsAreSent: the one place that writes asks the table, whoever hands it a step.
func TestOnlyResolvedStepsAreSent(t *testing.T) {
	s, c := newServer(t, etlObject())
	labels := []fix.Change{{Path: fix.Path{"metadata", "labels", "x"}, New: "y"}}
	_, err := c.send(t.Context(), fix.Step{Target: etl(), Changes: labels}, false)
	require.ErrorContains(t, err, "was not resolved")
	require.Equal(t, denied, answerOf(err), "it is not tried again")

	f, err := c.Fetch(t.Context(), fix.TraitsOf(release()).Reads)
	require.NoError(t, err)
	steps, err := fix.Resolve(release(), f)
	require.NoError(t, err)
	steps[0].Changes = labels
	_, err = c.send(t.Context(), steps[0], false)
	require.ErrorContains(t, err, "removeFinalizer does not write metadata.labels.x")
	require.Empty(t, s.writes())
}
