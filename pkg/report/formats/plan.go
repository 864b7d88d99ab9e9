package formats

import (
	"fmt"
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/markdown"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// PlanNames lists the formats of a plan of upgrades that take no expression.
func PlanNames() []string { return []string{"table", "wide", "json", "yaml", "markdown"} }

// WritePlan renders a plan in a format.
func WritePlan(w io.Writer, p *report.Plan, format, expr string, style terminal.Style) error {
	switch format {
	case "table", "wide":
		return terminal.Plan(w, p, format == "wide", style)
	case "json":
		return report.EncodeJSON(w, p, "    ")
	case "yaml":
		return report.EncodeYAML(w, p)
	case "markdown":
		return markdown.Plan(w, p)
	case "jsonpath", "go-template":
		printer, err := printer(format, expr)
		if err != nil {
			return err
		}
		return printWith(w, p, printer)
	default:
		return fmt.Errorf("unknown format %q", format)
	}
}
