package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/screen"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/signatures"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

const scanLong = `Runs the checks on the cluster of the current context, or on -f files, and reports what is wrong.

Exit codes: 0 nothing at or above --fail-on; 1 findings; 2 usage or failure to run; 3 a check could not read everything it needs.`

const scanExample = `  # Everything the operator runs, in every namespace
  kubectl sparkdoctor scan

  # One application
  kubectl sparkdoctor scan sparkapplication/etl -n team-a

  # A dump instead of a cluster
  kubectl get sparkapplications,pods,events -A -o yaml | kubectl sparkdoctor scan -f -

  # Several clusters, one report
  kubectl sparkdoctor scan --contexts prod-eu,prod-us

  # After a repair or an upgrade: wait until nothing is wrong any more
  kubectl sparkdoctor scan --until=clean --timeout 15m

  # In CI: fail on warnings too, keep a JSON report beside the table
  kubectl sparkdoctor scan -f manifests/ -R --fail-on warning -o json=report.json`

func newScan(streams genericiooptions.IOStreams) *cobra.Command {
	return scanCommand(streams, newScanFlags(nil))
}

func scanCommand(streams genericiooptions.IOStreams, f *scanFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "scan [TYPE/NAME ... | TYPE NAME ...]",
		ValidArgsFunction: objects,
		Short:             "Run the checks on the cluster, or on files",
		Long:              scanLong,
		Example:           scanExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(cmd.Context(), args)
			if err == nil {
				o.taught, err = signatures.Read(cmd.Context(), o.signatures...)
			}
			if err != nil {
				return usageError(cmd, err)
			}
			return o.run(cmd.Context(), streams)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

func (o *scanOptions) run(ctx context.Context, streams genericiooptions.IOStreams) error {
	if o.watch {
		return o.watching(ctx, streams)
	}
	if o.forPerson() {
		o.preview = screen.Of(streams.Out)
	}
	s, err := o.report(ctx, streams)
	if err != nil {
		return err
	}
	if err := writeScan(o.outs, s, streams, &o.showFlags); err != nil {
		return err
	}
	if line := o.whyLine(); line != "" {
		say(streams, "for the cause, its evidence and the timeline: %s", line)
	}
	return verdict(s.Report, o.failOn, o.allowIncomplete)
}

// forPerson reports whether the result is one that a person reads at once: neither a machine's nor one of many.
func (o *scanOptions) forPerson() bool {
	return slices.ContainsFunc(o.outs, func(out output) bool {
		return out.file == "" && slices.Contains([]string{"table", "wide", "summary"}, out.format)
	})
}

// confirming shows on a terminal what is known while what is missing is given time, and counts down. Nil: one line says it, as where
// several clusters are scanned, or one again and again.
func (o *scanOptions) confirming(streams genericiooptions.IOStreams) func(context.Context, scan.Pending) error {
	on := o.preview
	if on == nil {
		on = screen.Of(streams.ErrOut)
	}
	if on == nil || o.watch || len(o.contexts) > 0 || o.allContexts {
		return nil
	}
	return func(ctx context.Context, p scan.Pending) error {
		if o.preview != nil {
			texts, err := o.drafts(p.Report(), streams)
			if err != nil {
				return err
			}
			on.Show(texts...)
		}
		err := on.CountDown(ctx, p.For, func(left time.Duration) string {
			return fmt.Sprintf("confirming %s: rechecking in %s (--confirm-after 0 to skip)", phrase.Counted(p.Findings, "finding"),
				phrase.Span(left))
		})
		if err == nil && o.preview == nil {
			on.Erase()
		}
		return err
	}
}

// drafts are the report as the terminal will have it, and its summary, in case the report is higher than the terminal.
func (o *scanOptions) drafts(r *report.Report, streams genericiooptions.IOStreams) ([]string, error) {
	if o.before != nil {
		r.Compare(o.before)
	}
	style := shownOn(streams.Out, o.style(), o.color)
	at := slices.IndexFunc(o.outs, func(out output) bool { return out.file == "" })
	var texts []string
	for _, format := range []string{o.outs[at].format, "summary"} {
		var b strings.Builder
		if err := formats.Write(&b, r, format, "", style); err != nil {
			return nil, err
		}
		texts = append(texts, b.String())
	}
	return texts, nil
}

// report scans files, a cluster, or several.
func (o *scanOptions) report(ctx context.Context, streams genericiooptions.IOStreams) (formats.Scan, error) {
	var s formats.Scan
	names, err := o.manyContexts()
	switch {
	case err != nil:
	case names != nil:
		s.Report, err = o.scanMany(ctx, streams, names)
	default:
		s.Report, s.CaseFile, err = o.scanOne(ctx, streams, o.wantsCaseFile())
	}
	if err == nil && o.before != nil {
		compare(s.Report, o.before, streams)
	}
	return s, err
}

// scanOne scans files or one cluster, with the case file of the only application that is asked about.
func (o *scanOptions) scanOne(
	ctx context.Context, streams genericiooptions.IOStreams, caseFile bool,
) (*report.Report, *casefile.Document, error) {
	of := o.library(streams)
	of.CaseFile = caseFile
	d, err := scan.Diagnose(ctx, of)
	if err != nil {
		return nil, nil, err
	}
	o.preview.Erase()
	r := d.Report()
	if r.Cost != nil {
		sayCost(streams, r.Cost)
	}
	if d.CaseFile == nil {
		return r, nil, nil
	}
	return r, casefile.New(*d.CaseFile, of.Tool, of.Asked), nil
}

// wantsCaseFile reports whether a format shows it, and the user asks no narrower question by --checks: live it costs what "why" does.
func (o *scanOptions) wantsCaseFile() bool {
	shown := func(out output) bool { return formats.HoldsCaseFile(out.format) }
	return !o.watch && !o.flags.Changed("checks") && slices.ContainsFunc(o.outs, shown)
}

// verdict is the exit code of a report.
func verdict(r *report.Report, failOn string, allowIncomplete bool) error {
	if r.Failed() {
		return &codeError{code: exitFailure}
	}
	switch r.Outcome(failOn, allowIncomplete) {
	case report.VerdictNoGo:
		return &codeError{code: exitFindings}
	case report.VerdictIncomplete:
		return &codeError{code: exitIncomplete}
	default:
		return nil
	}
}

// sayCost is a table for people; programs find the same in the report.
func sayCost(streams genericiooptions.IOStreams, c *report.Cost) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, one := range c.Listings {
		_, _ = fmt.Fprintf(w, "%d requests\t%s\t%.2f s\t  %s\n", one.Requests, size(one.Bytes), float64(one.Milliseconds)/1000, one.Of)
	}
	_ = w.Flush() // into memory
	memory := "unknown"
	if c.PeakMemoryBytes > 0 {
		memory = size(c.PeakMemoryBytes)
	}
	_, _ = fmt.Fprintf(&b, "cost: %d requests, %s received, %s of memory at most, %.2f s",
		c.Requests, size(c.Bytes), memory, float64(c.Milliseconds)/1000)
	say(streams, "%s", b.String())
}

func size(n int) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", (n+1<<19)>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", (n+1<<9)>>10)
	default:
		return fmt.Sprintf("%d B", n)
	}
}
