package terminal

import (
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

// mostLines are those of all statements of an answer: it stands on a screen with what was typed before it.
const mostLines = 10

// fewestQuoted are the lines that a quote keeps: its place, and what tells.
const fewestQuoted = 2

// shared gives the lines that some statements leave free to those that would be cut: to what to do first, then to what happened, and to
// quotes last. Quotes give up lines for both, and reasons for what to do, of which a half is no use.
func (t *table) shared(list []casefile.Statement) []casefile.Statement {
	free, wants := mostLines, make([]int, len(list))
	for i := range list {
		s := &list[i]
		wants[i] = t.lines(s)
		free -= max(1, min(wants[i], s.Most))
		if s.Beneath != "" {
			free -= t.beneathOf(s)
		}
		if s.Command != "" {
			wants[i] = 0
		}
	}
	lacks := func(turn func(*casefile.Statement) bool) (n int) {
		for i := range list {
			if turn(&list[i]) {
				n += max(0, wants[i]-list[i].Most)
			}
		}
		return n
	}
	if free < 0 {
		free += t.reasonsLeftOut(list)
	}
	free += fromQuotes(list, wants, max(0, lacks(toDo)+lacks(happened)-free))
	if lacks(toDo) > free {
		free += t.reasonsLeftOut(list)
	}
	if last := len(list) - 1; lacks(toDo)+t.breaksOff(list) == free+1 && list[last].Label == casefile.MoreLabel && !list[last].Unread {
		list, free = list[:last], free+1 // the wide form has as much of every answer
	}
	for _, turn := range []func(*casefile.Statement) bool{toDo, happened, quoted} {
		for i := range list {
			s := &list[i]
			more := max(0, min(wants[i]-s.Most, free))
			if !turn(s) || quoted(s) && s.Most+more < wants[i] { // a longer beginning of a quote tells no more
				continue
			}
			if s.Beneath != "" && more > 0 { // half a change is none, and its reason is the last that it needs
				free += t.beneathOf(s)
				more, s.Beneath = max(0, min(wants[i]-s.Most, free)), ""
			}
			s.Most, free = s.Most+more, free-more
		}
	}
	return list
}

// The turns in which statements get lines. One that is shown in full takes part in none.
func toDo(s *casefile.Statement) bool {
	return s.Most > 0 && (s.Label == casefile.ChangeLabel || s.Label == casefile.DoLabel)
}
func happened(s *casefile.Statement) bool { return s.Most > 0 && !s.Proof && !toDo(s) }
func quoted(s *casefile.Statement) bool   { return s.Most > 0 && s.Proof }

// lines are those that all of a statement takes.
func (t *table) lines(s *casefile.Statement) int {
	width := t.style.width() - answerIndent - labelWidth
	if s.Proof {
		width = t.style.width() - answerIndent - twwidth.Width(bar)
	}
	return len(Wrap(report.Escape(s.Text), width))
}

// breaksOff is how many lines statements lack to be shown in whole clauses.
func (t *table) breaksOff(list []casefile.Statement) (n int) {
	for i := range list {
		if s := &list[i]; happened(s) {
			n += max(0, len(inClauses(report.Escape(s.Text), s.Most, t.style.width()-answerIndent-labelWidth))-s.Most)
		}
	}
	return n
}

// beneathOf are the lines of the reason below a statement.
func (t *table) beneathOf(s *casefile.Statement) int {
	return min(len(Wrap(report.Escape(s.Beneath), t.style.width()-answerIndent-labelWidth)), s.Most)
}

// reasonsLeftOut leaves out why values are what they are, where an answer has no room for it. It returns the lines that this frees.
func (t *table) reasonsLeftOut(list []casefile.Statement) (lines int) {
	for i := range list {
		if s := &list[i]; s.Beneath != "" {
			lines += t.beneathOf(s)
			s.Beneath = ""
		}
	}
	return lines
}

// fromQuotes takes lines from quotes for statements: as many as these need, and there are.
func fromQuotes(list []casefile.Statement, wants []int, needs int) (taken int) {
	for i := range list {
		if s := &list[i]; s.Proof {
			has := min(s.Most, wants[i])
			more := min(max(0, has-fewestQuoted), needs-taken)
			s.Most, taken = has-more, taken+more
		}
	}
	return taken
}
