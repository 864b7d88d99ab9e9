package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// minInterval keeps a watch from being a load: every round lists everything that a scan lists.
const minInterval = 5 * time.Second

// checkWatching refuses what does not go together.
func (o *scanOptions) checkWatching() error {
	if o.flags.Lookup("watch") == nil {
		return nil // another command, which has an interval of its own
	}
	o.watch = o.watch || o.until != ""
	switch {
	case o.until != "" && o.until != "clean":
		return fmt.Errorf("--until is %q, use clean", o.until)
	case o.until == "" && o.flags.Changed("timeout"):
		return errors.New("--timeout needs --until")
	case !o.watch && o.flags.Changed("interval"):
		return errors.New("--interval needs --watch or --until")
	case !o.watch:
		return nil
	case o.offline:
		return errors.New("--watch needs a cluster and cannot be combined with -f")
	case o.baseline != "":
		return errors.New("--watch compares each scan with the previous one and cannot be combined with --baseline")
	case o.interval < minInterval:
		return fmt.Errorf("--interval is at least %s", minInterval)
	}
	for _, out := range o.outs {
		if out.file == "" && out.format != "table" && out.format != "json" {
			return fmt.Errorf("--watch writes lines, or with -o json a JSON object a line; "+
				"-o %s can go to a file, which every scan replaces: -o %s=FILE", out.format, out.format)
		}
	}
	return nil
}

// watching scans again and again and writes what changed. With --until=clean it ends well with the first scan in which
// nothing fails, and after --timeout with the exit code of the last one.
func (o *scanOptions) watching(ctx context.Context, streams genericiooptions.IOStreams) error {
	var deadline <-chan time.Time
	if o.until != "" && o.timeout > 0 {
		timer := time.NewTimer(o.timeout)
		defer timer.Stop()
		deadline = timer.C
	}
	var w report.Watch
	var last error
	quiet := streams // the scope is told once
	for first := true; ; first = false {
		s, err := o.report(ctx, quiet)
		switch {
		case ctx.Err() != nil:
			return &codeError{code: ExitInterrupted}
		case err != nil && first && o.until == "":
			return err
		case err != nil:
			last = err
			_, message := exitOf(err)
			say(streams, "%s; trying again in %s", report.Escape(firstLine(message)), o.interval)
		default:
			quiet.ErrOut = io.Discard
			if err := o.transitions(w.Next(s.Report), s.Report, streams); err != nil {
				return err
			}
			if last = verdict(s.Report, o.failOn, o.allowIncomplete); last == nil && o.until != "" {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return &codeError{code: ExitInterrupted}
		case <-deadline:
			say(streams, "not clean after %s", phrase.Span(o.timeout))
			return last
		case <-time.After(o.interval):
		}
	}
}

// transitions writes what changed, and every file again.
func (o *scanOptions) transitions(list []report.Item, r *report.Report, streams genericiooptions.IOStreams) error {
	var files []output
	for _, out := range o.outs {
		if out.file != "" {
			files = append(files, out)
			continue
		}
		for _, item := range list {
			var err error
			if out.format == "json" {
				err = report.TransitionJSON(streams.Out, item)
			} else {
				err = terminal.Transition(streams.Out, item, r.Metadata.CreationTimestamp)
			}
			if err != nil {
				return err
			}
		}
	}
	return write(files, r, streams, &o.showFlags)
}
