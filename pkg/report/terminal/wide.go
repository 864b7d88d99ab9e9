package terminal

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// clusterColumn is where the cluster stands, if there are several.
const clusterColumn = 3

// hopColumn is where the hop of an upgrade stands, if there are several.
const hopColumn = 1

// Wide writes one line a finding and object, for terminals that scroll sideways and for grep, then what the table
// writes below its findings.
func Wide(w io.Writer, r *report.Report) error {
	t := &table{w: bufio.NewWriter(w), wide: true}
	t.conclude(r)
	t.gateHead(r.Gate)
	hops := r.Gate != nil && len(r.Gate.Hops) > 1
	rows := make([][]string, 0, len(r.Items))
	for _, item := range r.Items {
		for _, o := range item.Refs() {
			row := []string{
				item.Word(), item.Check, item.Slug, report.Escape(o.Namespace), report.Escape(strings.ToLower(o.Kind) + "/" + o.Name),
				item.Certainty, item.Metadata.Name, report.Escape(item.Message + item.Aside()),
			}
			if hops {
				row = slices.Insert(row, hopColumn, cmp.Or(report.Escape(item.Hop), "-"))
			}
			if item.Cluster() != "" {
				row = slices.Insert(row, clusterColumn, report.Escape(item.Cluster()))
			}
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 {
		head := []string{"SEVERITY", "CHECK", "SLUG", "NAMESPACE", "OBJECT", "CERTAINTY", "FINDING", "MESSAGE"}
		if hops {
			head = slices.Insert(head, hopColumn, "HOP")
		}
		if r.Items[0].Cluster() != "" {
			head = slices.Insert(head, clusterColumn, "CLUSTER")
		}
		if err := grid(t.w, head, rows); err != nil {
			return err
		}
	}
	if len(rows) > 0 {
		t.line(0, "")
	}
	t.gone(r)
	t.runbook(r.Gate)
	t.unseen(r, true)
	t.summary(r)
	return t.w.Flush()
}
