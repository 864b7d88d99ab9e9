// Package formats writes a report in the format that was asked for.
package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/html"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/machine"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/markdown"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// Names lists the formats that take no expression.
func Names() []string {
	return []string{"table", "wide", "summary", "json", "yaml", "name", "markdown", "html", "sarif", "junit", "github", "prometheus"}
}

// Expressions lists the formats that take one.
func Expressions() []string { return []string{"jsonpath", "go-template"} }

// Scan is the result of a scan as JSON and YAML have it.
type Scan struct {
	*report.Report

	// CaseFile is that of the application that the scan is about; nil: it is about several, or about something else.
	CaseFile *casefile.Document `json:"caseFile,omitempty"`
}

// HoldsCaseFile reports whether a format shows the case file of a scan. The others list findings.
func HoldsCaseFile(format string) bool {
	return slices.Contains([]string{"table", "wide", "json", "yaml", "markdown", "html", "jsonpath", "go-template"}, format)
}

// Write renders the report in a format.
func Write(w io.Writer, r *report.Report, format, expr string, style terminal.Style) error {
	return WriteScan(w, Scan{Report: r}, format, expr, style)
}

// WriteScan renders the result of a scan in a format: what a person reads begins with the case file.
func WriteScan(w io.Writer, s Scan, format, expr string, style terminal.Style) error {
	r, d := s.Report, s.CaseFile
	if slices.Contains([]string{"table", "wide", "markdown", "html"}, format) {
		r = r.From(style.MinSeverity)
	}
	if err := begin(w, d, format, style); err != nil {
		return err
	}
	switch format {
	case "table":
		return terminal.Table(w, r, style)
	case "summary":
		return terminal.Summary(w, r, style)
	case "wide":
		return terminal.Wide(w, r)
	case "json":
		return report.EncodeJSON(w, s, "    ")
	case "yaml":
		return report.EncodeYAML(w, s)
	case "name":
		return names(w, r)
	case "markdown":
		return markdown.Write(w, r)
	case "html":
		return html.Write(w, r, d)
	case "sarif":
		return machine.SARIF(w, r)
	case "junit":
		return machine.JUnit(w, r, style.FailOn)
	case "github":
		return machine.GitHub(w, r)
	case "prometheus":
		return machine.Prometheus(w, r)
	case "jsonpath", "go-template":
		p, err := printer(format, expr)
		if err != nil {
			return err
		}
		return printWith(w, s, p)
	default:
		return fmt.Errorf("unknown format %q", format)
	}
}

// begin writes the case file where it stands before the report.
func begin(w io.Writer, d *casefile.Document, format string, style terminal.Style) error {
	switch {
	case d == nil:
		return nil
	case format == "table":
		return terminal.CaseFileHead(w, d, style)
	case format == "wide":
		return terminal.CaseFileHead(w, d, terminal.Style{})
	case format == "markdown":
		return markdown.CaseFileHead(w, d)
	default:
		return nil
	}
}

// ParseExpression reports what is wrong with the expression of a format that takes one.
func ParseExpression(format, expr string) error {
	_, err := printer(format, expr)
	return err
}

func printer(format, expr string) (printers.ResourcePrinter, error) {
	if format == "jsonpath" {
		p, err := printers.NewJSONPathPrinter(expr)
		if err != nil {
			return nil, fmt.Errorf("parsing the jsonpath expression: %w", err)
		}
		return p, nil
	}
	p, err := printers.NewGoTemplatePrinter([]byte(expr))
	if err != nil {
		return nil, fmt.Errorf("parsing the template: %w", err)
	}
	p.AllowMissingKeys(true)
	return p, nil
}

// printWith hands a document to one of kubectl's printers as an object of maps, which is what they work on.
func printWith(w io.Writer, document any, p printers.ResourcePrinter) error {
	raw, err := json.Marshal(document)
	if err != nil {
		return err
	}
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return err
	}
	report.EscapeAll(object) // these printers write strings as they are
	var b bytes.Buffer
	if err := p.PrintObj(&unstructured.Unstructured{Object: object}, &b); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// names writes "finding.sparkdoctor.io/<fingerprint>", one a line, as kubectl -o name does.
func names(w io.Writer, r *report.Report) error {
	for _, item := range r.Items {
		if _, err := fmt.Fprintf(w, "finding.sparkdoctor.io/%s\n", item.Metadata.Name); err != nil {
			return err
		}
	}
	return nil
}
