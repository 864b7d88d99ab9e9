package machine_test

import (
	"bytes"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/machine"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

func families(t *testing.T, r *report.Report) map[string]*dto.MetricFamily {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, machine.Prometheus(&b, r))
	problems, err := promlint.New(bytes.NewReader(b.Bytes())).Lint()
	require.NoError(t, err)
	require.Empty(t, problems)
	parser := expfmt.NewTextParser(model.LegacyValidation)
	parsed, err := parser.TextToMetricFamilies(&b)
	require.NoError(t, err)
	return parsed
}

// value returns the sample that has all these labels, and how many there are.
func value(f *dto.MetricFamily, labels map[string]string) (v float64, n int) {
	for _, m := range f.GetMetric() {
		matching := 0
		for _, l := range m.GetLabel() {
			if labels[l.GetName()] == l.GetValue() {
				matching++
			}
		}
		if matching == len(labels) {
			v, n = m.GetGauge().GetValue(), n+1
		}
	}
	return v, n
}

func TestPrometheusSaysWhatTheReportSays(t *testing.T) {
	for name, r := range reporttest.All() {
		all := families(t, r)
		total := 0.0
		for _, m := range all["sparkdoctor_findings"].GetMetric() {
			total += m.GetGauge().GetValue()
		}
		f := r.Summary.Findings
		require.InDelta(t, f.Error+f.Warning+f.Info, total, 0, name)
		v, _ := value(all["sparkdoctor_findings_suppressed"], nil)
		require.InDelta(t, f.Suppressed, v, 0, name)
		for _, c := range r.Checks {
			labels := map[string]string{"check": c.ID, "status": c.Status}
			if c.Source != "" {
				labels["cluster"] = c.Source
			}
			v, n := value(all["sparkdoctor_check_status"], labels)
			require.Equal(t, 1, n, name)
			require.InDelta(t, 1, v, 0, name)
		}
	}
	all := families(t, reporttest.Night())
	for _, c := range []struct {
		family string
		labels map[string]string
		want   float64
	}{
		{"sparkdoctor_findings", map[string]string{"check": "SD2001", "severity": "error", "namespace": "team-a"}, 1},
		{"sparkdoctor_findings", map[string]string{"check": "SD2001", "severity": "error", "namespace": "team-with-a-rather-long-name"}, 1},
		{"sparkdoctor_findings", map[string]string{"check": "SD2001", "severity": "info"}, 0},
		{"sparkdoctor_application_size_bytes", map[string]string{"namespace": "team-b", "name": report.Escape(reporttest.Escapes)}, 900000},
		{"sparkdoctor_application_size_ratio", map[string]string{"namespace": "team-a", "name": "streaming"}, 0.933333},
		{"sparkdoctor_certificate_expiry_timestamp_seconds", map[string]string{"role": "server"}, float64(reporttest.Now().Unix() + 3600)},
		{"sparkdoctor_admission_state", map[string]string{"namespace": "team-a", "state": "broken"}, 1},
		{"sparkdoctor_admission_state", map[string]string{"namespace": "team-a", "state": "healthy"}, 0},
		{"sparkdoctor_admission_broken_link", map[string]string{"namespace": "a", "link": "endpoints"}, 1},
		{"sparkdoctor_scan_timestamp_seconds", nil, float64(reporttest.Now().Unix())},
	} {
		v, n := value(all[c.family], c.labels)
		require.Equal(t, 1, n, "%s %v", c.family, c.labels)
		require.InDelta(t, c.want, v, 0, "%s %v", c.family, c.labels)
	}
	v, _ := value(families(t, reporttest.Clean())["sparkdoctor_scan_duration_seconds"], nil)
	require.InDelta(t, 1.25, v, 0)
}

// TestPrometheusDoesNotCallBlindnessZero: a check that could not look has no count of findings.
func TestPrometheusDoesNotCallBlindnessZero(t *testing.T) {
	all := families(t, reporttest.Partial())
	_, n := value(all["sparkdoctor_findings"], map[string]string{"check": "SD1003"})
	require.Zero(t, n, "skipped")
	v, _ := value(all["sparkdoctor_check_complete"], map[string]string{"check": "SD1003"})
	require.Zero(t, v)
	v, _ = value(all["sparkdoctor_check_unseen"], map[string]string{"check": "SD2001"})
	require.InDelta(t, 2, v, 0)
	v, _ = value(all["sparkdoctor_scan_complete"], nil)
	require.Zero(t, v)
}
