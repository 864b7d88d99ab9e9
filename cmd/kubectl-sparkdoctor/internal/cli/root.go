// Package cli is the command line: one file a command, flags to options to run, and nothing that decides.
package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Run parses the arguments, runs the command and returns the exit code. Errors go to ErrOut in one line.
func Run(ctx context.Context, args []string, streams genericiooptions.IOStreams) int {
	root := Root(streams)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.ErrOut)
	err := protect(func() error { return root.ExecuteContext(ctx) })
	if ctx.Err() != nil {
		err = interrupted(err)
	}
	code, message := exitOf(err)
	if message != "" {
		for line := range strings.SplitSeq(message, "\n") {
			_, _ = fmt.Fprintln(streams.ErrOut, report.Escape(snapshot.Redact(line))) // it may quote what a file or a server said
		}
	}
	return code
}

// Root returns the command with all others below it.
func Root(streams genericiooptions.IOStreams) *cobra.Command {
	root := &cobra.Command{
		Use:   "sparkdoctor",
		Short: "Find what goes wrong with Spark on Kubernetes",
		Long: `Diagnoses Spark on Kubernetes under the Kubeflow Spark Operator: applications that the garbage collector takes,
that hang on a finalizer, that grow towards etcd's limit, and a webhook that fails open.`,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl sparkdoctor"},
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newScan(streams), newGate(streams), newSnapshot(streams), newFix(streams), newUndo(streams), newDiff(streams), newChecks(streams), newExplain(streams), newRBAC(streams), newServe(streams), newSchema(streams), newCompletion(streams), newVersion(streams))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, err) })
	wrapUsage(root)
	completeFlags(root)
	return root
}

// wrapUsage makes wrong arguments a usage error of every command.
func wrapUsage(root *cobra.Command) {
	for _, cmd := range append(root.Commands(), root) {
		check := cmd.Args
		if check == nil {
			continue
		}
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usageError(cmd, err)
			}
			return nil
		}
	}
}

// protect turns a panic into an error of one line: nobody at night reads a stack trace.
func protect(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v (please report this)", r)
		}
	}()
	return fn()
}
