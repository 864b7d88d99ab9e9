// Package cli is the command line: one file a command, flags to options to run, and nothing that decides.
package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/logging"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
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
		Short: "Diagnose and repair Spark on Kubernetes",
		Long: `Diagnoses and repairs Spark on Kubernetes under the Kubeflow Spark Operator: SparkApplications silently garbage-collected,
objects stuck terminating, custom resources about to hit etcd's 1.5 MiB limit, and a webhook that fails open.`,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl sparkdoctor"},
		SilenceErrors: true, SilenceUsage: true,
		Args:                       help.KnownCommand,
		SuggestionsMinimumDistance: 2,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	for _, command := range []func(genericiooptions.IOStreams) *cobra.Command{
		newScan, newWhy, newGate, newSnapshot, newFix, newUndo, newDiff, newChecks, newExplain, newRBAC, newServe, newSchema,
		newDemo, newCompletion, newVersion,
	} {
		root.AddCommand(command(streams))
	}
	root.PersistentFlags().VarP(logging.NewLevel(streams.ErrOut), "v", "v", "level of the log of requests: 6 shows URLs, 7 headers")
	root.Version = versionText()
	root.SetVersionTemplate("{{.Version}}")
	scanning, _, _ := root.Find([]string{"scan"})
	help.Install(root, scanning, widthOf)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, help.Suggest(cmd, err)) })
	wrapUsage(root)
	offerFiles(root)
	completeFlags(root)
	return root
}

// wrapUsage makes wrong arguments a usage error of every command.
func wrapUsage(root *cobra.Command) {
	for _, cmd := range append(root.Commands(), root) {
		check := cmd.Args
		if check == nil && cmd.Flags().Lookup("filename") == nil {
			continue
		}
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := flagAsValue(cmd)
			if err == nil {
				err = fileArgument(cmd, args)
			}
			if err == nil && check != nil {
				err = check(cmd, args)
			}
			if err != nil {
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

// The exit codes, the same for every output format.
const (
	exitClean      = 0
	exitFindings   = 1 // findings at or above --fail-on
	exitFailure    = 2 // usage, or failure to run
	exitIncomplete = 3 // a selected check could not look, or only in part
	exitRefused    = 4 // of fix and undo: refused, declined or stale
	// ExitInterrupted is for Ctrl-C, and for SIGTERM but for serve.
	ExitInterrupted = 130
)

// ErrTerminated is why a context ended on SIGTERM, with which a container is asked to end.
var ErrTerminated = errors.New("terminated")

// codeError ends a command with a code. Without a message nothing is printed.
type codeError struct {
	code    int
	message string
}

func (e *codeError) Error() string { return e.message }

func exitOf(err error) (int, string) {
	var coded *codeError
	var none *scan.NoOperatorError
	var part *scan.NotInFullError
	var cut *scan.InterruptedError
	switch {
	case err == nil:
		return exitClean, ""
	case errors.As(err, &coded):
		return coded.code, coded.message
	case errors.As(err, &none):
		return exitIncomplete, none.Error()
	case errors.As(err, &part):
		return exitIncomplete, "error: " + part.Error()
	case errors.As(err, &cut):
		return ExitInterrupted, cut.Error()
	default:
		return exitFailure, "error: " + err.Error()
	}
}

func usageError(cmd *cobra.Command, err error) error {
	if noCluster(err) {
		return err // help would not
	}
	if mistake := (*configError)(nil); errors.As(err, &mistake) {
		return &codeError{exitFailure, fmt.Sprintf("error: %v\n'%s schema config' describes the file", err, cmd.Root().CommandPath())}
	}
	return &codeError{exitFailure, fmt.Sprintf("error: %v\nSee '%s -h' for help and examples", err, cmd.CommandPath())}
}

// interrupted is the error of a command whose context has ended; some say what they had not done yet.
func interrupted(err error) error {
	var coded *codeError
	var cut *scan.InterruptedError
	told := errors.As(err, &coded) && (coded.code == ExitInterrupted || coded.code == exitClean)
	if told || errors.As(err, &cut) {
		return err
	}
	return &codeError{ExitInterrupted, "interrupted"}
}
