package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

const diffExample = `  # Changes from one night to the next
  kubectl sparkdoctor scan -o json=monday.json
  kubectl sparkdoctor scan -o json=tuesday.json
  kubectl sparkdoctor diff monday.json tuesday.json

  # As a comment on a pull request
  kubectl sparkdoctor diff main.json branch.json -o markdown`

// diffFlags are what the user typed.
type diffFlags struct {
	showFlags
	allowIncomplete bool
}

func newDiff(streams genericiooptions.IOStreams) *cobra.Command {
	f := &diffFlags{}
	cmd := &cobra.Command{
		ValidArgsFunction: files,
		Use:               "diff OLD NEW", Short: "Compare two reports: what is new, resolved, unchanged",
		Long: `Compares two reports that scan -o json or -o yaml wrote (- is standard input). A finding that only one of
them could see is called neither new nor resolved.

Exit codes: 0 nothing new at or above --fail-on; 1 something new; 2 usage or failure to run; 3 the new report is of a scan
that could not read everything.`,
		Example: diffExample, Args: twoReports,
		RunE: func(cmd *cobra.Command, args []string) error {
			outs, err := parseOutputs(f.outputs)
			if err == nil {
				err = f.checkChoices()
			}
			if err != nil {
				return usageError(cmd, err)
			}
			return f.run(cmd.Context(), args[0], args[1], outs, streams)
		},
	}
	fs := cmd.Flags()
	f.addShowing(fs)
	fs.StringVar(&f.failOn, "fail-on", "error", "exit 1 for new findings at or above this severity: error|warning|info|none")
	fs.BoolVar(&f.allowIncomplete, "allow-incomplete", false, "do not exit 3 when the new scan could not read everything")
	return cmd
}

func twoReports(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return errors.New("diff takes two reports, the older one first")
	}
	if args[0] == "-" && args[1] == "-" {
		return errors.New("only one report can come from standard input")
	}
	return nil
}

func (f *diffFlags) run(ctx context.Context, before, after string, outs []output, streams genericiooptions.IOStreams) error {
	older, err := readReport(ctx, before, streams.In)
	if err != nil {
		return err
	}
	r, err := readReport(ctx, after, streams.In)
	if err != nil {
		return err
	}
	if kind := kindOf(older); kind != kindOf(r) {
		return fmt.Errorf("%s is a report of %s, and %s one of %s: they have different checks, and cannot be compared", before, kind,
			after, kindOf(r))
	}
	compare(r, older, streams)
	if r.Gate != nil {
		r.Decide(f.failOn, f.allowIncomplete)
	}
	if err := write(outs, r, streams, &f.showFlags); err != nil {
		return err
	}
	return verdict(r, f.failOn, f.allowIncomplete)
}

// compare tells when the two are of different clusters: that may be meant, or be a mistake.
func compare(r, older *report.Report, streams genericiooptions.IOStreams) {
	a, b := older.Sources[0], r.Sources[0]
	if a.Type != "files" && b.Type != "files" && a.Server != b.Server {
		say(streams, "the older report is of another API server: %s", report.Escape(a.Server))
	}
	r.Compare(older)
}

func readReport(ctx context.Context, path string, stdin io.Reader) (*report.Report, error) {
	text, err := input.ReadFile(ctx, path, stdin, report.MaxFile)
	if err != nil {
		return nil, err
	}
	r, err := report.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not a report of scan or gate: %w", path, err)
	}
	return r, nil
}

// kindOf is the command that made a report.
func kindOf(r *report.Report) string {
	if r.Gate != nil {
		return "gate"
	}
	return "scan"
}

// readBaseline reads --baseline.
func (o *scanOptions) readBaseline(ctx context.Context) (err error) {
	if o.baseline == "" {
		return nil
	}
	if o.before, err = readReport(ctx, o.baseline, nil); err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	command := "scan"
	if o.flags.Lookup("to") != nil {
		command = "gate"
	}
	if kind := kindOf(o.before); kind != command {
		return fmt.Errorf("--baseline: %s is a report of %s, and %s compares with one of its own", o.baseline, kind, command)
	}
	return nil
}

// checkChoices checks the flags that take one of some words.
func (f *showFlags) checkChoices() error {
	for _, choice := range []struct {
		flag, value string
		allowed     []string
	}{
		{"fail-on", f.failOn, append(report.Severities(), "none")}, {"color", f.color, []string{"auto", "always", "never"}},
		{"min-severity", cmp.Or(f.minSeverity, "info"), report.Severities()},
		{"group-by", cmp.Or(f.groupBy, terminal.ByCheck), terminal.Groupings()},
	} {
		if !slices.Contains(choice.allowed, choice.value) {
			return fmt.Errorf("--%s is %q%s", choice.flag, choice.value, spelling.Choose(choice.value, choice.allowed))
		}
	}
	return nil
}

func outputUsage() string { return outputUsageOf(formats.Names()) }

func outputUsageOf(names []string) string {
	choices := append(slices.Clone(names), "jsonpath=EXPR", "go-template=EXPR")
	return "output format, or FORMAT=FILE; may be repeated: " + strings.Join(choices, ", ")
}
