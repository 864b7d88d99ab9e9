package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

const fixExample = `  # Show the repairs and their diffs; nothing is written
  kubectl sparkdoctor fix --dry-run

  # The same from a dump, without a cluster
  kubectl sparkdoctor fix --dry-run -f dump.yaml

  # Review and apply all safe repairs
  kubectl sparkdoctor fix

  # One check, one object
  kubectl sparkdoctor fix SD2001=team-a/etl

  # Restart the webhook, too, and let its calls fail closed
  kubectl sparkdoctor fix SD1005 SD1001 --max-risk disruptive --probe

  # Review a plan first, apply exactly that one later
  kubectl sparkdoctor fix -o yaml > plan.yaml
  kubectl sparkdoctor fix --plan plan.yaml --yes`

const fixLong = `Repairs what the checks find, after showing you every change and asking. If an object changed since the plan was made, the
step is skipped and reported as stale. Afterwards the checks run again.

It plans only safe fixes; --max-risk allows others. Before the first write it saves a record, from which
"kubectl sparkdoctor undo" reverts the changes that can be reverted.

Exit codes: 0 all that was selected is resolved, or there was nothing to do; 1 something failed, could not be verified
or remains; 2 usage or failure to run; 4 refused, declined or stale.`

// fixFlags are what the user typed.
type fixFlags struct {
	scanFlags
	writeFlags
	maxRisk    string
	finalizers []string
	output     string
	plan       string
}

// writeFlags are those of fix and undo.
type writeFlags struct {
	dryRun      string
	yes         bool
	interactive bool
	recordDir   string
	manager     string
}

func (f *writeFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.dryRun, "dry-run", "none",
		"none|client|server: client shows the diff, server also has the API server validate it")
	fs.Lookup("dry-run").NoOptDefVal = "client"
	fs.BoolVarP(&f.yes, "yes", "y", false, "apply without asking")
	fs.BoolVarP(&f.interactive, "interactive", "i", false, "ask about each fix")
	fs.StringVar(&f.recordDir, "record-dir", "",
		"directory for records of fixes, which undo reads (default $XDG_STATE_HOME/kubectl-sparkdoctor, else ~/.local/state/kubectl-sparkdoctor)")
	fs.StringVar(&f.manager, "field-manager", "kubectl-sparkdoctor", "name of the manager used to track field ownership")
}

// check validates.
func (f *writeFlags) check() error {
	if !slices.Contains([]string{"none", "client", "server"}, f.dryRun) {
		return fmt.Errorf("--dry-run is %q%s", f.dryRun, spelling.Choose(f.dryRun, []string{"none", "client", "server"}))
	}
	if f.interactive && f.yes {
		return fmt.Errorf("--interactive and --yes cannot be combined")
	}
	return nil
}

// findRecords finds the directory for records.
func (f *writeFlags) findRecords() error {
	if f.recordDir != "" {
		return nil
	}
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return fmt.Errorf("--record-dir is needed: %w", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	f.recordDir = filepath.Join(state, "kubectl-sparkdoctor")
	return nil
}

// fixOptions are what the fix needs.
type fixOptions struct {
	fixFlags
	scan   *scanOptions
	picks  []scan.Pick
	limits plan.Limits
}

func newFix(streams genericiooptions.IOStreams) *cobra.Command {
	return fixCommand(streams, &fixFlags{scanFlags: *newScanFlags(nil)})
}

func fixCommand(streams genericiooptions.IOStreams, f *fixFlags) *cobra.Command {
	cmd := &cobra.Command{
		ValidArgsFunction: fixableIDs,
		Use:               "fix [CHECK | CHECK=NAMESPACE/NAME | CHECK=TYPE/NAME | CHECK=NAME | FINDING ...]",
		Short:             "Repair what the checks find",
		Long:              fixLong,
		Example:           fixExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.fixOptions(cmd.Context(), args)
			if err != nil {
				return usageError(cmd, err)
			}
			if o.output != "" || o.asksNothing() {
				return paged(streams, func(s genericiooptions.IOStreams) error { return o.run(cmd.Context(), s) })
			}
			return o.run(cmd.Context(), streams)
		},
	}
	fs := cmd.Flags()
	f.addReading(fs)
	f.addFiles(fs)
	f.writeFlags.add(fs)
	fs.StringVar(&f.maxRisk, "max-risk", "safe", "riskiest fixes to plan: safe|disruptive|destructive")
	fs.StringArrayVar(&f.finalizers, "finalizer", nil,
		"remove this finalizer even if its controller may exist; repeatable")
	fs.IntVar(&f.params.KeepExecutors, "keep-executors", f.params.KeepExecutors,
		"entries of finished executors to keep in status.executorState, the newest first")
	fs.StringVarP(&f.output, "output", "o", "", "print the plan as yaml|json and apply nothing")
	fs.StringVar(&f.plan, "plan", "", "apply exactly the plan in this file, which -o yaml printed")
	return cmd
}

func (f *fixFlags) fixOptions(ctx context.Context, args []string) (*fixOptions, error) {
	f.failOn, f.color = "none", "auto"
	o := &fixOptions{}
	if err := f.check(); err != nil {
		return nil, err
	}
	if len(f.files) == 0 { // with them it writes nothing
		if err := f.findRecords(); err != nil {
			return nil, err
		}
	}
	if !slices.Contains([]string{"", "yaml", "json"}, f.output) {
		return nil, fmt.Errorf("-o is %q, use yaml or json", f.output)
	}
	if err := o.limits.MaxRisk.UnmarshalText([]byte(f.maxRisk)); err != nil {
		return nil, fmt.Errorf("--max-risk: %w", err)
	}
	if f.params.KeepExecutors < 0 {
		return nil, fmt.Errorf("--keep-executors must not be below 0")
	}
	o.limits.Finalizers = f.finalizers
	if f.plan != "" && (len(args) > 0 || f.output != "") {
		return nil, fmt.Errorf("--plan cannot be combined with arguments or -o: the plan says what is applied")
	}
	for _, arg := range args {
		p, err := scan.ParsePick(arg)
		if err != nil {
			return nil, err
		}
		o.picks = append(o.picks, p)
		f.scanFlags.checks = append(f.scanFlags.checks, p.Check)
	}
	if len(f.scanFlags.checks) > 0 {
		// Whether a write can pass the webhooks is part of every plan.
		f.scanFlags.checks = append(f.scanFlags.checks, checks.AdmissionChecks()...)
	}
	if err := f.checkFiles(); err != nil {
		return nil, err
	}
	var err error
	o.scan, err = f.options(ctx, nil)
	o.fixFlags = *f
	return o, err
}

// asksNothing reports whether a plan is only shown. A diff program of the user writes to the terminal by itself.
func (f *writeFlags) asksNothing() bool {
	return f.dryRun != "none" && os.Getenv("KUBECTL_EXTERNAL_DIFF") == ""
}

// checkFiles refuses what asks or writes a cluster where the plan is made from files.
func (f *fixFlags) checkFiles() error {
	switch {
	case len(f.files) == 0:
		return nil
	case f.dryRun == "server":
		return fmt.Errorf("--dry-run=server needs a cluster and cannot be combined with -f")
	case f.plan != "":
		return fmt.Errorf("--plan needs a cluster and cannot be combined with -f")
	case f.yes || f.interactive:
		return fmt.Errorf("with -f, fix only plans: --yes and --interactive cannot be combined with it")
	case f.dryRun != "client" && f.output == "":
		return fmt.Errorf("with -f, fix only plans: add --dry-run, or -o yaml")
	default:
		return nil
	}
}

func (o *fixOptions) run(ctx context.Context, streams genericiooptions.IOStreams) error {
	if o.scan.offline {
		return o.planFiles(ctx, streams)
	}
	// A plan file and a record name their cluster; a dry run makes neither.
	named := binding{bound: o.dryRun == "none" || o.output != ""}
	file, err := o.readPlan(ctx)
	if err != nil {
		return err
	}
	if o.plan != "" {
		named = bindingOf(file.Cluster)
	}
	to, err := o.scan.forWriting(ctx, streams, o.manager, named)
	if err != nil {
		return err
	}
	o.limits.Namespace = to.Namespace
	repair := scan.Repair{Scan: o.scan.library(streams), Picks: o.picks, Limits: o.limits, Writer: to}
	w := writer{writeFlags: o.writeFlags, Writer: to, streams: streams, asked: o.asked(), apply: repair.Apply}
	var p plan.Plan
	if o.plan != "" {
		p, err = o.planAgain(ctx, &w, repair, file)
	} else {
		p, err = repair.Plan(ctx)
	}
	switch {
	case err != nil:
		return err
	case o.output != "":
		return encodePlan(streams, o.output, p)
	}
	// A dry run tells what moved, and has nothing that it refused.
	w.moved = w.moved || o.dryRun == "none" && slices.ContainsFunc(p.Skipped, func(l plan.Skipped) bool { return l.Stale })
	return w.carryOut(ctx, p)
}

// planAgain compares a plan file with the cluster, and says which of its fixes are not applied.
func (o *fixOptions) planAgain(ctx context.Context, w *writer, repair scan.Repair, file plan.Plan) (plan.Plan, error) {
	p, dropped, err := repair.PlanAgain(ctx, file)
	for _, d := range dropped {
		if is[*fix.Done](d.Err) {
			w.print(fix.OneLine(fmt.Sprintf("fix %d of %s %s: %v", d.Fix.ID, o.plan, apply.AlreadySo, d.Err)) + "\n")
			continue
		}
		status := "stale"
		if is[*fix.Refused](d.Err) {
			status = "refused"
		}
		w.moved = true
		text := fmt.Sprintf("fix %d of %s %s: %s: %s: %v", d.Fix.ID, o.plan, status, d.Fix.Traits().Target, d.Fix.Title, d.Err)
		w.print(fix.OneLine(text) + "\n")
	}
	var other *scan.OtherClusterError
	var limit *scan.NotAllowedError
	switch {
	case errors.As(err, &other):
		return plan.Plan{}, refusal("%s was made for another cluster (%s)", o.plan, other.Server)
	case errors.As(err, &limit):
		return plan.Plan{}, refusal("fix %d of %s: %s: %s", limit.Fix, o.plan, limit.Reason, limit.Advice)
	case is[*fix.Refused](err):
		return plan.Plan{}, refusal("%s: %v", o.plan, err)
	}
	return p, err
}

// is reports whether an error is of a kind.
func is[E error](err error) bool {
	var kind E
	return errors.As(err, &kind)
}
