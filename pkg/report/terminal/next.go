package terminal

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// maxNext bounds how many things to do stand below a group of findings, and how many commands below each.
const maxNext = 3

// next says below a group of findings what to do about them. Commands are never wrapped, to be copied. Of what another finding causes
// nothing is said but that: the cause is repaired first, and a scan after that knows more. The verdict may say it again: each finding has
// its next step in one place.
func (t *table) next(items []report.Item) {
	if !slices.ContainsFunc(items, func(i report.Item) bool { return !t.caused(&i) }) {
		return
	}
	steps := report.NextSteps(items)
	for _, s := range steps[:min(len(steps), maxNext)] {
		t.labelled(2, "next: ", report.Escape(s.Text))
		for _, command := range s.Commands[:min(len(s.Commands), maxNext)] {
			t.line(8, report.Escape(command))
		}
		if more := len(s.Commands) - maxNext; more > 0 {
			t.wrapped(8, report.AndMore(more, "-o json has them"))
		}
	}
	if more := len(steps) - maxNext; more > 0 {
		t.labelled(2, "next: ", report.AndMore(more, "-o json has them"))
	}
}

// caused reports whether the report holds a cause of a finding, which is named below it.
func (t *table) caused(i *report.Item) bool {
	return slices.ContainsFunc(i.CausedBy, func(name string) bool {
		cause := t.named.Find(i.Source, name)
		return cause != nil && cause.Judged()
	})
}
