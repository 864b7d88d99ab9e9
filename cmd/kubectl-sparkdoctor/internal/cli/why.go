package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/signatures"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

const whyExample = `  # Why did this job fail, or why does it hang?
  kubectl sparkdoctor why nightly-etl -n payments
  kubectl sparkdoctor why payments/nightly-etl

  # The applications that failed, hang or wait: of the namespace, and of all namespaces
  kubectl sparkdoctor why
  kubectl sparkdoctor why -A

  # The change that helps, as a patch of the object that you own
  kubectl sparkdoctor why nightly-etl -n payments -o patch

  # In a pipeline: wait until it ends or hangs, for an hour at most
  kubectl apply -f nightly-etl.yaml && kubectl sparkdoctor why nightly-etl -n payments --wait=1h

  # The last failing run of a schedule, a SparkConnect server, or a pod that no operator started
  kubectl sparkdoctor why scheduledsparkapplication/nightly -n payments
  kubectl sparkdoctor why sparkconnect/server -n payments
  kubectl sparkdoctor why pod/spark-pi-driver -n payments

  # A cluster of the Apache Spark Kubernetes Operator, and one of its applications where the Kubeflow operator has one of that name, too
  kubectl sparkdoctor why sparkcluster/shared -n payments
  kubectl sparkdoctor why sparkapplication.spark.apache.org/nightly-etl -n payments

  # From a directory of YAML and logs, from kubectl cluster-info dump, or from an archive of snapshot
  kubectl sparkdoctor why nightly-etl -n payments -f dump/

  # A page for the incident, and the answer for a script
  kubectl sparkdoctor why nightly-etl -n payments -o html=why.html -o json=why.json
  kubectl sparkdoctor why nightly-etl -n payments -o jsonpath='{.verdict.class}'`

func newWhy(streams genericiooptions.IOStreams) *cobra.Command {
	return whyCommand(streams, newScanFlags(nil))
}

func whyCommand(streams genericiooptions.IOStreams, f *scanFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "why [NAME | NAMESPACE/NAME | TYPE/NAME | TYPE NAME]",
		ValidArgsFunction: applications,
		Short:             "Say why one application failed, hangs or is slow",
		Long: `Answers why one application is as it is: the cause with the evidence for it, the causes that are ruled out, the next step, the
timeline, the executors, and the evidence that is missing. It reads the objects, events and logs of this application, and changes nothing.

TYPE is sparkapplication, scheduledsparkapplication, sparkconnect, sparkcluster or pod. With the API group behind it, such as
sparkapplication.spark.apache.org, it chooses between the Kubeflow operator and that of Apache Spark. Without a name it writes a line for
each application of both operators in the namespace that failed, hangs or waits, the newest first. It asks about 20 at most, first about
those that do not run. With -o html it writes them as a page.

With -o patch it prints the change that helps as a JSON merge patch in YAML, for the object that you own; nothing is applied.

With --wait it follows the application until it ends or hangs, and answers then.

Exit codes: 0 answered; 2 usage, no such application, or failure to run; 3 the evidence does not show the cause, or -o patch knows no change.

With --wait: 0 it succeeded; 1 it failed; 3 it hangs, the time is up, or the evidence does not show how it ended.`,
		Example: whyExample,
		Args:    help.Arguments(0, 2, "one application: NAME, NAMESPACE/NAME, TYPE/NAME or TYPE NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, outs, err := f.whyOptions(cmd.Context(), args, streams)
			if err != nil {
				return usageError(cmd, err)
			}
			switch {
			case len(args) == 0:
				return f.whyEach(cmd.Context(), o, outs, streams)
			case f.waits:
				return f.waitFor(cmd.Context(), o, outs, streams)
			default:
				return f.why(cmd.Context(), o, outs, streams)
			}
		},
	}
	fs := cmd.Flags()
	f.flags = fs
	*f.kube.Timeout = "1m"
	f.kube.AddFlags(fs)
	f.addFiles(fs)
	f.addConfig(fs)
	f.addSignatures("file or directory of your own signatures of log lines (see schema signatures); repeatable")
	f.addPacing(fs)
	fs.StringArrayVarP(&f.outputs, "output", "o", nil, outputUsageOf(formats.CaseFileNames()))
	fs.StringVar(&f.color, "color", "auto", "auto|always|never")
	fs.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "without a name: ask about the applications of all namespaces")
	fs.Var(waitValue{&f.waits, &f.wait}, "wait", "follow the application until it ends or hangs, at most for a time: --wait=30m")
	fs.Lookup("wait").NoOptDefVal = "0s"
	return cmd
}

// whyOptions checks what was typed.
func (f *scanFlags) whyOptions(ctx context.Context, args []string, streams genericiooptions.IOStreams) (scan.WhyOptions, []output, error) {
	var none scan.WhyOptions
	subject, err := subjectOf(args)
	if err != nil {
		return none, nil, err
	}
	names := formats.CaseFileNames()
	if subject == "" {
		for _, out := range f.outputs {
			if format, _, _ := strings.Cut(out, "="); slices.Contains(names, format) && !slices.Contains(formats.CaseListNames(), format) {
				return none, nil, fmt.Errorf("-o %s needs a NAME: it is about one application", format)
			}
		}
		names = formats.CaseListNames()
	}
	outs, err := parseOutputsOf(f.outputs, names)
	if err != nil {
		return none, nil, err
	}
	o := &scanOptions{scanFlags: *f, offline: len(f.files) > 0}
	if err := o.configure(ctx); err != nil { // of the file, thresholds count: a finding that is accepted may still be the cause
		return none, nil, err
	}
	if o.taught, err = signatures.Read(ctx, o.signatures...); err != nil {
		return none, nil, err
	}
	if err := o.checkWhy(subject); err != nil {
		return none, nil, err
	}
	if err := o.readAsOf(); err != nil {
		return none, nil, err
	}
	current := ""
	if !o.offline && !f.allNamespaces {
		if current, err = o.currentNamespace(); err != nil {
			return none, nil, err
		}
	}
	return scan.WhyOptions{
		Options: scan.Options{
			Source: o.source(streams), Params: o.params, Tool: tool(), Asked: f.asked(), Signatures: o.taught,
			Observer: &talk{streams: streams, configFile: o.configFile, notRead: o.notRead},
		},
		Subject: subject, Namespace: *f.kube.Namespace, Current: current,
	}, outs, nil
}

// subjectOf is the application that was typed, TYPE NAME as TYPE/NAME; empty: none was.
func subjectOf(args []string) (string, error) {
	if len(args) == 2 && strings.Contains(args[0]+args[1], "/") {
		return "", fmt.Errorf("why answers about one application, not about %s and %s", args[0], args[1])
	}
	return strings.Join(args, "/"), nil
}

// checkWhy refuses what does not go together, and rates that are out of range.
func (o *scanOptions) checkWhy(subject string) error {
	colors := []string{"auto", "always", "never"}
	switch {
	case !slices.Contains(colors, o.color):
		return fmt.Errorf("--color is %q%s", o.color, spelling.Choose(o.color, colors))
	case !o.offline && o.needsFiles():
		return errors.New("--complete, --as-of, --exclude and -R need -f")
	case o.waits && (subject == "" || o.offline):
		return errors.New("--wait needs one application of a cluster")
	case o.allNamespaces && subject != "":
		return errors.New("-A asks about all applications: leave the name out, or give its namespace with -n")
	case o.qps <= 0 || o.burst < 1 || o.chunkSize < 0:
		return errors.New("--qps must be above 0, --burst at least 1, --chunk-size not below 0")
	default:
		return nil
	}
}

// why asks the library and writes the case file.
func (f *scanFlags) why(ctx context.Context, o scan.WhyOptions, outs []output, streams genericiooptions.IOStreams) error {
	file, err := scan.Why(ctx, o)
	if err != nil {
		return err
	}
	f.sayNamesake(&file, streams)
	return f.answer(file, o, outs, streams)
}

// sayNamesake says which of two applications the answer is about where both operators have one of the name, and how to ask about the other.
func (f *scanFlags) sayNamesake(file *why.CaseFile, streams genericiooptions.IOStreams) {
	other := file.Namesake
	if other == nil {
		return
	}
	line := command.Line("kubectl sparkdoctor why %s/%s -n %s", grouped(*other), other.Name, other.Namespace)
	text := fmt.Sprintf("%s %s/%s exists, too; this answer is about %s", grouped(*other), other.Namespace, other.Name, grouped(file.Subject))
	if line != "" {
		text += "; about the other: " + f.asked().In(line)
	}
	say(streams, "%s", report.Escape(text))
}

// grouped is the type of an object with its group, as kubectl takes it.
func grouped(o snapshot.Ref) string { return app.QueryFor(o).Type() }

// answer writes a case file.
func (f *scanFlags) answer(file why.CaseFile, o scan.WhyOptions, outs []output, streams genericiooptions.IOStreams) error {
	d := casefile.New(file, tool(), o.Asked).PatchedBy(f.patchLine(file.Subject, o.Subject))
	render := func(w io.Writer, out output, style terminal.Style) error {
		return formats.WriteCaseFile(w, d, out.format, out.expr, style)
	}
	if err := writeEach(outs, streams, &f.showFlags, render); err != nil {
		return err
	}
	patch := slices.ContainsFunc(outs, func(out output) bool { return out.format == "patch" })
	if patch && !d.Patchable() {
		say(streams, "no change of a field is known that would help: ask without -o patch what to do")
	}
	if !d.Answered() || patch && !d.Patchable() {
		return &codeError{code: exitIncomplete}
	}
	return nil
}

// patchLine is the command that prints what to change, with the group if the user typed one; empty: a name is not for a shell.
func (f *scanFlags) patchLine(o snapshot.Ref, typed string) string {
	name := o.Name
	of, _, _ := strings.Cut(typed, "/")
	switch {
	case strings.Contains(of, ".") && strings.Contains(typed, "/") && o.Kind == "SparkApplication":
		name = grouped(o) + "/" + name
	case o.Kind != "SparkApplication":
		name = strings.ToLower(o.Kind) + "/" + name
	}
	return f.asked().In(command.Line("kubectl sparkdoctor why %s -n %s -o patch", name, o.Namespace))
}

// whyLine is the command that answers why the only selected object is as it is, for a reader of the table; empty: nothing is to ask.
func (o *scanOptions) whyLine() string {
	read := slices.ContainsFunc(o.outs, func(out output) bool {
		return out.file == "" && slices.Contains([]string{"table", "wide", "summary"}, out.format)
	})
	if !read || len(o.subjects.Objects) != 1 || len(o.contexts) > 0 || o.allContexts {
		return ""
	}
	key := o.subjects.Objects[0]
	if !slices.Contains([]string{"SparkApplication", "ScheduledSparkApplication", "SparkConnect"}, key.Kind) {
		return ""
	}
	line := command.Line("kubectl sparkdoctor why %s/%s -n %s", strings.ToLower(key.Kind), key.Name, key.Namespace)
	for _, file := range o.signatures {
		if line != "" && o.flags.Changed("signatures") {
			line += " --signatures " + command.Quoted(file)
		}
	}
	return o.asked().In(line)
}
