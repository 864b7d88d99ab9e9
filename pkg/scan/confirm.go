package scan

import (
	"context"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// confirm looks again at what findings about the subjects rest on not being there. Nobody waits for findings about others.
func (r *run) confirm(ctx context.Context, in *input, results []check.Result) ([]check.Result, error) {
	if in.confirm == nil {
		return results, nil
	}
	if !r.recording {
		results = r.selection.Narrow(in.snapshot, results)
	}
	confirmer := *in.confirm
	if in.archive == nil { // which knows what was answered then
		confirmer.Wait = func(ctx context.Context, d time.Duration) error { return r.settle(ctx, *in, results, d) }
	}
	var err error
	in.snapshot, results, err = check.Confirm(ctx, in.snapshot, results, r.Params, confirmer)
	return results, err
}

// settle gives controllers time, and shows meanwhile what is known.
func (r *run) settle(ctx context.Context, in input, results []check.Result, d time.Duration) error {
	early, n := check.Unconfirmed(results)
	if r.Confirming != nil {
		preview := func() *report.Report { return r.diagnose(in, early).Report() }
		return r.Confirming(ctx, Pending{Report: preview, Findings: n, For: d})
	}
	r.note("%s", WaitText(n, d))
	return pause(ctx, d)
}

// WaitText says what is waited for.
func WaitText(findings int, d time.Duration) string {
	verb := " rest"
	if findings == 1 {
		verb = " rests"
	}
	return facts.Counted(findings, "finding") + verb + " on something missing; rechecking in " + d.String() +
		" in case a controller is catching up (--confirm-after 0 to skip)"
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
