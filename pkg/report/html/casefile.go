package html

import (
	"bytes"
	_ "embed" // the page
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

//go:embed casefile.gohtml
var caseTemplate string

// casePage is what the template shows. Texts from a cluster have gone through Escape; the template escapes HTML.
type casePage struct {
	Style                              template.CSS
	Policy, Name, State, Verdict, Tone string
	Time, TimeText, Version, Commit    string
	Script                             template.JS
	Answer                             []casefile.Statement
	Begin, End                         string // of the lanes
	Lanes                              []lane
	Groups                             []caseGroup
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

// lane is a row of the drawn timeline, of 1000 units.
type lane struct {
	Name, Says string
	Spans      []laneSpan
	Moments    []laneMoment
}

type laneSpan struct {
	From, Wide int
	Text       string
}

type laneMoment struct {
	At   int
	Text string
}

// CaseFile writes the case file of one application as one page that needs nothing else. Its script only copies commands.
func CaseFile(w io.Writer, d *casefile.Document) error {
	page, err := template.New("casefile").Parse(caseTemplate)
	if err != nil {
		return err
	}
	at := d.Metadata.CreationTimestamp.UTC()
	p := casePage{
		Style: template.CSS(pageStyle), //nolint:gosec // an embedded file, nothing from a cluster
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + digest(pageStyle) + "'; script-src '" +
			digest(pageScript) + "'",
		Script: template.JS(pageScript), //nolint:gosec // an embedded file, nothing from a cluster
		Name:   report.Escape(d.Name()), State: report.Escape(d.Headline()), Verdict: report.Escape(d.Verdict.Short()),
		Answer: answer(d), Tone: tone(&d.Verdict), Time: at.Format("2006-01-02T15:04:05Z"), TimeText: at.Format("2006-01-02 15:04:05 UTC"),
		Version: report.Escape(d.Tool.Version), Commit: report.Escape(d.Tool.Commit),
	}
	p.draw(d)
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
		p.Groups = append(p.Groups, one)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, p); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// draw makes the lanes of the timeline, if more than one moment is known.
func (p *casePage) draw(d *casefile.Document) {
	begin, end := d.Period()
	p.Begin, p.End = begin.UTC().Format(time.DateTime), end.UTC().Format(time.DateTime)
	const units = 1000
	for _, l := range d.Lanes() {
		one := lane{Name: report.Escape(l.Name)}
		var says []string
		for _, s := range l.Spans {
			from, wide := int(s.From*units), max(2, int((s.To-s.From)*units))
			one.Spans = append(one.Spans, laneSpan{From: min(from, units-wide), Wide: wide, Text: report.Escape(s.Text)})
			says = append(says, s.Text)
		}
		for _, m := range l.Moments {
			one.Moments = append(one.Moments, laneMoment{At: min(int(m.At*units), units-4), Text: report.Escape(m.Text)})
			says = append(says, m.Text)
		}
		one.Says = report.Escape(strings.Join(says, "; "))
		p.Lanes = append(p.Lanes, one)
	}
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

// answer are the statements that answer why, harmless for a terminal that shows the page.
func answer(d *casefile.Document) []casefile.Statement {
	out := slices.DeleteFunc(d.Answer(), func(s casefile.Statement) bool { return s.Label == "more" })
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
	Head, Tone string
	Answer     []casefile.Statement
}

// begin puts the case file of the application before the report.
func (p *page) begin(d *casefile.Document) {
	if d == nil {
		return
	}
	p.Case = &caseHead{
		Head: report.Escape(d.Name() + " " + d.Headline()), Tone: tone(&d.Verdict), Answer: answer(d),
	}
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
