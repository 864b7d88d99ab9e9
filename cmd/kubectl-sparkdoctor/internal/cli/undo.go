package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/await"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

const undoExample = `  # What would be taken back
  kubectl sparkdoctor undo ~/.local/state/kubectl-sparkdoctor/fix-20261121T030000-1234.jsonl --dry-run

  # By name, from the directory of records
  kubectl sparkdoctor undo fix-20261121T030000-1234.jsonl`

// undoFlags are what the user typed.
type undoFlags struct {
	writeFlags
	scanFlags
}

func newUndo(streams genericiooptions.IOStreams) *cobra.Command {
	f := &undoFlags{scanFlags: scanFlags{kube: genericclioptions.NewConfigFlags(true), params: check.DefaultParams()}}
	cmd := &cobra.Command{
		ValidArgsFunction: files,
		Use:               "undo RECORD",
		Short:             "Take back what a fix wrote",
		Long: `Writes the old values of a record back, to the fields that still hold what the fix wrote, and to no others. Says of
every other request why it cannot be taken back.

Exit codes: 0 all is as it was, or there was nothing to do; 1 something failed or cannot be taken back; 2 usage or failure
to run; 4 refused, declined or stale.`,
		Example: undoExample,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return usageError(cmd, err)
			}
			return f.run(cmd.Context(), streams, args[0])
		},
	}
	*f.kube.Timeout = "1m"
	f.kube.AddFlags(cmd.Flags())
	f.writeFlags.add(cmd.Flags())
	return cmd
}

func (f *undoFlags) run(ctx context.Context, streams genericiooptions.IOStreams, name string) error {
	record, err := f.readRecord(ctx, name)
	if err != nil {
		return err
	}
	client, err := newApplyClient(&scanOptions{scanFlags: f.scanFlags}, f.manager)
	if err != nil {
		return err
	}
	to, err := scan.NewWriter(ctx, client)
	if err != nil {
		return err
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
	w := writer{writeFlags: f.writeFlags, Writer: to, streams: streams, apply: to.Apply}
	return w.carryOut(ctx, p)
}

// readRecord opens a path, or a name in the directory of records.
func (f *undoFlags) readRecord(ctx context.Context, name string) (plan.Record, error) {
	file, err := await.Open(ctx, name)
	if os.IsNotExist(err) && filepath.Base(name) == name {
		file, err = await.Open(ctx, filepath.Join(f.recordDir, name))
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
