package terminal

import (
	"fmt"

	"github.com/fatih/color"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// The ways to put findings together in a table.
const (
	ByCheck       = "check"
	ByNamespace   = "namespace"
	ByApplication = "application"
)

// Groupings lists them; the first is the default.
func Groupings() []string { return []string{ByCheck, ByNamespace, ByApplication} }

// grouped lists findings below their namespaces or applications, in the order in which these first occur.
func (t *table) grouped(r *report.Report) {
	of := map[string][]report.Item{}
	var order []string
	for _, item := range r.Items {
		if item.Word() == report.UnchangedWord {
			continue
		}
		name := item.Place()
		if t.style.GroupBy == ByApplication {
			name = item.Application()
		}
		if of[name] == nil {
			order = append(order, name)
		}
		of[name] = append(of[name], item)
	}
	for _, name := range order {
		items := of[name]
		t.wrapped(0, fmt.Sprintf("%s: %s", t.style.paint(report.Escape(name), color.Bold), phrase.Counted(len(items), "finding")))
		for _, item := range items[:min(len(items), maxObjects)] {
			t.labelled(2, fmt.Sprintf("%s %s ", t.style.severity(item.Severity, item.Word()), t.style.checks(item.Check)),
				report.Escape(item.Subject()+": "+r.Lead(&item)+item.Message+item.Aside()))
		}
		if more := len(items) - maxObjects; more > 0 {
			t.wrapped(2, fmt.Sprintf("… %d more (-o wide)", more))
		}
		t.line(0, "")
	}
}
