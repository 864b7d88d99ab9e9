package report

import (
	"bufio"
	"io"
	"strings"
)

// Wide writes one line a finding and object, for terminals that scroll sideways and for grep, then what the table
// writes below its findings.
func Wide(w io.Writer, r *Report) error {
	rows := make([][]string, 0, len(r.Items))
	for _, item := range r.Items {
		objects := item.Objects
		if len(objects) == 0 {
			objects = append(objects, item.Object)
		}
		for _, o := range objects {
			rows = append(rows, []string{
				item.word(), item.Check, item.Slug, Escape(o.Namespace), Escape(strings.ToLower(o.Kind) + "/" + o.Name),
				item.Certainty, item.Metadata.Name, Escape(item.Message + item.aside()),
			})
		}
	}
	if len(rows) > 0 {
		if err := grid(w, []string{"SEVERITY", "CHECK", "SLUG", "NAMESPACE", "OBJECT", "CERTAINTY", "FINDING", "MESSAGE"}, rows); err != nil {
			return err
		}
	}
	t := &table{w: bufio.NewWriter(w), wide: true}
	if len(rows) > 0 {
		t.line(0, "")
	}
	t.gone(r)
	t.unseen(r, true)
	t.summary(r)
	return t.w.Flush()
}
