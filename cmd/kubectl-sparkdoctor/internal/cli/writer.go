package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/prompt"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/await"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// writer shows a plan, asks, applies it and says how it ended; for fix and undo.
type writer struct {
	writeFlags
	scan.Writer
	streams  genericiooptions.IOStreams
	moved    bool // a part of the plan is not applied, because it is stale, refused or declined
	outlined bool // the plan was shown in a line for each fix
	asked    command.Asked
	apply    func(context.Context, plan.Plan, scan.Applying) (scan.Applied, error)
}

// forWriting connects for writing, and for reading what is about to be written. What is bound to a cluster asks it who it is, by the UID of
// a namespace: that of a plan or a record, or else kube-system. Who may not read that one writes to a namespace of their own.
func (o *scanOptions) forWriting(ctx context.Context, streams genericiooptions.IOStreams, manager string, to binding) (scan.Writer, error) {
	conn, err := o.connect()
	if err != nil {
		return scan.Writer{}, err
	}
	client, err := apply.NewClient(conn, apply.Options{Manager: manager, QPS: o.qps, Burst: o.burst})
	if err != nil {
		return scan.Writer{}, err
	}
	whoAmI := func(ctx context.Context) (string, error) { return collect.WhoAmI(ctx, conn) }
	if !to.bound {
		return scan.Writer{Client: client, WhoAmI: whoAmI}, nil
	}
	w, err := o.identified(ctx, streams, client, to)
	w.WhoAmI = whoAmI
	var unreachable net.Error
	switch {
	case err != nil && apply.Forbids(err):
		return w, o.unidentified(ctx, w, cmp.Or(to.namespace, apply.System))
	case ctx.Err() == nil && errors.As(err, &unreachable):
		return w, collect.Explain(err, snapshot.Redact(conn.Host()))
	default:
		return w, err
	}
}

func (w *writer) carryOut(ctx context.Context, p plan.Plan) error {
	applicable := p.Applicable()
	asks := !w.yes && w.dryRun == "none" && len(applicable) > 0 && w.person() && os.Getenv("KUBECTL_EXTERNAL_DIFF") == ""
	if asks {
		w.outlined = true
		if err := w.outline(p); err != nil {
			return err
		}
	} else if err := w.show(ctx, p); err != nil {
		return err
	}
	switch {
	case len(applicable) == 0:
		return w.nothing(p)
	case w.dryRun == "client":
		w.foretell(ctx, p)
		return w.unmoved()
	case w.dryRun == "server":
		return w.try(ctx, p)
	}
	refused, err := w.allowed(ctx, p)
	if err != nil {
		return err
	}
	if p, err = w.ask(ctx, p); err != nil {
		return err
	}
	journal, err := scan.NewJournal(w.recordDir, p, tool())
	if err != nil {
		return refusal("nothing was applied: %v", err)
	}
	journal.Opened = func(path string) { say(w.streams, "record: %s", path) }
	otherwise := func(second plan.Plan) error {
		w.print("that did not help, so:\n")
		return w.show(ctx, second)
	}
	applied, err := w.apply(ctx, p, scan.Applying{Journal: journal, Refused: refused, Tell: w.tell, Otherwise: otherwise})
	if closeErr := journal.Close(); err == nil && closeErr != nil {
		err = closeErr
	}
	if ctx.Err() != nil {
		return &codeError{ExitInterrupted, interruptedWith(journal.Path())}
	}
	if err != nil {
		return fmt.Errorf("looking at the outcome: %w", err)
	}
	return w.end(p, applied.Outcomes, applied.Endings, journal.Path())
}

func interruptedWith(record string) string {
	if record == "" {
		return "interrupted: nothing was written"
	}
	return "interrupted: what was written is in " + record
}

// unmoved returns the error of a plan file of which a part is not applied.
func (w *writer) unmoved() error {
	if w.moved {
		return &codeError{code: exitRefused}
	}
	return nil
}

// nothing ends a command that has nothing to write.
func (w *writer) nothing(p plan.Plan) error {
	if len(p.Fixes) == 0 && !p.Remains() && !w.moved {
		if len(p.Skipped) == 0 {
			w.print("nothing to do\n")
		}
		return nil
	}
	if len(p.Fixes) == 0 && len(p.Skipped) == 0 && !w.moved {
		w.print("nothing to do in what could be looked at\n")
	} else {
		w.print("nothing can be applied\n")
	}
	if err := w.unmoved(); err != nil {
		return err
	}
	if w.dryRun != "none" {
		return nil
	}
	return &codeError{code: exitFindings}
}

// try has the server try every step.
func (w *writer) try(ctx context.Context, p plan.Plan) error {
	for _, o := range w.Try(ctx, p, w.tell) {
		switch o.Status {
		case apply.StaleObject, apply.Refused:
			return &codeError{code: exitRefused}
		case apply.FailedFix:
			return &codeError{code: exitFindings}
		default:
		}
	}
	return w.unmoved()
}

// allowed says which permissions the user lacks. It returns the fixes that the server would not take from any user.
func (w *writer) allowed(ctx context.Context, p plan.Plan) (map[int]error, error) {
	refused, err := w.Allowed(ctx, p)
	var lacking *scan.LackingError
	if !errors.As(err, &lacking) {
		return refused, err
	}
	w.lacking(lacking)
	if lacking.Err != nil {
		say(w.streams, "%s", report.Escape(lacking.Error()))
	}
	return nil, refusal("nothing was applied")
}

// foretell says after a dry run which permissions the user lacks. If the server does not answer, the run itself tells.
func (w *writer) foretell(ctx context.Context, p plan.Plan) {
	var lacking *scan.LackingError
	if w.Client != nil && errors.As(w.Lacks(ctx, p), &lacking) {
		w.lacking(lacking)
	}
}

// lacking names the permissions, and how to get them.
func (w *writer) lacking(e *scan.LackingError) {
	for _, p := range e.Permissions {
		say(w.streams, "%s", report.Escape("missing permission: "+permissionText(p)))
	}
	if len(e.Rights.Namespaces) > 0 {
		say(w.streams, "%s", report.Escape(command.Administrator+w.asked.In(e.Rights.Line())))
	}
}

func permissionText(p plan.Permission) string {
	text := p.Verb + " " + p.Object.String()
	if p.Subresource != "" {
		text = p.Verb + " " + p.Subresource + " of " + p.Object.String()
	}
	return text
}

// person reports whether there is one to ask.
func (w *writer) person() bool {
	in, ok := w.streams.In.(*os.File)
	return ok && term.IsTerminal(int(in.Fd()))
}

// ask returns what of the plan a person wants.
func (w *writer) ask(ctx context.Context, p plan.Plan) (plan.Plan, error) {
	if w.yes {
		return p, nil
	}
	if !w.person() {
		return p, refusal("stdin is not a terminal; pass --yes to apply or --dry-run to preview")
	}
	question := prompt.Prompt{In: await.Reader(ctx, w.streams.In), Out: w.streams.ErrOut, Diff: w.diff, Explain: w.explain,
		Line: func(f plan.Fix) error { return w.prose(line(f)) }}
	chosen, err := question.Ask(p, report.Escape(snapshot.Redact(clusterOf(p))), w.interactive)
	if ctx.Err() != nil {
		_, _ = fmt.Fprintln(w.streams.ErrOut) // the question ends its line
		return p, ctx.Err()
	}
	if err == nil && len(chosen) == 0 {
		err = refusal("declined, nothing was applied")
	}
	w.moved = w.moved || len(chosen) < len(p.Applicable())
	return p.Only(chosen), err
}

func (w *writer) tell(f plan.Fix, o apply.Outcome) {
	text := fmt.Sprintf("fix %d %s: %s: %s", f.ID, o.Status, f.Traits().Target, f.Title)
	if o.Writes > 1 {
		text += fmt.Sprintf(" (%d requests)", o.Writes)
	}
	if o.Reason != "" {
		text += ": " + o.Reason
	}
	w.print(fix.OneLine(text) + "\n")
}

// print writes text for people, with what the cluster supplied made harmless, and without secrets.
func (w *writer) print(text string) {
	for line := range strings.Lines(text) {
		_, _ = fmt.Fprintln(w.streams.Out, report.Escape(snapshot.Redact(strings.TrimSuffix(line, "\n"))))
	}
}

// end says how every finding ended and returns the exit code.
func (w *writer) end(p plan.Plan, outcomes []apply.Outcome, endings []scan.Ending, record string) error {
	if w.outlined {
		if err := w.leftOver(p); err != nil {
			return err
		}
	}
	remains := p.Remains()
	for _, v := range endings {
		text := fmt.Sprintf("%s %s: %s", v.Finding.Check, v.Finding.Object, v.State)
		if v.Reason != "" {
			text += ": " + v.Reason
		}
		w.print(fix.OneLine(text) + "\n")
		remains = remains || v.State != scan.Resolved
	}
	wrote := 0
	failed := false
	stale := w.moved
	for _, o := range outcomes {
		wrote += o.Writes
		failed = failed || o.Status == apply.FailedFix
		stale = stale || o.Status == apply.StaleObject || o.Status == apply.Refused
		remains = remains || o.Status == apply.NotTried
	}
	if wrote > 0 && slices.ContainsFunc(p.Fixes, func(f plan.Fix) bool { return f.Undo.Exact }) {
		say(w.streams, "to take back what can be: kubectl sparkdoctor undo %s", record)
	}
	switch {
	case failed:
		return &codeError{code: exitFindings}
	case stale:
		return &codeError{code: exitRefused}
	case remains:
		return &codeError{code: exitFindings}
	default:
		return nil
	}
}

// refusal ends a command with the code of what was refused, declined or stale.
func refusal(format string, args ...any) error {
	return &codeError{exitRefused, "error: " + fix.OneLine(fmt.Sprintf(format, args...))}
}
