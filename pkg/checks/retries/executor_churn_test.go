package retries_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/retries"
)

// TestHowExecutorsEnded: what stands at the pod counts before what its container says.
func TestHowExecutorsEnded(t *testing.T) {
	const container = `"containerStatuses":[{"name":"spark-kubernetes-executor","state":{"terminated":{"exitCode":137,"reason":%q,"finishedAt":"2026-11-20T03:30:00Z"}}}]`
	documents := []string{checktest.Application("RUNNING", "")}
	for i := range 3 {
		documents = append(documents, checktest.SparkPod("executor", fmt.Sprint("etl-exec-", i), time.Hour, "", "",
			`"phase":"Failed",`+fmt.Sprintf(container, "OOMKilled")))
	}
	for i := range 2 {
		documents = append(documents, checktest.SparkPod("executor", fmt.Sprint("etl-exec-1", i), time.Hour, "", "",
			`"phase":"Failed","reason":"Evicted","message":"The node was low on resource: ephemeral-storage.",`+fmt.Sprintf(container, "Error")))
	}
	r := checktest.Ask(t, checktest.Parse(t, strings.Join(documents, "\n---\n"), checktest.Now()),
		checktest.Lookup(t, retries.Checks(), "SD6010"))
	require.Len(t, r.Findings, 1)
	require.Contains(t, r.Findings[0].Message, "among the remaining pods: 3 OOMKilled (exit code 137), 2 Evicted")
}
