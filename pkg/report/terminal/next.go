package terminal

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"

// maxNext bounds how many things to do stand below a group of findings, and how many commands below each.
const maxNext = 3

// next says below a group of findings what to do about them. Commands are never wrapped, to be copied.
func (t *table) next(items []report.Item) {
	steps := report.NextSteps(items)
	for _, s := range steps[:min(len(steps), maxNext)] {
		t.labelled(2, "next: ", report.Escape(s.Text))
		for _, command := range s.Commands[:min(len(s.Commands), maxNext)] {
			t.line(8, report.Escape(command))
		}
		if more := len(s.Commands) - maxNext; more > 0 {
			t.line(8, report.AndMore(more, "-o json has them"))
		}
	}
	if more := len(steps) - maxNext; more > 0 {
		t.line(2, "next: "+report.AndMore(more, "-o json has them"))
	}
}
