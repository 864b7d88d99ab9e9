package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// output is one place where the report goes.
type output struct {
	format string // table, wide, json, …
	expr   string // of jsonpath and go-template
	file   string // empty: stdout
}

// parseOutputs reads the -o flags: at most one format for stdout, any number as FORMAT=FILE. An expression belongs
// to jsonpath and go-template, which therefore always go to stdout. Without a format for stdout the table goes there.
func parseOutputs(flags []string) ([]output, error) {
	var outs []output
	for _, flag := range flags {
		format, rest, found := strings.Cut(flag, "=")
		o := output{format: format}
		switch {
		case slices.Contains(report.Expressions(), format):
			if rest == "" {
				return nil, fmt.Errorf("-o %s needs an expression: -o %s='{…}'", format, format)
			}
			if err := report.ParseExpression(format, rest); err != nil {
				return nil, err
			}
			o.expr = rest
		case !slices.Contains(report.Formats(), format):
			return nil, fmt.Errorf("unknown output format %q, use one of %s", format, strings.Join(slices.Concat(report.Formats(), report.Expressions()), ", "))
		case found && rest == "":
			return nil, fmt.Errorf("-o %s= names no file", format)
		default:
			o.file = rest
		}
		outs = append(outs, o)
	}
	stdout := 0
	for _, o := range outs {
		if o.file == "" {
			stdout++
		}
	}
	switch {
	case stdout > 1:
		return nil, fmt.Errorf("only one output format can go to stdout, write the others to files: -o json=report.json")
	case stdout == 0:
		outs = append(outs, output{format: "table"})
	}
	return outs, nil
}

// write renders the report to every output.
func write(outs []output, r *report.Report, streams genericiooptions.IOStreams, colorMode string) error {
	for _, o := range outs {
		if o.file == "" {
			style := report.Style{Color: useColor(colorMode, streams.Out), Width: widthOf(streams.Out)}
			if err := report.Write(streams.Out, r, o.format, o.expr, style); err != nil {
				return err
			}
			continue
		}
		if err := writeFile(o, r); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(o output, r *report.Report) error {
	f, err := os.Create(o.file)
	if err != nil {
		return err
	}
	err = report.Write(f, r, o.format, o.expr, report.Style{})
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", o.file, err)
	}
	return nil
}

// useColor decides for one stream. NO_COLOR and TERM=dumb turn colour off unless it is asked for.
func useColor(mode string, w io.Writer) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	default:
		return os.Getenv("NO_COLOR") == "" && printers.AllowsColorOutput(w)
	}
}
