package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// writer shows a plan, asks, applies it and says how it ended; for fix and undo.
type writer struct {
	writeFlags
	client  *apply.Client
	streams genericiooptions.IOStreams
	moved   bool // a part of the plan file is not applied, because it is stale or refused
	// verify looks again at what a plan was for, and says for each finding how it ended.
	verify func(context.Context, genericiooptions.IOStreams, []fix.Finding) ([]findingOutcome, error)
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
		return w.unmoved()
	case w.dryRun == "server":
		return w.try(ctx, plan)
	}
	refused, err := w.allowed(ctx, plan)
	if err != nil {
		return err
	}
	if err := w.ask(ctx, len(applicable), plan.Objects()); err != nil {
		return err
	}
	journal, err := apply.NewJournal(w.recordDir, fix.HeaderOf(plan, now(), tool().Version))
	if err != nil {
		return refusal("nothing was applied: %v", err)
	}
	journal.Opened = func(path string) { say(w.streams, "record: %s", path) }
	runner := &apply.Runner{Client: w.client, Journal: journal, Now: now, Tell: w.tell, Refused: refused}
	endings, err := w.apply(ctx, runner, plan)
	if closeErr := journal.Close(); err == nil && closeErr != nil {
		err = closeErr
	}
	if ctx.Err() != nil {
		return &codeError{ExitInterrupted, interruptedWith(journal.Path())}
	}
	if err != nil {
		return fmt.Errorf("looking at the outcome: %w", err)
	}
	return w.end(plan, runner.Outcomes(plan), endings, journal.Path())
}

// apply repairs admission first and looks whether that helped; what must pass the webhooks comes only then.
func (w *writer) apply(ctx context.Context, runner *apply.Runner, plan fix.Plan) ([]findingOutcome, error) {
	heals := func(f fix.Fix) bool { return f.Traits().Order <= fix.Webhook }
	runner.Run(ctx, plan, heals)
	endings, err := w.verify(ctx, w.streams, appliedFindings(plan, runner.Outcomes(plan), heals))
	if err != nil {
		return nil, err
	}
	if endings, err = w.otherwise(ctx, runner, plan, endings); err != nil {
		return nil, err
	}
	for _, v := range endings {
		for _, f := range plan.Fixes {
			if heals(f) && v.state != "resolved" && isFor(f, v.finding) {
				runner.Unhealed(f.ID, v.state+": "+v.reason)
			}
		}
	}
	rest := func(f fix.Fix) bool { return !heals(f) }
	runner.Run(ctx, plan, rest)
	others, err := w.verify(ctx, w.streams, appliedFindings(plan, runner.Outcomes(plan), rest))
	return append(endings, others...), err
}

// otherwise carries out what a plan said it would try if a fix does not help, and looks again.
func (w *writer) otherwise(ctx context.Context, runner *apply.Runner, plan fix.Plan, endings []findingOutcome) ([]findingOutcome, error) {
	var resolved []fix.Resolved
	for _, f := range plan.Fixes {
		second := f.Traits().Otherwise
		if second == nil {
			continue
		}
		for _, v := range endings {
			if v.state != "resolved" && isFor(f, v.finding) {
				resolved = append(resolved, resolve(ctx, w.client, fix.Candidate{Finding: v.finding, Intent: second}))
			}
		}
	}
	if len(resolved) == 0 {
		return endings, nil
	}
	second := fix.NewPlan(plan.Cluster, now(), resolved, nil)
	w.print("that did not help, so:\n")
	if err := w.show(ctx, second); err != nil {
		return nil, err
	}
	all := func(fix.Fix) bool { return true }
	again := &apply.Runner{Client: w.client, Journal: runner.Journal, Now: now, Tell: w.tell}
	again.Run(ctx, second, all)
	looked, err := w.verify(ctx, w.streams, appliedFindings(second, again.Outcomes(second), all))
	if err != nil {
		return nil, err
	}
	for i, v := range endings {
		for _, l := range looked {
			if l.finding.Name == v.finding.Name {
				endings[i] = l
			}
		}
	}
	return endings, nil
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
func (w *writer) nothing(plan fix.Plan) error {
	if len(plan.Fixes) == 0 && len(plan.Left) == 0 && !w.moved {
		w.print("nothing to do\n")
		return nil
	}
	w.print("nothing can be applied\n")
	if err := w.unmoved(); err != nil {
		return err
	}
	if w.dryRun != "none" {
		return nil
	}
	return &codeError{code: exitFindings}
}

// try has the server try every step.
func (w *writer) try(ctx context.Context, plan fix.Plan) error {
	runner := &apply.Runner{Client: w.client, Now: now, Tell: w.tell}
	runner.Run(ctx, plan, func(fix.Fix) bool { return true })
	for _, o := range runner.Outcomes(plan) {
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

// allowed refuses a plan for which the user lacks permissions: nothing is better than half a fix. It returns the fixes
// that the server would not take from anybody.
func (w *writer) allowed(ctx context.Context, plan fix.Plan) (map[int]error, error) {
	lacks, err := w.client.Lacks(ctx, plan.Permissions())
	if err != nil {
		return nil, err
	}
	for _, p := range lacks {
		say(w.streams, "%s", report.Escape("missing permission: "+permissionText(p)))
	}
	if len(lacks) > 0 {
		return nil, refusal("nothing was applied")
	}
	runner := &apply.Runner{Client: w.client, Now: now}
	refused := runner.Preflight(ctx, plan)
	for _, f := range plan.Fixes {
		if err := refused[f.ID]; err != nil && apply.Forbids(err) {
			say(w.streams, "%s", report.Escape(fmt.Sprintf("missing permission for fix %d: %v", f.ID, err)))
			return nil, refusal("nothing was applied")
		}
	}
	return refused, nil
}

func permissionText(p fix.Permission) string {
	text := p.Verb + " " + p.Object.String()
	if p.Subresource != "" {
		text = p.Verb + " " + p.Subresource + " of " + p.Object.String()
	}
	return text
}

// ask wants a yes from a person.
func (w *writer) ask(ctx context.Context, fixes, objects int) error {
	if w.yes {
		return nil
	}
	in, ok := w.streams.In.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return refusal("nobody to ask: stdin is no terminal; --yes applies the plan, --dry-run only shows it")
	}
	_, _ = fmt.Fprintf(w.streams.ErrOut, "Apply %s to %s? [y/N] ", plural(fixes, "fix", "fixes"), plural(objects, "object", "objects"))
	err := answered(collect.Await(ctx, w.streams.In))
	if ctx.Err() != nil {
		_, _ = fmt.Fprintln(w.streams.ErrOut) // the question ends its line
		return ctx.Err()
	}
	return err
}

func answered(in io.Reader) error {
	line, _ := bufio.NewReader(in).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(line)); a == "y" || a == "yes" {
		return nil
	}
	return refusal("declined, nothing was applied")
}

func (w *writer) tell(f fix.Fix, o apply.Outcome) {
	text := fmt.Sprintf("fix %d %s: %s: %s", f.ID, o.Status, f.Traits().Target, f.Title)
	if o.Writes > 1 {
		text += fmt.Sprintf(" (%d requests)", o.Writes)
	}
	if o.Reason != "" {
		text += ": " + o.Reason
	}
	w.print(fix.Flat(text) + "\n")
}

// print writes text for people, with what the cluster supplied made harmless, and without secrets.
func (w *writer) print(text string) {
	for line := range strings.Lines(text) {
		_, _ = fmt.Fprintln(w.streams.Out, report.Escape(snapshot.Redact(strings.TrimSuffix(line, "\n"))))
	}
}

// isFor reports whether a fix is for a finding.
func isFor(f fix.Fix, finding fix.Finding) bool {
	return slices.ContainsFunc(f.Findings, func(g fix.Finding) bool { return g.Name == finding.Name })
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
