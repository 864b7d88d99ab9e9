package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"html/template"
	"io"
)

//go:embed html/report.gohtml
var htmlPage string

//go:embed html/style.css
var htmlStyle string

//go:embed html/gate.gohtml
var htmlGate string

//go:embed html/gate.css
var htmlGateStyle string

//go:embed html/filter.js
var htmlScript string

// HTML writes the report as one page that needs nothing else: its policy forbids every request, and lets only the
// page's own style and script run. Without a script all text is there, only the filter is not.
func HTML(w io.Writer, r *Report) error {
	page, err := template.New("report").Parse(htmlPage + htmlGate)
	if err != nil {
		return err
	}
	v, err := newPage(r)
	if err != nil {
		return err
	}
	style := htmlStyle
	if r.Gate != nil {
		style += htmlGateStyle
	}
	v.Style, v.Script = template.CSS(style), template.JS(htmlScript) //nolint:gosec // embedded files, nothing from a cluster
	v.Policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + digest(style) + "'; script-src '" + digest(htmlScript) + "'"
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
