package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// TestBrokenCluster pins what is found in the example: it is recorded, the checks go on.
func TestBrokenCluster(t *testing.T) {
	streams, _, stdout, stderr := genericiooptions.NewTestIOStreams()
	code := cli.Run(t.Context(), []string{"scan", "-f", filepath.Join("..", "..", "examples", "broken-cluster"), "--complete", "-o", "json"},
		streams)
	require.Equal(t, 1, code, stderr)
	require.Equal(t, []string{
		"error SD2001 team-a/sales-8kd2v",
		"error SD2004 argo/sales",
		"error SD2005 nightly/ledger-driver",
		"error SD2003 team-a/sales-5tz9r",
		"error SD2005 nightly/ledger",
		"warning SD3005 nightly/inventory",
		"warning SD1001 /spark-operator-webhook",
		"warning SD3001 streaming/clickstream",
		"warning SD3002 spark-operator/spark-operator-controller",
		"warning SD2006 streaming/sessions-driver",
		"info SD1001 /spark-operator-webhook",
	}, findingsOf(t, stdout))
}

// findingsOf are "severity check namespace/name", in the report's order.
func findingsOf(t *testing.T, stdout *bytes.Buffer) []string {
	t.Helper()
	var report struct {
		Items []struct {
			Severity, Check string
			Object          struct{ Namespace, Name string }
		}
	}
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &report))
	var list []string
	for _, i := range report.Items {
		list = append(list, i.Severity+" "+i.Check+" "+i.Object.Namespace+"/"+i.Object.Name)
	}
	return list
}
