package html

import (
	"bytes"
	_ "embed" // the page
	"html/template"
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/why"
)

//go:embed casefile.gohtml
var caseTemplate string

// casePage is what the template shows. Texts from a cluster have gone through Escape; the template escapes HTML.
type casePage struct {
	Style                                    template.CSS
	Policy, Name, State, Verdict, Sure, Tone string
	Time, TimeText, Version, Commit          string
	Groups                                   []why.Group
}

// CaseFile writes the case file of one application as one page that needs nothing else. It has no script.
func CaseFile(w io.Writer, d *why.Document) error {
	page, err := template.New("casefile").Parse(caseTemplate)
	if err != nil {
		return err
	}
	at := d.Metadata.CreationTimestamp.UTC()
	p := casePage{
		Style:  template.CSS(pageStyle), //nolint:gosec // an embedded file, nothing from a cluster
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + digest(pageStyle) + "'",
		Name:   report.Escape(d.Name()), State: report.Escape(d.StateText()), Verdict: report.Escape(d.Verdict.Sentence()),
		Sure: d.Verdict.Sure(), Tone: tone(&d.Verdict), Time: at.Format("2006-01-02T15:04:05Z"), TimeText: at.Format("2006-01-02 15:04:05 UTC"),
		Version: report.Escape(d.Tool.Version), Commit: report.Escape(d.Tool.Commit),
	}
	p.Groups = d.Groups()
	for _, g := range p.Groups {
		for i := range g.Rows {
			g.Rows[i].Text = report.Escape(g.Rows[i].Text)
			for k := range g.Rows[i].Commands {
				g.Rows[i].Commands[k] = report.Escape(g.Rows[i].Commands[k])
			}
		}
	}
	var b bytes.Buffer
	if err := page.Execute(&b, p); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// tone is the class of the verdict; its words say the same.
func tone(v *why.Verdict) string {
	switch {
	case v.Sure() == "" || v.Class == "slowButProgressing":
		return "warning"
	case v.Fault():
		return "error"
	default:
		return "good"
	}
}
