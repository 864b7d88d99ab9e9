package e2e

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// acceptedAndCompared follows two findings through a baseline, waivers in annotations, and their end.
func acceptedAndCompared(t *testing.T, s situation) {
	ns := s.namespace(t, "accepted")
	s.application(t, ns, "etl")
	merge := func(patch string) {
		_, err := s.cp.Client.CoreV1().Pods(ns).Patch(t.Context(), "etl-driver", types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		require.NoError(t, err)
	}
	merge(`{"metadata":{"ownerReferences":null}}`)
	scan := func(args ...string) outcome {
		return s.doctor.scan(t, append([]string{"-n", ns, "--checks", "SD2006,SD3004", "--max-object-size", "1000", "--new-after", "0s"},
			args...)...)
	}
	oversized, ownerless := "error proven SD3004 SparkApplication accepted/etl", "warning proven SD2006 Pod accepted/etl-driver"
	o := scan()
	require.Equal(t, []string{oversized, ownerless}, o.findings(), o.stdout)
	require.Equal(t, 1, o.code)

	baseline := filepath.Join(t.TempDir(), "baseline.json")
	require.NoError(t, os.WriteFile(baseline, []byte(o.stdout), 0o600))
	o = scan("--baseline", baseline)
	require.Equal(t, 0, o.code, o.stdout)
	require.Equal(t, 2, o.report.Baseline.Findings.Unchanged)

	accepted := map[string]any{"sparkdoctor.io/ignore": "SD3004: small on purpose (until 2999-12-31)"}
	s.patch(t, ns, "etl", map[string]any{"metadata": map[string]any{"annotations": accepted}})
	o = scan()
	require.Equal(t, []string{ownerless}, o.findings(), "the annotation of the application: %s", o.stdout)
	require.Equal(t, 0, o.code)
	merge(`{"metadata":{"annotations":{"sparkdoctor.io/ignore":"SD2006: kept to be looked at"}}}`)
	o = scan("--baseline", baseline)
	require.Empty(t, o.findings(), "the annotation of a pod, too")
	require.Equal(t, 2, o.report.Summary.Findings.Suppressed)
	require.Zero(t, o.report.Baseline.Findings.Resolved, "accepted is not resolved")

	merge(`{"metadata":{"annotations":{"sparkdoctor.io/ignore":"SD2006: kept to be looked at (until 2020-12-31)"}}}`)
	require.Equal(t, []string{"warning proven SD0001 Pod accepted/etl-driver", ownerless}, scan().findings())

	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
	require.NoError(t, s.cp.Client.CoreV1().Pods(ns).Delete(t.Context(), "etl-driver", metav1.DeleteOptions{}))
	until(t, "both findings to be resolved", func(context.Context) (bool, error) {
		return scan("--baseline", baseline).report.Baseline.Findings.Resolved == 2, nil
	})
}

// dashboards reads what Prometheus gets of a healthy installation.
func dashboards(t *testing.T, s situation) {
	o := s.doctor.run(t, "scan", "-o", "prometheus", "--confirm-after", "1s")
	for _, line := range []string{
		`(?m)^sparkdoctor_scan_duration_seconds \d`, `(?m)^sparkdoctor_scan_complete 1$`,
		`(?m)^sparkdoctor_certificate_expiry_timestamp_seconds\{namespace="spark-operator",secret="spark-operator-webhook-certs",role="ca"\} \d+$`,
		`(?m)^sparkdoctor_certificate_expiry_timestamp_seconds\{namespace="spark-operator",secret="spark-operator-webhook-certs",role="server"\} \d+$`,
	} {
		require.Regexp(t, line, o.stdout)
	}
}
