package formats

import (
	"fmt"
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/html"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/markdown"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// CaseFileNames lists the formats of a case file that take no expression. Those of a list of findings have nothing to list in it.
func CaseFileNames() []string {
	return []string{"table", "wide", "json", "yaml", "markdown", "html", "patch"}
}

// CaseListNames lists those of several case files.
func CaseListNames() []string { return []string{"table", "wide", "json", "yaml", "html"} }

// WriteCaseList renders the applications that failed, hang or wait.
func WriteCaseList(w io.Writer, l *casefile.List, format, expr string, style terminal.Style) error {
	switch format {
	case "table", "wide":
		return terminal.CaseList(w, l, format == "wide", style)
	case "json":
		return report.EncodeJSON(w, l, "    ")
	case "yaml":
		return report.EncodeYAML(w, l)
	case "html":
		return html.CaseList(w, l)
	case "jsonpath", "go-template":
		p, err := printer(format, expr)
		if err != nil {
			return err
		}
		return printWith(w, l, p)
	default:
		return fmt.Errorf("unknown format %q", format)
	}
}

// WriteCaseFile renders a case file in a format.
func WriteCaseFile(w io.Writer, d *casefile.Document, format, expr string, style terminal.Style) error {
	switch format {
	case "table":
		return terminal.CaseFile(w, d, style)
	case "wide":
		return terminal.WideCaseFile(w, d, style)
	case "json":
		return report.EncodeJSON(w, d, "    ")
	case "yaml":
		return report.EncodeYAML(w, d)
	case "markdown":
		return markdown.CaseFile(w, d)
	case "html":
		return html.CaseFile(w, d)
	case "patch":
		return d.Patch(w)
	case "jsonpath", "go-template":
		p, err := printer(format, expr)
		if err != nil {
			return err
		}
		return printWith(w, d, p)
	default:
		return fmt.Errorf("unknown format %q", format)
	}
}
