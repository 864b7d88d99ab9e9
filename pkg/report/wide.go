package report

import (
	"io"
	"strings"
)

// Wide writes one line a finding and object, for terminals that scroll sideways and for grep.
func Wide(w io.Writer, r *Report) error {
	rows := make([][]string, 0, len(r.Items))
	for _, item := range r.Items {
		objects := item.Objects
		if len(objects) == 0 {
			objects = append(objects, item.Object)
		}
		for _, o := range objects {
			rows = append(rows, []string{
				strings.ToUpper(item.Severity), item.Check, item.Slug, Escape(o.Namespace), Escape(strings.ToLower(o.Kind) + "/" + o.Name),
				item.Certainty, item.Metadata.Name, Escape(item.Message),
			})
		}
	}
	if len(rows) > 0 {
		if err := grid(w, []string{"SEVERITY", "CHECK", "SLUG", "NAMESPACE", "OBJECT", "CERTAINTY", "FINDING", "MESSAGE"}, rows); err != nil {
			return err
		}
	}
	return Table(w, &Report{Summary: r.Summary, Checks: r.Checks, Scope: r.Scope, Sources: r.Sources}, Style{})
}
