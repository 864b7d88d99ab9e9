package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/demo"
	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/examples"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

const demoLong = `Scans a small broken cluster that is built in, asks why one of its applications failed, and shows what fix would change.
It needs no cluster and no kubeconfig, reads no files and writes nothing.

Its objects were recorded. --as-of makes their time the present, so that ages and dates stay what they were.

With --keep it writes the files into a directory instead, and prints the commands that read them. It never overwrites a file.`

const demoExample = `  kubectl sparkdoctor demo

  # Write the files, to run the commands yourself and to change something
  kubectl sparkdoctor demo --keep demo`

func newDemo(streams genericiooptions.IOStreams) *cobra.Command {
	var keep string
	cmd := &cobra.Command{
		Use: "demo", Short: "Scan, ask why and plan a fix on a built-in example, without a cluster",
		Long: demoLong, Example: demoExample, Args: help.NoArguments(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("keep") {
				return paged(streams, func(s genericiooptions.IOStreams) error { return runDemo(cmd.Context(), s) })
			}
			dir, err := demo.Directory(keep)
			if err != nil {
				return usageError(cmd, err)
			}
			return keepDemo(cmd.Context(), streams, dir)
		},
	}
	cmd.Flags().StringVar(&keep, "keep", "", "write the files of the demo into this directory, a new or an empty one, and run nothing")
	return cmd
}

// runDemo runs the commands as they are, on the files that are compiled in.
func runDemo(ctx context.Context, streams genericiooptions.IOStreams) error {
	out := demoText{streams}
	out.line("A small broken cluster, put together from recordings and built in. --as-of makes")
	out.line("their time the present. The demo needs no other cluster and writes nothing.")
	for i, step := range demo.Steps(examples.DemoFolder) {
		out.line("")
		out.line("%d. %s", i+1, step.Question)
		out.strong("$ " + step.Line())
		err := runStep(ctx, streams, step)
		if code, _ := exitOf(err); code != exitClean && code != exitFindings {
			return err
		}
	}
	out.line("")
	out.line("Write these files, to run the commands: kubectl sparkdoctor demo --keep %s", examples.DemoFolder)
	out.line("Scan your own cluster:                  kubectl sparkdoctor scan")
	return nil
}

// runStep runs one command. What is wrong with the example ends it with the code of findings, as it would for a user.
func runStep(ctx context.Context, streams genericiooptions.IOStreams, step demo.Step) error {
	var cmd *cobra.Command
	switch f := newScanFlags(examples.Demo()); step.Args[0] {
	case "scan":
		cmd = scanCommand(streams, f)
	case "why":
		cmd = whyCommand(streams, f)
	default:
		cmd = fixCommand(streams, &fixFlags{scanFlags: *f})
	}
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(step.Args[1:])
	return cmd.ExecuteContext(ctx)
}

// keepDemo writes the files, and says what to type.
func keepDemo(ctx context.Context, streams genericiooptions.IOStreams, dir string) error {
	n, err := demo.Keep(ctx, dir)
	if err != nil {
		return err
	}
	out := demoText{streams}
	out.line("%s of a small broken cluster in %s. Type:", phrase.Counted(n, "file"), command.Quoted(dir))
	for _, step := range demo.Steps(dir) {
		out.line("")
		out.line("  # %s", strings.TrimSuffix(step.Question, ":"))
		out.line("  %s", step.Line())
	}
	return nil
}

// demoText writes to stdout what stands between the commands.
type demoText struct{ streams genericiooptions.IOStreams }

func (d demoText) line(format string, args ...any) {
	_, _ = fmt.Fprintf(d.streams.Out, format+"\n", args...)
}

func (d demoText) strong(text string) {
	if useColor("auto", d.streams.Out) {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	d.line("%s", text)
}
