// Package html writes a report, the report of a gate, a case file, or a list of these as a page for a browser: one frame with one style and
// one script.
package html

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

//go:embed *.gohtml
var templates embed.FS

//go:embed style.css
var pageStyle string

//go:embed page.js
var pageScript string

// frame is what every page has, and one of three contents. Texts from a cluster have gone through Escape; the template escapes HTML.
type frame struct {
	Title           string // of the window
	About           string // what the page is about
	Head            headline
	Time, TimeText  string
	Version, Commit string
	Many            bool // only the objects of findings are printed

	Report *page
	Case   *casePage
	List   *listPage

	Style  template.CSS
	Script template.JS
	Policy string
}

// headline is the answer of a page: a few words, and what they rest on.
type headline struct{ Words, Sure, Says, Tone string }

func newFrame(at time.Time, tool report.Tool) *frame {
	at = at.UTC()
	return &frame{Time: at.Format("2006-01-02T15:04:05Z"), TimeText: at.Format("2006-01-02 15:04:05 UTC"),
		Version: report.Escape(tool.Version), Commit: report.Escape(tool.Commit)}
}

// Write writes the report as one page that needs nothing else: its policy forbids every request, and lets only the
// page's own style and script run. Without a script all text is there, only the filter is not.
// It begins with the case file of the application that a scan is about, if there is one.
func Write(w io.Writer, r *report.Report, d *casefile.Document) error {
	p, err := newPage(r)
	if err != nil {
		return err
	}
	p.begin(d)
	f := newFrame(r.Metadata.CreationTimestamp, r.Tool)
	f.Report, f.Many = p, p.Many()
	source := report.Escape(sourceText(r))
	if g := r.Gate; g != nil {
		f.Title = g.Verdict + ": Spark Operator " + report.Escape(g.Title()) + " (" + source + ")"
		f.About = "Spark Operator " + report.Escape(g.Versions()) + ": " + source
		f.Head = headline{Words: g.Verdict, Says: report.Escape(g.Because), Tone: g.Tone()}
	} else {
		f.About = "Spark on Kubernetes: " + source
		f.Head = headline{Words: r.Headline(), Tone: toneOf(r)}
		f.Title = "Spark on Kubernetes: " + f.Head.Words + " (" + source + ")"
	}
	return f.write(w)
}

// CaseFile writes the case file of one application as one page that needs nothing else. Its script only copies commands.
func CaseFile(w io.Writer, d *casefile.Document) error {
	f := newFrame(d.Metadata.CreationTimestamp, d.Tool)
	f.Case, f.Head = caseOf(d), headlineOf(d)
	f.About = report.Escape(d.Name() + " " + d.Headline())
	f.Title = report.Escape(d.Name()) + ": " + f.Head.Words + ": " + f.Head.Says
	return f.write(w)
}

func (f *frame) write(w io.Writer) error {
	page, err := template.ParseFS(templates, "*.gohtml")
	if err != nil {
		return err
	}
	f.Style, f.Script = template.CSS(pageStyle), template.JS(pageScript) //nolint:gosec // embedded files, nothing from a cluster
	f.Policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + digest(pageStyle) + "'; script-src '" +
		digest(pageScript) + "'"
	var b bytes.Buffer
	if err := page.ExecuteTemplate(&b, "frame.gohtml", f); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// digest is the source expression by which a Content-Security-Policy allows one inline text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
