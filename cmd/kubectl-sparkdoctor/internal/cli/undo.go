package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/records"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

const undoExample = `  # The records of your fixes, the newest first
  kubectl sparkdoctor undo

  # Revert the newest one, after showing what that writes
  kubectl sparkdoctor undo --last

  # Show what a record would revert
  kubectl sparkdoctor undo ~/.local/state/kubectl-sparkdoctor/fix-20261121T030000-1234.jsonl --dry-run

  # By name, from the directory of records
  kubectl sparkdoctor undo fix-20261121T030000-1234.jsonl`

// undoFlags are what the user typed.
type undoFlags struct {
	writeFlags
	scanFlags
	last bool
}

func newUndo(streams genericiooptions.IOStreams) *cobra.Command {
	f := &undoFlags{scanFlags: scanFlags{kube: genericclioptions.NewConfigFlags(true), params: check.DefaultParams()}}
	cmd := &cobra.Command{
		ValidArgsFunction: f.completeRecords,
		Use:               "undo [RECORD]",
		Short:             "Revert what a fix wrote",
		Long: `Restores the old values of a record in the fields that nothing changed since the fix, and in no others. Reports why it cannot
revert any other change. Without a record it lists the records in --record-dir.

Exit codes: 0 everything is reverted, or there was nothing to do; 1 something failed or cannot be reverted; 2 usage or failure
to run; 4 refused, declined or stale.`,
		Example: undoExample,
		Args:    help.Arguments(0, 1, "one record; without one it lists the records"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(f.check(), f.findRecords()); err != nil {
				return usageError(cmd, err)
			}
			switch {
			case f.last && len(args) > 0:
				return usageError(cmd, errors.New("give a record or --last, not both"))
			case f.last:
				name, err := f.newest()
				if err != nil {
					return err
				}
				return f.show(cmd.Context(), streams, name)
			case len(args) == 0:
				return f.list(streams)
			default:
				return f.show(cmd.Context(), streams, args[0])
			}
		},
	}
	cmd.Flags().BoolVar(&f.last, "last", false, "revert the newest record in --record-dir")
	*f.kube.Timeout = "1m"
	f.kube.AddFlags(cmd.Flags())
	f.writeFlags.add(cmd.Flags())
	return cmd
}

// list prints the records, the newest first.
func (f *undoFlags) list(streams genericiooptions.IOStreams) error {
	list, err := records.List(f.recordDir)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		say(streams, "no records of fixes in %s", report.Escape(f.recordDir))
		return nil
	}
	return records.Write(streams.Out, list, time.Now())
}

// newest is the path of the newest record.
func (f *undoFlags) newest() (string, error) {
	names, err := records.Names(f.recordDir)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("no records of fixes in %s", f.recordDir)
	}
	if err != nil {
		return "", err
	}
	return filepath.Join(f.recordDir, names[0]), nil
}

// completeRecords offers the records in the directory, and leaves paths to the shell.
func (f *undoFlags) completeRecords(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 || f.check() != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, err := records.Names(f.recordDir)
	if err != nil || len(starting(names, typed)) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return starting(names, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// show runs, through a pager what is only shown.
func (f *undoFlags) show(ctx context.Context, streams genericiooptions.IOStreams, name string) error {
	if f.asksNothing() {
		return paged(streams, func(s genericiooptions.IOStreams) error { return f.run(ctx, s, name) })
	}
	return f.run(ctx, streams, name)
}

func (f *undoFlags) run(ctx context.Context, streams genericiooptions.IOStreams, name string) error {
	record, err := f.readRecord(ctx, name)
	if err != nil {
		return err
	}
	to, err := (&scanOptions{scanFlags: f.scanFlags}).forWriting(ctx, streams, f.manager, bindingOf(record.Cluster))
	if err != nil {
		return err
	}
	if record.Torn {
		say(streams, "the last line of %s is incomplete: fix stopped while it recorded a request, whose outcome is unknown. "+
			"undo handles the complete lines.", report.Escape(name))
	}
	p, done, err := to.Undo(ctx, record)
	var other *scan.OtherClusterError
	if errors.As(err, &other) {
		return refusal("the record is of another cluster (%s)", other.Server)
	}
	var unowned *fix.Unowned
	if errors.As(err, &unowned) {
		return refusal("%s: %v", name, unowned)
	}
	if err != nil {
		return err
	}
	for _, r := range done {
		say(streams, "%s", report.Escape(fmt.Sprintf("%s: %v", r.Finding.Object, r.Err)))
	}
	w := writer{writeFlags: f.writeFlags, Writer: to, streams: streams, asked: f.asked(), apply: to.Apply}
	return w.carryOut(ctx, p)
}

// noRecord says that there is no such file, and where records are.
func (f *undoFlags) noRecord(name string) error {
	names, _ := records.Names(f.recordDir) // without them nothing is near
	near := spelling.Meant(spelling.Nearest(filepath.Base(name), names, spelling.Few))
	where := "records of fixes are in " + f.recordDir + near
	if filepath.Base(name) == name {
		where = "and no record in " + f.recordDir + " has this name" + near
	}
	return fmt.Errorf("%s: no such file, %s\nkubectl sparkdoctor undo lists the records", name, where)
}

// readRecord opens a path, or a name in the directory of records.
func (f *undoFlags) readRecord(ctx context.Context, name string) (plan.Record, error) {
	file, err := input.Open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) && filepath.Base(name) == name {
		file, err = input.Open(ctx, filepath.Join(f.recordDir, name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return plan.Record{}, f.noRecord(name)
	}
	if err != nil {
		return plan.Record{}, err
	}
	defer func() { _ = file.Close() }()
	record, err := plan.ReadRecord(file)
	if is[*fix.Refused](err) {
		return plan.Record{}, refusal("%s: %v", name, err)
	}
	if err != nil {
		return plan.Record{}, fmt.Errorf("%s %w", name, err)
	}
	return record, nil
}
