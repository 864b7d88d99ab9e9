package apply

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// TestAnotherClientWasFirst: what another client did while the request was refused is not claimed, is a success, and is not undone.
func TestAnotherClientWasFirst(t *testing.T) {
	others := map[string]struct {
		intent fix.Intent
		does   func(*server)
	}{
		"entries": {prune(), func(s *server) {
			delete(s.executors(), "e-exec-1")
			delete(s.executors(), "e-exec-2")
			s.touch(appPath)
		}},
		"finalizer": {release(), func(s *server) {
			metadata, _ := s.objects[appPath]["metadata"].(map[string]any)
			metadata["finalizers"] = []any{"two"}
			s.touch(appPath)
		}},
	}
	for name, other := range others {
		for _, f := range []fault{{pass: true}, {code: 409}, {code: 422}, {code: 429}, {code: 404}} { // pass: the precondition does not hold
			t.Run(fmt.Sprintf("%s, %d", name, f.code), func(t *testing.T) {
				s, c := newServer(t, etlObject())
				p := planned(t, c, other.intent)
				s.before, s.faults = other.does, []fault{f}
				r, record := runner(t, c, p)
				r.Run(t.Context(), p, all)
				o := r.Outcomes(p)[0]
				require.Equal(t, AlreadySo, o.Status, o.Reason)
				require.Zero(t, o.Writes)
				require.Contains(t, o.Reason, "another client made the change")
				entries := record().Entries
				require.Equal(t, plan.AlreadySo, entries[len(entries)-1].End)
				back, left := record().Undo("test")
				require.Empty(t, back)
				require.Empty(t, left)
			})
		}
		for _, f := range []fault{{drop: true}, {code: 500}} {
			t.Run(fmt.Sprintf("%s, lost %d", name, f.code), func(t *testing.T) {
				s, c := newServer(t, etlObject())
				p := planned(t, c, other.intent)
				s.before, s.faults = other.does, []fault{f}
				r, _ := runner(t, c, p)
				r.Run(t.Context(), p, all)
				o := r.Outcomes(p)[0]
				require.Equal(t, Applied, o.Status)
				require.Contains(t, o.Reason, "the answer of the API server was lost")
			})
		}
	}
}

// TestWaitsForWhatIsSo: what waits for a fix goes on if another client made its change.
func TestWaitsForWhatIsSo(t *testing.T) {
	s, c := newServer(t, etlObject())
	p := planned(t, c, release(), prune())
	p.Fixes[1].After = []int{1}
	s.faults = []fault{{code: 409}}
	s.before = func(s *server) {
		metadata, _ := s.objects[appPath]["metadata"].(map[string]any)
		metadata["finalizers"] = []any{"two"}
		s.touch(appPath)
	}
	r, _ := runner(t, c, p)
	r.Run(t.Context(), p, all)
	require.Equal(t, AlreadySo, r.Outcomes(p)[0].Status)
	require.Equal(t, Applied, r.Outcomes(p)[1].Status, r.Outcomes(p)[1].Reason)
}

// TestAlteredOnTheWriteAlone: a webhook that leaves the dry run alone and changes the write is found in the answer.
func TestAlteredOnTheWriteAlone(t *testing.T) {
	part := func(o map[string]any, name string) map[string]any {
		fields, _ := o[name].(map[string]any)
		return fields
	}
	for name, tc := range map[string]struct {
		intent fix.Intent
		alter  func(o map[string]any)
		want   string // in the reason; empty: it is applied
	}{
		"nothing":             {release(), func(map[string]any) {}, ""},
		"a label":             {release(), func(o map[string]any) { part(o, "metadata")["labels"] = map[string]any{"a": "b"} }, ""},
		"a field of the spec": {release(), func(o map[string]any) { part(o, "spec")["mode"] = "client" }, "(spec.mode)"},
		"a further field":     {release(), func(o map[string]any) { part(o, "spec")["driver"] = map[string]any{"cores": 1} }, "(spec.driver)"},
		"a field is gone":     {release(), func(o map[string]any) { delete(part(o, "spec"), "mode") }, "(spec.mode)"},
		"the spec is gone":    {release(), func(o map[string]any) { delete(o, "spec") }, "(spec)"},
		"the finalizer is back": {release(), func(o map[string]any) { part(o, "metadata")["finalizers"] = []any{"one"} },
			"(metadata.finalizers[=one])"},
		"an entry is back": {prune(), func(o map[string]any) { part(part(o, "status"), "executorState")["e-exec-2"] = "FAILED" },
			"(status.executorState[\"e-exec-2\"])"},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := newServer(t, etlObject())
			p := planned(t, c, tc.intent)
			s.alter = tc.alter
			r, record := runner(t, c, p)
			r.Run(t.Context(), p, all)
			o := r.Outcomes(p)[0]
			require.Equal(t, 1, o.Writes)
			entries := record().Entries
			require.Equal(t, plan.Written, entries[1].End, "it was written, and undo knows it")
			if tc.want == "" {
				require.Equal(t, Applied, o.Status, o.Reason)
				return
			}
			require.Equal(t, FailedFix, o.Status)
			require.Contains(t, o.Reason, tc.want)
			require.Contains(t, entries[1].Error, tc.want)
		})
	}
}

// TestAlteredEndsWhatPassesTheWebhook: after a write that changed a spec, no further one goes through the same webhook.
func TestAlteredEndsWhatPassesTheWebhook(t *testing.T) {
	s, c := newServer(t, etlObject())
	second := fix.RemoveFinalizer{Object: etl(), Name: "two"}
	p := planned(t, c, release(), second, prune())
	s.alter = func(o map[string]any) { o["spec"] = map[string]any{} }
	r, _ := runner(t, c, p)
	r.Run(t.Context(), p, all)
	o := map[string]Outcome{}
	for i, one := range r.Outcomes(p) {
		o[fmt.Sprintf("%T", p.Fixes[i].Intent(false))+p.Fixes[i].Title] = one
	}
	failed, untried, applied := 0, 0, 0
	for _, one := range o {
		switch one.Status {
		case FailedFix:
			failed++
		case NotTried:
			untried++
		case Applied:
			applied++
		}
	}
	require.Equal(t, []int{1, 1, 1}, []int{failed, untried, applied}, "%v", o)
}
