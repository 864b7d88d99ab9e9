package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

const explainLong = `Explains a check: the symptom, the cause, what to do, how sure a finding is, and the sources.

With an object, it runs the check on that object, in the cluster or in -f files, and fills its name into the commands.`

const explainExample = `  kubectl sparkdoctor explain SD2001
  kubectl sparkdoctor explain cross-namespace-owner

  # With the commands for one application
  kubectl sparkdoctor explain SD2001 -n team-a etl
  kubectl sparkdoctor explain SD4001 -n team-a pod/etl-driver`

func newExplain(streams genericiooptions.IOStreams) *cobra.Command {
	f := &scanFlags{kube: genericclioptions.NewConfigFlags(true), params: check.DefaultParams(),
		showFlags: showFlags{failOn: "none", color: "auto"}}
	cmd := &cobra.Command{
		Use: "explain CHECK [NAME | TYPE/NAME | TYPE NAME]", Short: "Explain a check: symptom, cause, what to do, how sure",
		Args: help.Arguments(1, 3, "one check, such as SD2001, and at most one object; 'kubectl sparkdoctor checks' lists the checks"),
		Long: explainLong, Example: explainExample, ValidArgsFunction: checkThenObject,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := check.Lookup(checks.Catalogue(), args[0])
			if err != nil {
				return usageError(cmd, err)
			}
			page, err := checks.Docs(c.ID)
			if err != nil {
				return err
			}
			if len(args) == 1 && len(f.files) == 0 {
				return paged(streams, func(s genericiooptions.IOStreams) error { return writePage(s, page) })
			}
			o, err := f.explaining(cmd.Context(), c, args[1:])
			if err != nil {
				return usageError(cmd, err)
			}
			return o.explain(cmd.Context(), streams, string(page))
		},
	}
	f.addReading(cmd.Flags())
	f.addFiles(cmd.Flags())
	return cmd
}

// explaining are the options of a scan with one check about one object.
func (f *scanFlags) explaining(ctx context.Context, c check.Check, objects []string) (*scanOptions, error) {
	if c.Run == nil {
		return nil, fmt.Errorf("%s is about suppressions: it looks at no object by itself", c.ID)
	}
	f.checks, f.outputs = []string{c.ID}, []string{"table"}
	objects = typedNames(objects)
	if len(objects) > 1 {
		return nil, fmt.Errorf("explain takes one check, and at most one object, not %s", strings.Join(objects, " and "))
	}
	if len(objects) == 1 && !strings.Contains(objects[0], "/") {
		if other, err := check.Lookup(checks.Catalogue(), objects[0]); err == nil {
			return nil, fmt.Errorf("explain takes one check, and at most one object: ask about %s and about %s", c.ID, other.ID)
		}
		if wrong := validation.IsDNS1123Subdomain(objects[0]); len(f.files) == 0 && len(wrong) > 0 {
			return nil, fmt.Errorf("explain takes one check, and at most one object: %q is neither another check nor the name of an object",
				objects[0])
		}
	}
	for i, one := range objects {
		if !strings.Contains(one, "/") {
			objects[i] = "sparkapplication/" + one
		}
	}
	return f.options(ctx, objects)
}

// writePage writes Markdown as it is, or rendered for a terminal.
func writePage(streams genericiooptions.IOStreams, markdown []byte) error {
	if !isTerminal(streams.Out) {
		_, err := streams.Out.Write(markdown)
		return err
	}
	style := shownOn(streams.Out, terminal.Style{}, "auto")
	style.Width = min(style.Width, mostProse)
	return terminal.Page(streams.Out, markdown, style)
}

// mostProse bounds the lines of a page, which is read from one to the next: longer ones are hard to follow.
const mostProse = 100

// explain runs the check and prints its page with the commands filled in, and what it found.
func (o *scanOptions) explain(ctx context.Context, streams genericiooptions.IOStreams, page string) error {
	d, err := scan.Diagnose(ctx, o.library(streams))
	if err != nil {
		return err
	}
	blanks := check.Blanks{}
	for _, key := range o.subjects.Objects {
		blanks = check.BlanksOf(key)
	}
	r := report.Build(d.Snapshot, tool(), d.Source, d.Scope, d.Results, o.asked())
	asked := o.selected[slices.IndexFunc(o.selected, func(c check.Check) bool { return c.Run != nil })].ID
	for _, result := range d.Results {
		if result.Check.ID == asked && len(result.Findings) > 0 {
			blanks = result.Findings[0].Blanks(operator.Find(d.Snapshot.Deployments()))
		}
	}
	return paged(streams, func(s genericiooptions.IOStreams) error {
		return o.explained(r, inPage(blanks.Fill(page), o.asked()), s)
	})
}

// inPage has the commands of a page go where the user asked: they stand alone on their lines, behind four spaces.
func inPage(page string, asked command.Asked) string {
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		if own, is := strings.CutPrefix(line, "    "); is && !strings.Contains(own, " #") && !strings.HasSuffix(own, "\\") {
			lines[i] = "    " + asked.In(own)
		}
	}
	return strings.Join(lines, "\n")
}

// explained writes a page with what was found.
func (o *scanOptions) explained(r *report.Report, page string, streams genericiooptions.IOStreams) error {
	before, after := around(page, isTerminal(streams.Out))
	if err := writePage(streams, []byte(before+"\n## Found here\n\n")); err != nil {
		return err
	}
	if err := write(o.outs, r, streams, &o.showFlags); err != nil || after == "" {
		return err
	}
	return writePage(streams, []byte("\n"+after))
}

// around are the parts of a page before and after what was found: it is read first in a document, and last on a terminal.
func around(page string, onTerminal bool) (before, after string) {
	lead, rest, found := strings.Cut(page, "\n## ")
	if onTerminal || !found {
		return page, ""
	}
	return lead, "## " + rest
}
