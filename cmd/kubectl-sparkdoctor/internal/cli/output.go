package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/screen"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/markdown"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// output is one place where the report goes.
type output struct {
	format string // table, wide, json, …
	expr   string // of jsonpath and go-template
	file   string // empty: stdout
}

// parseOutputs reads the -o flags: at most one format for stdout, any number as FORMAT=FILE. An expression belongs
// to jsonpath and go-template, which therefore always go to stdout. Without a format for stdout the table goes there.
func parseOutputs(flags []string) ([]output, error) { return parseOutputsOf(flags, formats.Names()) }

// parseOutputsOf is the same for a command that has only some of the formats that take no expression.
func parseOutputsOf(flags, names []string) ([]output, error) {
	var outs []output
	for _, flag := range flags {
		format, rest, found := strings.Cut(flag, "=")
		o := output{format: format}
		switch {
		case slices.Contains(formats.Expressions(), format):
			if rest == "" {
				return nil, fmt.Errorf("-o %s needs an expression: -o %s='{…}'", format, format)
			}
			if err := formats.ParseExpression(format, rest); err != nil {
				return nil, err
			}
			o.expr = rest
		case !slices.Contains(names, format):
			return nil, fmt.Errorf("unknown output format %q%s", format, spelling.Choose(format, slices.Concat(names, formats.Expressions())))
		case found && rest == "":
			return nil, fmt.Errorf("-o %s= needs a file name", format)
		default:
			o.file = rest
			if err := hasPlace(o.file); err != nil {
				return nil, fmt.Errorf("-o %s: %w", flag, withoutPath(err))
			}
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

// hasPlace says before anything is read that a file cannot be written where it is asked for; empty: standard output.
func hasPlace(file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return &fs.PathError{Op: "open", Path: file, Err: syscall.EISDIR}
	}
	if _, err := os.Stat(filepath.Dir(file)); errors.Is(err, fs.ErrNotExist) {
		return &fs.PathError{Op: "open", Path: file, Err: syscall.ENOENT}
	}
	return nil
}

// write renders the report to every output. What fails a run is a failure in junit too.
func write(outs []output, r *report.Report, streams genericiooptions.IOStreams, asked *showFlags) error {
	return writeScan(outs, formats.Scan{Report: r}, streams, asked)
}

// writeScan is the same for a report with a case file.
func writeScan(outs []output, s formats.Scan, streams genericiooptions.IOStreams, asked *showFlags) error {
	return writeEach(outs, streams, asked, func(w io.Writer, o output, style terminal.Style) error {
		if o.format == "github" {
			if err := appendStepSummary(os.Getenv("GITHUB_STEP_SUMMARY"), s.Report); err != nil {
				return err
			}
		}
		return formats.WriteScan(w, s, o.format, o.expr, style)
	})
}

// writeEach writes every output, to stdout or as a file.
func writeEach(outs []output, streams genericiooptions.IOStreams, asked *showFlags,
	render func(io.Writer, output, terminal.Style) error) error {
	style := asked.style()
	for _, o := range outs {
		if o.file == "" {
			onTerminal := shownOn(streams.Out, style, asked.color)
			err := paged(streams, func(s genericiooptions.IOStreams) error { return render(s.Out, o, onTerminal) })
			if err != nil {
				return err
			}
			continue
		}
		var b bytes.Buffer
		if err := render(&b, o, style); err != nil {
			return fmt.Errorf("writing %s: %w", o.file, err)
		}
		if err := (durable.Writer{}).ReplaceBytes(o.file, 0o666, b.Bytes()); err != nil {
			return fmt.Errorf("-o %s=%s: %w", o.format, o.file, withoutPath(err))
		}
	}
	return nil
}

// withoutPath is an error about a file that is named before it.
func withoutPath(err error) error {
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// appendStepSummary adds the report to what GitHub Actions shows below the job; a step may have several.
func appendStepSummary(path string, r *report.Report) error {
	if path == "" {
		return nil
	}
	var b bytes.Buffer
	if err := markdown.StepSummary(&b, r); err != nil {
		return err
	}
	return durable.Writer{}.Append(path, b.Bytes())
}

// shownOn is how a stream shows a format: with its colors, its width and its links.
func shownOn(w io.Writer, style terminal.Style, color string) terminal.Style {
	style.Color, style.Width = useColor(color, w), widthOf(w)
	if screen.Links(w, style.Color) {
		style.PageOf = checks.PageURL
	}
	return style
}

// allowsColor reports whether a stream is a terminal that shows colors; a pager leaves them to it.
func allowsColor(w io.Writer) bool {
	file := screen.FileOf(w)
	return file != nil && printers.AllowsColorOutput(file)
}

// useColor decides for one stream. NO_COLOR and TERM=dumb turn colour off unless it is asked for.
func useColor(mode string, w io.Writer) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	default:
		return os.Getenv("NO_COLOR") == "" && allowsColor(w)
	}
}
