package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/printers"
)

// Formats lists the formats that take no expression.
func Formats() []string {
	return []string{"table", "wide", "json", "yaml", "name", "markdown", "html", "sarif", "junit", "github", "prometheus"}
}

// Expressions lists the formats that take one.
func Expressions() []string { return []string{"jsonpath", "go-template"} }

// Write renders the report in a format.
func Write(w io.Writer, r *Report, format, expr string, style Style) error {
	switch format {
	case "table":
		return Table(w, r, style)
	case "wide":
		return Wide(w, r)
	case "json":
		return JSON(w, r)
	case "yaml":
		return YAML(w, r)
	case "name":
		return names(w, r)
	case "markdown":
		return Markdown(w, r)
	case "html":
		return HTML(w, r)
	case "sarif":
		return SARIF(w, r)
	case "junit":
		return JUnit(w, r, style.FailOn)
	case "github":
		return GitHub(w, r)
	case "prometheus":
		return Prometheus(w, r)
	case "jsonpath", "go-template":
		p, err := printer(format, expr)
		if err != nil {
			return err
		}
		return printWith(w, r, p)
	default:
		return fmt.Errorf("unknown format %q", format)
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

// printWith hands the report to one of kubectl's printers as an object of maps, which is what they work on.
func printWith(w io.Writer, r *Report, p printers.ResourcePrinter) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return err
	}
	escapeAll(object) // these printers write strings as they are
	var b bytes.Buffer
	if err := p.PrintObj(&unstructured.Unstructured{Object: object}, &b); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// names writes "finding.sparkdoctor.io/<fingerprint>", one a line, as kubectl -o name does.
func names(w io.Writer, r *Report) error {
	for _, item := range r.Items {
		if _, err := fmt.Fprintf(w, "finding.sparkdoctor.io/%s\n", item.Metadata.Name); err != nil {
			return err
		}
	}
	return nil
}
