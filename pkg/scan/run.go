package scan

import (
	"context"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// Run scans a source and reports. The error is an EmptyError, NoOperatorError or InterruptedError, or says why nothing could
// be read; what could only not be read in part is in the report.
func Run(ctx context.Context, o Options) (*report.Report, error) {
	d, err := Diagnose(ctx, o)
	if err != nil {
		return nil, err
	}
	return d.Report(), nil
}

// Diagnosis holds the results of the checks, for callers that need more than a report.
type Diagnosis struct {
	Snapshot *snapshot.Snapshot
	Source   report.Source
	Scope    report.Scope
	Results  []check.Result // of the checks in their order, correlated and with suppressions
	// CaseFile is that of the only application that the scan is about; nil: it was not asked for, or there is none.
	CaseFile *why.CaseFile

	run   *run
	user  string // who read, if something was forbidden and the API server said who that is
	costs func() []collect.Cost
}

// Diagnose is Run without the report.
func Diagnose(ctx context.Context, o Options) (*Diagnosis, error) {
	r, err := o.start(ofScan)
	if err != nil {
		return nil, err
	}
	in, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	d, err := r.judge(ctx, in)
	if err != nil {
		return nil, err
	}
	return d, d.open(ctx, in)
}

// look reads the source, says what that is, and looks for what was asked for.
func (r *run) look(ctx context.Context) (input, error) {
	in, err := r.read(ctx)
	if err != nil {
		return input{}, err
	}
	if q, one := r.subject(); one {
		in = r.untilLogs(in, q)
	}
	r.noteScope(in)
	return in, r.lookUp(ctx, in)
}

// judge asks the selected checks, and looks again at what is missing.
func (r *run) judge(ctx context.Context, in input) (*Diagnosis, error) {
	selected, later := r.known(in)
	results := append(check.Run(in.snapshot, selected, r.Params), later...)
	results, err := r.confirm(ctx, &in, results)
	if err != nil {
		return nil, err
	}
	d := r.diagnose(in, results)
	d.user = in.whoIsLimited(ctx, results)
	return d, nil
}

// diagnose links what the checks found, and takes out what is not asked about.
func (r *run) diagnose(in input, results []check.Result) *Diagnosis {
	results = check.Correlate(r.selection.Narrow(in.snapshot, results))
	results = checks.Suppress(in.snapshot, results, r.Suppressions, r.ofSuppressions, r.selection)
	checks.Bar(in.snapshot, results)
	return &Diagnosis{Snapshot: in.snapshot, Source: in.source, Scope: r.scope(in.snapshot), Results: results, run: r, costs: in.costs}
}

// Report makes the report.
func (d *Diagnosis) Report() *report.Report {
	asked := d.run.Asked
	asked.Input.Archive = d.Source.Type == "archive"
	r := report.Build(d.Snapshot, d.run.Tool, d.Source, d.Scope, d.Results, asked)
	if d.run.Params.Upgrade == nil {
		r.FoldRights(d.user)
	}
	if d.CaseFile != nil {
		r.Answered(d.CaseFile.Subject)
	}
	if d.run.ShowSuppressed {
		r.ShowSuppressed()
	}
	if of, is := d.run.Source.(Files); is && d.Source.Type == "files" {
		lines := manifests.FieldLines{FS: of.FS}
		r.Locate(lines.Of)
	}
	r.Metrics = report.Measure(d.Snapshot, d.run.Params)
	r.Conclude() // once more: it names the largest application
	took := time.Since(d.run.started)
	if d.Source.Type == "cluster" {
		r.Metrics.DurationMilliseconds = int(took.Milliseconds())
	}
	if d.run.Cost {
		r.Cost = costOf(d.costs, took)
	}
	return r
}

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
	if r.settled {
		return nil
	}
	r.settled = true
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
	return phrase.Counted(findings, "finding") + verb + " on something missing; rechecking in " + d.String() +
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
