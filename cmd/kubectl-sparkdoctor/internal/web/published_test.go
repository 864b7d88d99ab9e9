package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestPublished(t *testing.T) {
	now := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	p := &Published{Keep: 15 * time.Minute, Now: func() time.Time { return now }}
	handler := p.Handler()
	get := func(method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
		return w
	}
	count := func(name string) float64 {
		t.Helper()
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(get(http.MethodGet, "/metrics").Body)
		require.NoError(t, err)
		require.Contains(t, families, name)
		return families[name].GetMetric()[0].GetCounter().GetValue() + families[name].GetMetric()[0].GetGauge().GetValue()
	}

	for path, code := range map[string]int{"/": 503, "/report.json": 503, "/readyz": 503, "/healthz": 200, "/metrics": 200, "/nothing": 404} {
		require.Equal(t, code, get(http.MethodGet, path).Code, path)
	}
	p.Fail()
	require.InDelta(t, 1, count("sparkdoctor_scan_failures_total"), 0)
	require.Equal(t, 503, get(http.MethodGet, "/readyz").Code)

	s := snapshot.NewBuilder(now).Seal()
	require.NoError(t, p.Publish(report.Build(s, report.Tool{Version: "v1"}, report.Source{Name: "prod", Type: "cluster"}, report.Scope{},
		[]check.Result{{Check: checks.All()[0]}}, command.Asked{})))
	for path, kind := range map[string]string{"/": "text/html; charset=utf-8", "/report.json": "application/json",
		"/metrics": "text/plain; version=0.0.4; charset=utf-8"} {
		w := get(http.MethodGet, path)
		require.Equal(t, 200, w.Code, path)
		require.Equal(t, kind, w.Header().Get("Content-Type"), path)
	}
	require.Contains(t, get(http.MethodGet, "/report.json").Body.String(), `"kind": "ScanReport"`)
	require.InDelta(t, 2, count("sparkdoctor_scans_total"), 0)
	require.InDelta(t, now.Unix(), count("sparkdoctor_scan_timestamp_seconds"), 0)
	require.Equal(t, 200, get(http.MethodGet, "/readyz").Code)
	require.Equal(t, 405, get(http.MethodPost, "/").Code, "it takes nothing")

	now = now.Add(16 * time.Minute)
	w := get(http.MethodGet, "/readyz")
	require.Equal(t, 503, w.Code)
	require.Equal(t, "the last report is 16 min old\n", w.Body.String())
	require.Equal(t, 200, get(http.MethodGet, "/").Code, "an old report is better than none, and says how old it is")
}
