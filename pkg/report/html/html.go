// Package html writes a report as a page for a browser.
package html

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"html/template"
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

//go:embed report.gohtml
var pageTemplate string

//go:embed verdict.gohtml
var verdictTemplate string

//go:embed casehead.gohtml
var caseHeadTemplate string

//go:embed overview.gohtml
var overviewTemplate string

//go:embed findings.gohtml
var findingsTemplate string

//go:embed style.css
var pageStyle string

//go:embed gate.gohtml
var gateTemplate string

//go:embed gate.css
var gateStyle string

//go:embed page.js
var pageScript string

// Write writes the report as one page that needs nothing else: its policy forbids every request, and lets only the
// page's own style and script run. Without a script all text is there, only the filter is not.
// It begins with the case file of the application that a scan is about, if there is one.
func Write(w io.Writer, r *report.Report, d *casefile.Document) error {
	parts := pageTemplate + caseHeadTemplate + gateTemplate + verdictTemplate + overviewTemplate + findingsTemplate
	page, err := template.New("report").Parse(parts)
	if err != nil {
		return err
	}
	v, err := newPage(r)
	if err != nil {
		return err
	}
	v.begin(d)
	style := pageStyle
	if r.Gate != nil {
		style += gateStyle
	}
	v.Style, v.Script = template.CSS(style), template.JS(pageScript) //nolint:gosec // embedded files, nothing from a cluster
	v.Policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + digest(style) + "'; script-src '" +
		digest(pageScript) + "'"
	var b bytes.Buffer
	if err := page.Execute(&b, v); err != nil {
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
