package html

import (
	"bytes"
	_ "embed" // the page
	"html/template"
	"io"
	"slices"

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
	Answer                             []casefile.Statement
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

// CaseFile writes the case file of one application as one page that needs nothing else. It has no script.
func CaseFile(w io.Writer, d *casefile.Document) error {
	page, err := template.New("casefile").Parse(caseTemplate)
	if err != nil {
		return err
	}
	at := d.Metadata.CreationTimestamp.UTC()
	p := casePage{
		Style:  template.CSS(pageStyle), //nolint:gosec // an embedded file, nothing from a cluster
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + digest(pageStyle) + "'",
		Name:   report.Escape(d.Name()), State: report.Escape(d.Headline()), Verdict: report.Escape(d.Verdict.Short()),
		Answer: answer(d), Tone: tone(&d.Verdict), Time: at.Format("2006-01-02T15:04:05Z"), TimeText: at.Format("2006-01-02 15:04:05 UTC"),
		Version: report.Escape(d.Tool.Version), Commit: report.Escape(d.Tool.Commit),
	}
	for _, g := range d.Groups() {
		one := caseGroup{Heading: g.Heading, Rows: g.Rows}
		if g.Heading == casefile.EvidenceHeading && len(g.Rows) > mostRows {
			one.Rows, one.Extra, one.More = g.Rows[:shownRows], g.Rows[shownRows:], len(g.Rows)-shownRows
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
		s.Text, s.Beneath, s.Command = report.Escape(s.Text), report.Escape(s.Beneath), report.Escape(s.Command)
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
