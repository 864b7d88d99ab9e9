package checks

import (
	"context"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// maxConfirmed bounds how many absent objects of one check are fetched again; findings beyond it stay likely.
const maxConfirmed = 200

// Confirmer fetches objects again and waits. Fetch returns a nil record for an object that does not exist.
type Confirmer struct {
	Fetch func(context.Context, View, snapshot.Ref) (snapshot.Record, error)
	Wait  func(context.Context, time.Duration) error // returns early with an error when the context ends
}

// Confirm looks again at what findings rest on not being there: two listings are not one instant, and controllers
// need time. The objects that the findings are about and those they miss are fetched again, the checks that
// reported them run again on the amended snapshot, and only what still holds is kept.
func Confirm(ctx context.Context, s *snapshot.Snapshot, results []Result, p Params, c Confirmer) (*snapshot.Snapshot, []Result, error) {
	var settles time.Duration
	for _, r := range results {
		for _, f := range r.Findings {
			settles = max(settles, f.Settles)
		}
	}
	if settles > 0 {
		if err := c.Wait(ctx, settles); err != nil {
			return nil, nil, err
		}
	}
	asked := map[snapshot.Update]bool{} // what was fetched, and whether it could be
	var updates []snapshot.Update
	again := map[string]bool{}
	for _, r := range results {
		fetched := 0
		for _, f := range r.Findings {
			if len(f.Absent) == 0 {
				continue
			}
			again[r.Check.ID] = true
			for _, u := range targets(f) {
				if _, done := asked[u]; done || fetched >= maxConfirmed {
					continue
				}
				fetched++
				record, err := c.Fetch(ctx, u.View, u.Ref)
				if ctx.Err() != nil {
					return nil, nil, ctx.Err()
				}
				if asked[u] = err == nil; err == nil {
					updates = append(updates, snapshot.Update{View: u.View, Ref: u.Ref, Record: record})
				}
			}
		}
	}
	if len(again) == 0 {
		return s, results, nil
	}
	amended := s.Amend(updates)
	out := slices.Clone(results)
	for i, r := range out {
		if again[r.Check.ID] {
			out[i] = runOne(amended, r.Check, p)
			out[i].doubt(asked)
		}
	}
	return amended, out, nil
}

// targets are the object of a finding and what it misses.
func targets(f Finding) []snapshot.Update {
	out := []snapshot.Update{{View: snapshot.ViewOf(f.Object.GroupKind()), Ref: nameOnly(f.Object)}}
	for _, a := range f.Absent {
		out = append(out, snapshot.Update{View: a.View, Ref: nameOnly(a.Ref)})
	}
	return out
}

func nameOnly(r snapshot.Ref) snapshot.Ref { r.UID = ""; return r }

// doubt lowers to likely what could not be confirmed. What was not seen before is left to the next scan.
func (r *Result) doubt(asked map[snapshot.Update]bool) {
	for i := range r.Findings {
		f := &r.Findings[i]
		if slices.ContainsFunc(targets(*f), func(u snapshot.Update) bool { return len(f.Absent) > 0 && !asked[u] }) {
			f.Certainty = Likely
		}
	}
}
