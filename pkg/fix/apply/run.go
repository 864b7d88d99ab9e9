package apply

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// Status is how a fix ended.
type Status string

const (
	Applied     Status = "applied"
	AlreadySo   Status = "already so" // another client did it
	StaleObject Status = "stale"
	Refused     Status = "refused"
	FailedFix   Status = "failed"
	NotTried    Status = "not tried"
	Checked     Status = "checked"       // by the server, without writing
	Uncheckable Status = "not checkable" // before another fix is applied
)

// Outcome is how one fix ended.
type Outcome struct {
	Fix    int
	Status Status
	Reason string
	Writes int // requests that were carried out
}

// Runner carries a plan out, in parts or as a whole.
type Runner struct {
	Client  *Client
	Journal *Journal // nil: the server tries every step, and nothing is written
	Now     func() time.Time
	Tell    func(plan.Fix, Outcome) // told as each fix ends, one at a time
	// Refused are fixes that the server would not take, by id, with what it said.
	Refused map[int]error

	mu       sync.Mutex
	outcomes map[int]Outcome
	altering int // fix whose write changed a spec, 0: none did
}

// parallelFixes bounds the fixes of one turn that are applied at once.
const parallelFixes = 4

// Run applies those fixes of a plan that are in the part, in turns: what heals the webhook one by one, then what must
// pass it. A fix that waits for another that failed is not tried.
func (r *Runner) Run(ctx context.Context, p plan.Plan, part func(plan.Fix) bool) {
	list := slices.DeleteFunc(p.Applicable(), func(f plan.Fix) bool { return !part(f) })
	for _, turn := range turns(list) {
		var wg sync.WaitGroup
		slots := make(chan struct{}, parallelFixes)
		for _, f := range turn {
			if o := r.waits(f); o.Status != "" {
				r.end(f, o)
				continue
			}
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				r.end(f, r.one(ctx, f))
			})
		}
		wg.Wait()
	}
}

// Outcomes returns how every fix of a plan ended, in its order.
func (r *Runner) Outcomes(p plan.Plan) []Outcome {
	out := make([]Outcome, 0, len(p.Fixes))
	for _, f := range p.Fixes {
		o, tried := r.outcomes[f.ID]
		if !tried {
			o = Outcome{Fix: f.ID, Status: NotTried, Reason: cmp.Or(f.Blocked, "it waits for a fix that is blocked")}
		}
		out = append(out, o)
	}
	return out
}

// Unhealed notes that a fix was applied and did not help, so that what waits for it is not tried.
func (r *Runner) Unhealed(id int, reason string) {
	o := r.outcomes[id]
	o.Status, o.Reason = FailedFix, reason
	r.outcomes[id] = o
}

func (r *Runner) end(f plan.Fix, o Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.outcomes == nil {
		r.outcomes = map[int]Outcome{}
	}
	o.Fix = f.ID
	r.outcomes[f.ID] = o
	if r.Tell != nil {
		r.Tell(f, o)
	}
}

// turns splits fixes into those that may be applied at once. A fix that waits for another comes in a later turn.
func turns(list []plan.Fix) [][]plan.Fix {
	var out [][]plan.Fix
	for _, f := range list {
		last, order := len(out)-1, f.Traits().Order
		if last >= 0 && order > fix.Policy && order == out[last][0].Traits().Order &&
			!slices.ContainsFunc(out[last], func(o plan.Fix) bool { return slices.Contains(f.After, o.ID) || sameTarget(o, f) }) {
			out[last] = append(out[last], f)
			continue
		}
		out = append(out, []plan.Fix{f})
	}
	return out
}

func sameTarget(a, b plan.Fix) bool {
	return a.Traits().Target.Key() == b.Traits().Target.Key()
}

// waits returns the outcome of a fix that cannot be tried; no status if it can.
func (r *Runner) waits(f plan.Fix) Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.Refused[f.ID]; err != nil {
		return Outcome{Status: Refused, Reason: err.Error()}
	}
	if r.altering != 0 && slices.ContainsFunc(f.Steps, fix.Step.OnSparkObject) {
		return Outcome{Status: NotTried, Reason: fmt.Sprintf("the write of fix %d changed more than it asked for", r.altering)}
	}
	for _, id := range f.After {
		switch o := r.outcomes[id]; {
		case r.Journal == nil:
			return Outcome{Status: Uncheckable, Reason: fmt.Sprintf("before fix %d is applied", id)}
		case o.Status != Applied && o.Status != AlreadySo:
			return Outcome{Status: NotTried, Reason: fmt.Sprintf("it waits for fix %d, which is %s", id, o.Status)}
		}
	}
	return Outcome{}
}

// one applies a fix: look, resolve, send, and look again as long as something moves.
func (r *Runner) one(ctx context.Context, f plan.Fix) Outcome {
	intent, q := f.Intent(false), &requests{fix: f}
	version := "" // of the target when the last attempt failed
	for attempt := range maxAttempts {
		if attempt > 0 {
			if err := pause(ctx, attempt-1, q.last); err != nil {
				return q.outcome(FailedFix, "interrupted")
			}
		}
		fresh, err := r.Client.Fetch(ctx, fix.TraitsOf(intent).Reads)
		if err != nil {
			q.last = err
			if answerOf(err) == denied {
				return q.outcome(FailedFix, err.Error())
			}
			continue
		}
		steps, err := fix.Resolve(intent, fresh)
		if err != nil {
			return r.unresolved(ctx, q, err)
		}
		if !fix.Within(f.Steps, steps) {
			return q.outcome(StaleObject, "what would have to be written is not what was shown any more")
		}
		now := versionOf(fresh, intent)
		if isUnprocessable(q.last) && now == version {
			// The object is as it was, so it is not that which the server minds.
			return q.outcome(FailedFix, q.last.Error())
		}
		version, q.sent = now, append(q.sent, steps...)
		err = r.sendAll(ctx, q, steps, fresh)
		if err == nil {
			return r.settle(ctx, q.sent, q.outcome(r.success(), ""))
		}
		q.last = err
		switch answerOf(err) {
		case denied:
			return q.outcome(FailedFix, err.Error())
		case moved:
			intent = f.Intent(true)
		default:
		}
	}
	if answerOf(q.last) == moved {
		return q.outcome(StaleObject, fmt.Sprintf("it changed %d times while it was being written: %v", maxAttempts, q.last))
	}
	return q.outcome(FailedFix, q.last.Error())
}

func versionOf(f fix.Fresh, i fix.Intent) string {
	if o := f.Object(fix.TraitsOf(i).Target); o != nil {
		return o.GetResourceVersion()
	}
	return ""
}

func (r *Runner) success() Status {
	if r.Journal == nil {
		return Checked
	}
	return Applied
}
