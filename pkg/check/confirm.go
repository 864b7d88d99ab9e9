package check

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// maxConfirmed bounds how many absent objects of one check are fetched again; findings beyond it stay likely.
const maxConfirmed = 200

// fetchedAtOnce is how many objects are asked for at a time. Each answer takes a moment, and nothing else is left to do.
const fetchedAtOnce = 8

// Confirmer fetches objects again and waits. Fetch returns a nil record for an object that does not exist, and for a
// question about access (snapshot.Review) that is denied; it is called from several goroutines.
type Confirmer struct {
	Fetch func(context.Context, View, snapshot.Ref) (snapshot.Record, error)
	Wait  func(context.Context, time.Duration) error // returns early with an error when the context ends
}

// Confirm looks again at what findings rest on not being there: two listings are not one instant, and controllers
// need time. The objects that the findings are about and those they miss are fetched again, the checks that
// reported them run again on the amended snapshot, and only what still holds is kept. What that run finds for the
// first time is left to the next scan: it compares what was fetched now with what was listed before. Then the API server
// is asked about what accounts are said not to be allowed.
func Confirm(ctx context.Context, s *snapshot.Snapshot, results []Result, p Params, c Confirmer) (*snapshot.Snapshot, []Result, error) {
	s, results, err := c.again(ctx, s, results, p)
	if err != nil {
		return nil, nil, err
	}
	results, err = c.review(ctx, results)
	return s, results, err
}

func (c Confirmer) again(ctx context.Context, s *snapshot.Snapshot, results []Result, p Params) (*snapshot.Snapshot, []Result, error) {
	if settles := longest(results); settles > 0 {
		if err := c.Wait(ctx, settles); err != nil {
			return nil, nil, err
		}
	}
	fetched := map[snapshot.Update]bool{} // what was asked for, and whether there was an answer
	var asked []snapshot.Update
	for _, r := range results {
		for _, u := range r.targets() {
			if _, twice := fetched[u]; !twice {
				fetched[u] = false
				asked = append(asked, u)
			}
		}
	}
	if len(asked) == 0 {
		return s, results, nil
	}
	records, failed := c.fetch(ctx, asked)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	var updates []snapshot.Update
	for i, u := range asked {
		if fetched[u] = failed[i] == nil; fetched[u] {
			updates = append(updates, snapshot.Update{View: u.View, Ref: u.Ref, Record: records[i]})
		}
	}
	amended := s.Amend(updates)
	facts := factsOf(amended)
	out := slices.Clone(results)
	for i, r := range out {
		if len(r.targets()) > 0 {
			out[i] = runOne(facts, r.Check, p)
			out[i].keepConfirmed(r, fetched)
		}
	}
	return amended, out, nil
}

// fetch asks for each of a list.
func (c Confirmer) fetch(ctx context.Context, list []snapshot.Update) ([]snapshot.Record, []error) {
	records, failed := make([]snapshot.Record, len(list)), make([]error, len(list))
	slots := make(chan struct{}, fetchedAtOnce)
	var wg sync.WaitGroup
	for i, u := range list {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if failed[i] = ctx.Err(); failed[i] == nil {
				records[i], failed[i] = c.Fetch(ctx, u.View, u.Ref)
			}
		})
	}
	wg.Wait()
	return records, failed
}

// Unconfirmed are results to show before Confirm has looked again, and how many of their findings it may take back. A copy has no
// time to settle: nothing says yet that what is missing stayed missing.
func Unconfirmed(results []Result) ([]Result, int) {
	out, n := slices.Clone(results), 0
	for i := range out {
		out[i].Findings = slices.Clone(out[i].Findings)
		for k := range out[i].Findings {
			if f := &out[i].Findings[k]; len(f.Absent) > 0 {
				f.Confirming, f.Settles = true, 0
				n++
			}
		}
	}
	return out, n
}

// longest is how long what is missing must stay missing.
func longest(results []Result) time.Duration {
	var d time.Duration
	for _, r := range results {
		for _, f := range r.Findings {
			d = max(d, f.Settles)
		}
	}
	return d
}

// targets are what the findings of a check that rest on absence are about, and what they miss, up to maxConfirmed.
func (r *Result) targets() []snapshot.Update {
	var out []snapshot.Update
	for _, f := range r.Findings {
		for _, u := range f.targets() {
			if len(out) < maxConfirmed && !slices.Contains(out, u) {
				out = append(out, u)
			}
		}
	}
	return out
}

func (f *Finding) targets() []snapshot.Update {
	if len(f.Absent) == 0 {
		return nil
	}
	var out []snapshot.Update
	for _, ref := range append([]snapshot.Ref{f.Object}, f.Objects...) {
		if ref.Kind == "Namespace" && ref.Group() == "" {
			continue // stands for what is in it
		}
		out = append(out, snapshot.Update{View: snapshot.ViewOf(ref.GroupKind()), Ref: nameOnly(ref)})
	}
	for _, a := range f.Absent {
		out = append(out, snapshot.Update{View: a.View, Ref: nameOnly(a.Ref)})
	}
	return out
}

func nameOnly(r snapshot.Ref) snapshot.Ref { r.UID = ""; return r }

// keepConfirmed drops what was not found before, and lowers to likely what there was no answer about. If nothing of
// what was fetched again still holds, the rest is of the same making and is left to the next scan.
func (r *Result) keepConfirmed(before Result, fetched map[snapshot.Update]bool) {
	known := map[string]bool{}
	for _, f := range before.Findings {
		known[f.Fingerprint()] = true
	}
	confirmed := false
	r.Findings = slices.DeleteFunc(r.Findings, func(f Reported) bool { return len(f.Absent) > 0 && !known[f.Fingerprint()] })
	for i := range r.Findings {
		f := &r.Findings[i]
		if slices.ContainsFunc(f.targets(), func(u snapshot.Update) bool { return !fetched[u] }) {
			f.Certainty = Likely
		} else if len(f.Absent) > 0 {
			confirmed = true
		}
	}
	unasked := func(f Reported) bool {
		return slices.ContainsFunc(f.targets(), func(u snapshot.Update) bool { _, asked := fetched[u]; return !asked })
	}
	if !confirmed {
		r.Findings = slices.DeleteFunc(r.Findings, unasked)
	}
	if r.Status == Failed && len(r.Findings) == 0 {
		r.Status = Passed // what was found was judged
	}
}
