package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// planFiles shows what would be done to the objects in files. No cluster is asked.
func (o *fixOptions) planFiles(ctx context.Context, streams genericiooptions.IOStreams) error {
	p, err := scan.Repair{Scan: o.scan.library(streams), Picks: o.picks, Limits: o.limits}.Plan(ctx)
	if err != nil {
		return err
	}
	if o.output != "" {
		return encodePlan(streams, o.output, p)
	}
	w := writer{writeFlags: o.writeFlags, streams: streams}
	if err := w.carryOut(ctx, p); err != nil {
		return err
	}
	lines := "Planned from " + phrase.Counted(len(p.Files), "file") + "; nothing was written. Files do not show:\n"
	for _, text := range p.Unknown {
		lines += "  " + fix.OneLine(text) + "\n"
	}
	return w.prose(lines)
}

func encodePlan(streams genericiooptions.IOStreams, format string, p plan.Plan) error {
	if format == "json" {
		return report.EncodeJSON(streams.Out, p, "  ")
	}
	return report.EncodeYAML(streams.Out, p)
}

// show prints the plan: every fix with its diff, and what is left.
func (w *writer) show(ctx context.Context, p plan.Plan) error {
	external := os.Getenv("KUBECTL_EXTERNAL_DIFF")
	for _, f := range p.Fixes {
		if external != "" {
			if err := w.showExternally(ctx, external, f); err != nil {
				return err
			}
			continue
		}
		text, err := f.Text()
		if err != nil {
			return err
		}
		if isTerminal(w.streams.Out) {
			if err := w.paint(text + "\n"); err != nil {
				return err
			}
			continue
		}
		w.print(text + "\n")
	}
	if len(p.Skipped) > 0 {
		w.print("Not fixed automatically:\n")
	}
	if err := w.prose(p.SkippedText()); err != nil {
		return err
	}
	w.clusterRead(p)
	if len(p.Fixes)+len(p.Skipped) > 1 {
		return w.prose("\n" + p.Summary() + "\n")
	}
	return nil
}

// outline prints the plan in a line for each fix.
func (w *writer) outline(p plan.Plan) error {
	text := fmt.Sprintf("%s in %s:\n", phrase.Counted(len(p.Fixes), "fix"), fix.OneLine(clusterOf(p)))
	for _, f := range p.Fixes {
		text += line(f)
	}
	return w.prose(text)
}

func line(f plan.Fix) string {
	return fmt.Sprintf("  %d  %s  %s, undo %s\n", f.ID, f.Line(), f.Risk, fix.OneLine(f.Undo))
}

// clusterOf names the cluster of a plan.
func clusterOf(p plan.Plan) string {
	if p.Cluster.Context != "" {
		return "context " + p.Cluster.Context + " (" + p.Cluster.Server + ")"
	}
	return p.Cluster.Server
}

// diff prints a fix field by field, coloured on a terminal.
func (w *writer) diff(f plan.Fix) error {
	text, err := f.Text()
	if err != nil {
		return err
	}
	return w.paint(text)
}

// paint writes a fix as its terminal takes it.
func (w *writer) paint(text string) error {
	style := terminal.Style{Color: useColor("auto", w.streams.Out), Width: widthOf(w.streams.Out)}
	return terminal.Diff(w.streams.Out, snapshot.Redact(text), style)
}

// prose writes lines for people: a terminal wraps them between words, and another program gets them whole.
func (w *writer) prose(text string) error {
	if width := widthOf(w.streams.Out); width > 0 {
		return terminal.Prose(w.streams.Out, snapshot.Redact(text), terminal.Style{Width: width})
	}
	w.print(text)
	return nil
}

// explain prints the pages of the checks that a fix is for.
func (w *writer) explain(f plan.Fix) error {
	told := map[string]bool{}
	for _, finding := range f.Findings {
		if told[finding.Check] {
			continue
		}
		told[finding.Check] = true
		page, err := checks.Docs(finding.Check)
		if err != nil {
			return err
		}
		if err := writePage(w.streams, page); err != nil {
			return err
		}
	}
	return nil
}

// shownSkipped bounds what is listed of what a plan leaves.
const shownSkipped = 5

// leftOver says briefly what a plan leaves.
func (w *writer) leftOver(p plan.Plan) error {
	text := ""
	for i, l := range p.Skipped {
		if i == 0 {
			text += "Not fixed automatically:\n"
		}
		if i == shownSkipped {
			text += fmt.Sprintf("  … %d more, listed by --dry-run\n", len(p.Skipped)-i)
			break
		}
		text += fix.OneLine(fmt.Sprintf("  %s %s: %s", l.Check, l.Object, l.Reason)) + "\n"
	}
	err := w.prose(text)
	w.clusterRead(p)
	return err
}

// clusterRead says in one line which checks could not look, and what to ask an administrator for.
func (w *writer) clusterRead(p plan.Plan) {
	if c := p.ClusterRead; c != nil {
		w.print(report.ClusterRead{Checks: c.Checks, Command: c.Command}.Text() + "\n")
	}
}

// showExternally runs the user's own diff program on two directories, as kubectl diff does.
func (w *writer) showExternally(ctx context.Context, program string, f plan.Fix) error {
	shown := f
	shown.Steps = nil
	head, err := shown.Text()
	if err != nil {
		return err
	}
	w.print(head)
	dir, err := os.MkdirTemp("", "sparkdoctor-diff-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for i, s := range f.Steps {
		before, after, err := s.Sides()
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%d.%s.%s.%s.yaml", i+1, s.Target.Kind, s.Target.Namespace, s.Target.Name)
		for side, text := range map[string]string{"LIVE": before, "FIXED": after} {
			if err := os.MkdirAll(filepath.Join(dir, side), 0o700); err != nil {
				return err
			}
			if err := (durable.Writer{}).ReplaceBytes(filepath.Join(dir, side, filepath.Base(name)), 0o600, []byte(text)); err != nil {
				return err
			}
		}
	}
	words := strings.Fields(program)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], filepath.Join(dir, "LIVE"), filepath.Join(dir, "FIXED"))...)
	cmd.Stdout, cmd.Stderr = w.streams.Out, w.streams.ErrOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1) {
		return fmt.Errorf("KUBECTL_EXTERNAL_DIFF: %w", err)
	}
	return nil
}
