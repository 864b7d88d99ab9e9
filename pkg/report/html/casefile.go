package html

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

// casePage is what the template shows of a case file below its headline.
type casePage struct {
	Answer []casefile.Statement
	When   *drawing
	Groups []caseGroup
}

// caseGroup are the rows under a heading; of many the first few are shown.
type caseGroup struct {
	Heading     string
	Rows, Extra []casefile.Row
	More        int // pieces in Extra
}

// shownRows bounds the rows that are not folded, mostRows those of a list that is not worth folding.
const (
	shownRows = 6
	mostRows  = 9
)

func caseOf(d *casefile.Document) *casePage {
	p := &casePage{Answer: answer(d), When: draw(d)}
	for _, g := range d.Groups() {
		one := caseGroup{Heading: g.Heading, Rows: g.Rows}
		if g.Heading == casefile.EvidenceHeading && len(g.Rows) > mostRows {
			one.Rows = g.Rows[:shownRows]
			one.Extra = g.Rows[shownRows:]
			one.More = len(g.Rows) - shownRows
		}
		one.Rows, one.Extra = casefile.Fold(one.Rows), casefile.Fold(one.Extra)
		escape(one.Rows)
		escape(one.Extra)
		switch {
		case g.Heading == casefile.TimelineHeading && p.When != nil:
			p.When.Moments = one.Rows
		case p.When.says(one.Rows):
		case g.Heading == casefile.ChangeHeading && len(g.Rows) == changes(p.Answer): // the answer has them
		default:
			p.Groups = append(p.Groups, one)
		}
	}
	return p
}

func changes(list []casefile.Statement) int {
	n := 0
	for i := range list {
		if list[i].Label == casefile.ChangeLabel {
			n++
		}
	}
	return n
}

// escape makes what a cluster says harmless for a terminal that shows the page.
func escape(rows []casefile.Row) {
	for i := range rows {
		rows[i].Text = report.Escape(rows[i].Text)
		for k := range rows[i].Commands {
			rows[i].Commands[k] = report.Escape(rows[i].Commands[k])
		}
		for k := range rows[i].Lines {
			rows[i].Lines[k] = report.Escape(rows[i].Lines[k])
		}
	}
}

// headlineOf is the answer in words, and its sentence.
func headlineOf(d *casefile.Document) headline {
	title, says := d.Title()
	return headline{Words: report.Escape(title), Sure: d.Verdict.Sure(), Says: report.Escape(says), Tone: tone(&d.Verdict)}
}

// answer are the statements behind the first, which is the headline, harmless for a terminal that shows the page.
func answer(d *casefile.Document) []casefile.Statement {
	out := slices.DeleteFunc(d.Answer(), func(s casefile.Statement) bool { return s.Verdict || s.Label == casefile.MoreLabel })
	for i := range out {
		s := &out[i]
		s.Text = report.Escape(s.Text)
		s.Beneath = report.Escape(s.Beneath)
		s.Command = report.Escape(s.Command)
	}
	return out
}

// caseHead is what the report of a scan of one application begins with.
type caseHead struct {
	About  string
	Head   headline
	Answer []casefile.Statement
}

// begin puts the case file of the application before the report.
func (p *page) begin(d *casefile.Document) {
	if d == nil {
		return
	}
	p.Case = &caseHead{About: report.Escape(d.Name() + " " + d.Headline()), Head: headlineOf(d), Answer: answer(d)}
	p.Contents = append([]pageOption{{"case", "Case file"}}, p.Contents...)
}

// tone is the class of the verdict; its words say the same.
func tone(v *casefile.Verdict) string {
	switch {
	case v.Sure() == "" || v.Class == "slowButProgressing":
		return "warning"
	case v.Fault():
		return "error"
	default:
		return "good"
	}
}
