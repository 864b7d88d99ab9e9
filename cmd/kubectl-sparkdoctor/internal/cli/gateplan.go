package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// plans reports whether the question is about several releases or clusters.
func (g *gateOptions) plans() bool { return g.to.IsZero() || len(g.contexts) > 0 || g.allContexts }

// checkPlan refuses what a plan cannot have.
func (g *gateOptions) checkPlan() error {
	if !g.plans() {
		return nil
	}
	for _, o := range g.outs {
		if !slices.Contains(slices.Concat(formats.PlanNames(), formats.Expressions()), o.format) {
			return fmt.Errorf("a plan of several releases or clusters has no format %q, use one of %s; pass --to VERSION for one report",
				o.format, strings.Join(slices.Concat(formats.PlanNames(), formats.Expressions()), ", "))
		}
	}
	many := len(g.contexts) > 0 || g.allContexts
	switch {
	case g.to.Unreleased:
		return fmt.Errorf("%s is not a release that a plan can take: ask one cluster, without --contexts", operator.NextText())
	case g.target != "":
		return errors.New("--target-manifests are those of one release of one cluster: pass --to VERSION, without --contexts")
	case g.baseline != "":
		return errors.New("--baseline compares one report: pass --to VERSION, without --contexts")
	case g.cost:
		return errors.New("--cost is of one report: pass --to VERSION, without --contexts")
	case many && g.from != operator.Name{}:
		return errors.New("--from cannot be combined with --contexts or --all-contexts: each cluster has a release of its own")
	case many && g.values != "":
		return errors.New("--helm-values are those of one cluster: ask without --contexts")
	default:
		return nil
	}
}

// plan asks about every release, in every cluster.
func (g *gateOptions) plan(ctx context.Context, streams genericiooptions.IOStreams) error {
	names, err := g.manyContexts()
	if err != nil {
		return err
	}
	var rows []report.PlanRow
	var at time.Time
	if names == nil {
		rows, at, err = g.rows(ctx, g.scanOptions, streams)
	} else {
		rows, at, err = g.fleet(ctx, streams, names)
	}
	if err != nil {
		return err
	}
	p := report.NewPlan(tool(), at, rows)
	p.Only = g.only()
	render := func(w io.Writer, out output, style terminal.Style) error {
		return formats.WritePlan(w, p, out.format, out.expr, style)
	}
	if err := writeEach(g.outs, streams, &g.showFlags, render); err != nil {
		return err
	}
	switch {
	case p.Failed():
		return &codeError{code: exitFailure}
	case p.Verdict == report.VerdictNoGo:
		return &codeError{code: exitFindings}
	case p.Verdict == report.VerdictIncomplete && !g.allowIncomplete:
		return &codeError{code: exitIncomplete}
	default:
		return nil
	}
}

// rows asks in one cluster.
func (g *gateOptions) rows(ctx context.Context, in *scanOptions, streams genericiooptions.IOStreams) ([]report.PlanRow, time.Time, error) {
	rows, at, err := scan.Plan(ctx, scan.PlanOptions{
		GateOptions: scan.GateOptions{
			Options: in.library(streams), From: g.from, To: g.to, Controller: g.operator, Values: g.values,
			Release: g.release, Stdin: streams.In,
		},
		FailOn: g.failOn, AllowIncomplete: g.allowIncomplete,
	})
	for i := range rows {
		rows[i].Command = g.asks(in, &rows[i])
	}
	return rows, at, err
}

// asks is the command with the runbook of a row.
func (g *gateOptions) asks(in *scanOptions, row *report.PlanRow) string {
	to := row.Nearest()
	if to == "" {
		return ""
	}
	line := command.Line("kubectl sparkdoctor gate --to %s", to)
	if row.Controller != "" {
		line += command.Line(" --operator %s", row.Controller)
	}
	if g.from != (operator.Name{}) {
		line += command.Line(" --from %s", g.from.ChartOrApplication())
	}
	for _, file := range in.files {
		line += " -f " + command.Quoted(file)
	}
	if in.recursive {
		line += " -R"
	}
	if g.values != "" {
		line += " --helm-values " + command.Quoted(g.values)
	}
	if g.release {
		line += " --helm-release"
	}
	return in.asked().In(line)
}

// fleet asks in several clusters side by side. One that cannot be read has a row that says so.
func (g *gateOptions) fleet(ctx context.Context, streams genericiooptions.IOStreams, names []string) ([]report.PlanRow, time.Time, error) {
	type answer struct {
		rows []report.PlanRow
		at   time.Time
	}
	answers := make([]answer, len(names))
	var mu sync.Mutex // of stderr
	var wg sync.WaitGroup
	slots := make(chan struct{}, planClusters)
	for i, name := range names {
		in := g.inContext(name)
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errOut := &prefixed{mu: &mu, w: streams.ErrOut, prefix: report.Escape(name) + ": "}
			defer errOut.flush()
			mine := streams
			mine.ErrOut = errOut
			a := &answers[i]
			err := protect(func() (err error) {
				a.rows, a.at, err = g.rows(ctx, in, mine)
				return err
			})
			if err != nil {
				a.rows = []report.PlanRow{g.unread(err)}
				say(mine, "%s", report.Escape(firstLine(err.Error())))
			}
			for k := range a.rows {
				a.rows[k].Cluster = name
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, time.Time{}, ctx.Err()
	}
	var rows []report.PlanRow
	at := time.Time{}
	for _, a := range answers {
		rows = append(rows, a.rows...)
		if !a.at.IsZero() && (at.IsZero() || a.at.Before(at)) {
			at = a.at // the oldest moment is as of when all of it is known
		}
	}
	return rows, at, nil
}

// planClusters bounds how many clusters are asked at once: each takes memory of its own.
const planClusters = 4

// unread is the row of a cluster of which nothing could be judged.
func (g *gateOptions) unread(err error) report.PlanRow {
	row := report.PlanRow{Targets: []report.PlanTarget{}}
	var none *scan.NoOperatorError
	if row.NoOperator = errors.As(err, &none) && g.allContexts; row.NoOperator {
		row.Because = "no Spark Operator"
		return row
	}
	row.Unknown(firstLine(err.Error()))
	return row
}
