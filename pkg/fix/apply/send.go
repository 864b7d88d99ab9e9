package apply

import (
	"context"
	"errors"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// requests are what was sent for a fix.
type requests struct {
	fix    plan.Fix
	sent   []fix.Step
	writes int   // that were carried out
	lost   bool  // one of them has no answer: it may have been carried out
	number int   // of the last one in the record
	last   error // of the last one that failed
}

func (q *requests) outcome(s Status, reason string) Outcome {
	return Outcome{Status: s, Reason: reason, Writes: q.writes}
}

// unresolved is the end of a fix that has nothing to send.
func (r *Runner) unresolved(ctx context.Context, q *requests, err error) Outcome {
	var done *fix.Done
	var stale *fix.Stale
	var refused *fix.Refused
	switch {
	case errors.As(err, &done):
		return r.done(ctx, q, done)
	case errors.As(err, &stale):
		return q.outcome(StaleObject, stale.Reason)
	case errors.As(err, &refused):
		return q.outcome(Refused, refused.Reason)
	default:
		return q.outcome(FailedFix, err.Error())
	}
}

// done says who did what there is nothing left to do of: sparkdoctor, if a request was carried out or has no answer, and otherwise another
// client, which the record then says of the request that was refused.
func (r *Runner) done(ctx context.Context, q *requests, done *fix.Done) Outcome {
	switch {
	case len(q.sent) == 0 || r.Journal == nil:
		return q.outcome(AlreadySo, done.Reason)
	case q.lost:
		q.writes = max(q.writes, 1)
		return r.settle(ctx, q.sent, q.outcome(Applied, "the answer of the API server was lost, and the change is there"))
	case q.writes > 0:
		return r.settle(ctx, q.sent, q.outcome(Applied, "another client made the rest of the change"))
	}
	if q.number > 0 {
		if err := r.Journal.End(q.number, q.fix.ID, plan.AlreadySo, nil, r.Now()); err != nil {
			return q.outcome(FailedFix, err.Error())
		}
	}
	return r.settle(ctx, q.sent, q.outcome(AlreadySo,
		fmt.Sprintf("another client made the change, and the API server refused this one: %v", q.last)))
}

// sendAll sends steps until one is not carried out.
func (r *Runner) sendAll(ctx context.Context, q *requests, steps []fix.Step, fresh fix.Fresh) error {
	version := ""
	for _, s := range steps {
		if version != "" {
			s = s.Next(version)
		}
		if tried(s) {
			if err := r.Client.try(ctx, s, fresh); err != nil {
				return err
			}
		}
		if r.Journal == nil {
			if _, err := r.Client.send(ctx, s, true); err != nil {
				return err
			}
			continue
		}
		written, err := r.sendOne(ctx, q, s, fresh)
		if err != nil {
			return err
		}
		if written != nil {
			version = written.GetResourceVersion()
		}
	}
	return nil
}

// sendOne sends a step between the two lines of the record, and holds the answer against it.
func (r *Runner) sendOne(ctx context.Context, q *requests, s fix.Step, fresh fix.Fresh) (*fix.Object, error) {
	number, err := r.Journal.Begin(q.fix, s, r.Now())
	if err != nil {
		return nil, &unrecorded{err}
	}
	q.number = number
	written, err := r.Client.send(ctx, s, false)
	end := endOf(answerOf(err))
	switch end {
	case plan.Written:
		q.writes++
		if err = alteredBy(s, fresh, written); err != nil {
			r.alters(q.fix.ID, err)
		}
	case plan.Unknown:
		q.lost = true
	default:
	}
	if journalErr := r.Journal.End(number, q.fix.ID, end, err, r.Now()); err == nil && journalErr != nil {
		return nil, &unrecorded{fmt.Errorf("the write was carried out, and how it ended could not be recorded: %w", journalErr)}
	}
	return written, err
}

// alters notes that a write changed a spec: what passes the same webhook is not tried any more.
func (r *Runner) alters(id int, err error) {
	var a *altered
	if errors.As(err, &a) && a.spec {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.altering = id
	}
}

// settle waits for what must come true after a fix.
func (r *Runner) settle(ctx context.Context, sent []fix.Step, o Outcome) Outcome {
	if r.Journal == nil {
		return o
	}
	for _, s := range sent {
		if s.Await == nil {
			continue
		}
		if err := r.Client.await(ctx, s); err != nil {
			o.Status, o.Reason = FailedFix, err.Error()
		}
	}
	return o
}
