// Package web serves the last report over HTTP.
package web

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// Published is the last report in the forms that are served, each made once for a scan and not for a request.
type Published struct {
	Keep time.Duration // after which a report is too old to be ready
	Now  func() time.Time

	mu      sync.RWMutex
	forms   map[string][]byte // by format; nil before the first scan
	at      time.Time         // when the last scan ended that did not fail
	scans   int
	failure int
}

// Publish replaces the report.
func (p *Published) Publish(r *report.Report) error {
	forms := map[string][]byte{}
	for _, format := range []string{"prometheus", "html", "json"} {
		var b bytes.Buffer
		if err := formats.Write(&b, r, format, "", terminal.Style{}); err != nil {
			return err
		}
		forms[format] = b.Bytes()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forms = forms
	p.at = p.Now()
	p.scans++
	return nil
}

// Fail counts a scan that failed.
func (p *Published) Fail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scans++
	p.failure++
}

// Handler serves it: / for people, /report.json, /metrics, /healthz and /readyz.
func (p *Published) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.form("html", "text/html; charset=utf-8"))
	mux.HandleFunc("GET /report.json", p.form("json", "application/json"))
	mux.HandleFunc("GET /metrics", p.metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { text(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", p.ready)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		mux.ServeHTTP(w, r)
	})
}

func text(w http.ResponseWriter, code int, body string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = fmt.Fprint(w, body)
}

func (p *Published) form(format, contentType string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		p.mu.RLock()
		body := p.forms[format]
		p.mu.RUnlock()
		if body == nil {
			text(w, http.StatusServiceUnavailable, "no scan has ended yet\n")
			return
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body)
	}
}

// metrics has the counts of scans also before the first one has ended, so that an alert sees one that always fails.
func (p *Published) metrics(w http.ResponseWriter, _ *http.Request) {
	p.mu.RLock()
	body := p.forms["prometheus"]
	scans := p.scans
	failures := p.failure
	p.mu.RUnlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = fmt.Fprintf(w, `# HELP sparkdoctor_scans_total Scans since the server started.
# TYPE sparkdoctor_scans_total counter
sparkdoctor_scans_total %d
# HELP sparkdoctor_scan_failures_total Failed scans since the server started.
# TYPE sparkdoctor_scan_failures_total counter
sparkdoctor_scan_failures_total %d
`, scans, failures)
	_, _ = w.Write(body)
}

func (p *Published) ready(w http.ResponseWriter, _ *http.Request) {
	p.mu.RLock()
	at := p.at
	p.mu.RUnlock()
	switch age := p.Now().Sub(at); {
	case at.IsZero():
		text(w, http.StatusServiceUnavailable, "no scan has ended yet\n")
	case age > p.Keep:
		text(w, http.StatusServiceUnavailable, fmt.Sprintf("the last report is %s old\n", phrase.Span(age)))
	default:
		text(w, http.StatusOK, "ok\n")
	}
}
