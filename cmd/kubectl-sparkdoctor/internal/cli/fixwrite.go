package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// writer shows a plan, asks, applies it and says how it ended; for fix and undo.
type writer struct {
	writeFlags
	client  *apply.Client
	streams genericiooptions.IOStreams
	// verify looks again at what a plan was for, and says for each finding how it ended.
	verify func(context.Context, genericiooptions.IOStreams, fix.Plan, []apply.Outcome) ([]verdict, error)
}

func (w *writer) carryOut(ctx context.Context, plan fix.Plan) error {
	if err := w.show(ctx, plan); err != nil {
		return err
	}
	applicable := plan.Applicable()
	switch {
	case len(applicable) == 0:
		return w.nothing(plan)
	case w.dryRun == "client":
		return nil
	case w.dryRun == "server":
		return w.try(ctx, plan)
	}
	if err := w.allowed(ctx, plan); err != nil {
		return err
	}
	if err := w.ask(len(applicable), plan.Objects()); err != nil {
		return err
	}
	journal, err := apply.NewJournal(w.recordDir, fix.HeaderOf(plan, now(), version))
	if err != nil {
		return refusal("nothing was applied: %v", err)
	}
	say(w.streams, "record: %s", journal.Path)
	runner := apply.Runner{Client: w.client, Journal: journal, Now: now, Tell: w.tell}
	outcomes := runner.Run(ctx, plan)
	if err := journal.Close(); err != nil {
		say(w.streams, "closing the record: %v", err)
	}
	if ctx.Err() != nil {
		return &codeError{exitInterrupted, "interrupted: what was written is in " + journal.Path}
	}
	verdicts, err := w.verify(ctx, w.streams, plan, outcomes)
	if err != nil {
		return fmt.Errorf("looking at the outcome: %w", err)
	}
	return w.end(plan, outcomes, verdicts, journal.Path)
}

// nothing ends a command that has nothing to write.
func (w *writer) nothing(plan fix.Plan) error {
	if len(plan.Fixes) == 0 && len(plan.Left) == 0 {
		w.print("nothing to do\n")
		return nil
	}
	w.print("nothing can be applied\n")
	if w.dryRun != "none" {
		return nil
	}
	return &codeError{code: exitFindings}
}

// try has the server try every step.
func (w *writer) try(ctx context.Context, plan fix.Plan) error {
	runner := apply.Runner{Client: w.client, Now: now, Tell: w.tell}
	for _, o := range runner.Run(ctx, plan) {
		switch o.Status {
		case apply.Checked, apply.AlreadyDone, apply.Uncheckable:
		case apply.StaleObject, apply.Refused:
			return &codeError{code: exitRefused}
		case apply.NotTried:
		default:
			return &codeError{code: exitFindings}
		}
	}
	return nil
}

// allowed refuses a plan that the user has not the permissions for, or that the server would not take from the user:
// nothing is better than half a fix.
func (w *writer) allowed(ctx context.Context, plan fix.Plan) error {
	lacks, err := w.client.Lacks(ctx, plan.Permissions())
	if err != nil {
		return err
	}
	for _, p := range lacks {
		say(w.streams, "%s", report.Escape("missing permission: "+permissionText(p)))
	}
	runner := apply.Runner{Client: w.client, Now: now}
	refused := runner.Preflight(ctx, plan)
	for _, f := range plan.Fixes {
		if err := refused[f.ID]; err != nil {
			say(w.streams, "%s", report.Escape(fmt.Sprintf("fix %d would be refused: %v", f.ID, err)))
		}
	}
	if len(lacks)+len(refused) > 0 {
		return refusal("nothing was applied")
	}
	return nil
}

func permissionText(p fix.Permission) string {
	text := p.Verb + " " + p.Object.String()
	if p.Subresource != "" {
		text = p.Verb + " " + p.Subresource + " of " + p.Object.String()
	}
	return text
}

// ask wants a yes from a person.
func (w *writer) ask(fixes, objects int) error {
	if w.yes {
		return nil
	}
	in, ok := w.streams.In.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return refusal("nobody to ask: stdin is no terminal; --yes applies the plan, --dry-run only shows it")
	}
	_, _ = fmt.Fprintf(w.streams.ErrOut, "Apply %s to %s? [y/N] ", plural(fixes, "fix", "fixes"), plural(objects, "object", "objects"))
	return answered(w.streams.In)
}

func answered(in io.Reader) error {
	line, _ := bufio.NewReader(in).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(line)); a == "y" || a == "yes" {
		return nil
	}
	return refusal("declined, nothing was applied")
}

func (w *writer) tell(f fix.Fix, o apply.Outcome) {
	text := fmt.Sprintf("fix %d %s: %s: %s", f.ID, o.Status, f.Wish.Intent().Target(), f.Title)
	if o.Writes > 1 {
		text += fmt.Sprintf(" (%d requests)", o.Writes)
	}
	if o.Reason != "" {
		text += ": " + o.Reason
	}
	w.print(text + "\n")
}

// print writes text for people, with what the cluster supplied made harmless.
func (w *writer) print(text string) {
	for line := range strings.Lines(text) {
		_, _ = fmt.Fprintln(w.streams.Out, report.Escape(strings.TrimSuffix(line, "\n")))
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
