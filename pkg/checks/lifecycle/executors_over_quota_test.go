package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
)

// TestExecutorsOverQuota: quotas as the API server counts them.
func TestExecutorsOverQuota(t *testing.T) {
	quota := func(spec, hard, used string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"compute","namespace":"team-a"},"spec":{%s},"status":{"hard":{%s},"used":{%s}}}`, spec, hard, used)
	}
	executor := func(n int, status string) string {
		return checktest.SparkPod("executor", fmt.Sprint("etl-exec-", n), time.Hour, "",
			`"containers":[{"name":"spark-kubernetes-executor","resources":{"requests":{"cpu":"2","memory":"4Gi"}}}]`, status)
	}
	const three = `,"executor":{"instances":3}`
	two := []string{executor(1, runs), executor(2, runs)}
	full := quota("", `"requests.memory":"16Gi","pods":"100"`, `"requests.memory":"13Gi","pods":"4"`)
	for name, tt := range map[string]struct {
		spec, quota string
		pods        []string
		want        string
	}{
		"room":               {three, quota("", `"requests.memory":"17Gi","pods":"4"`, `"requests.memory":"13Gi","pods":"3"`), two, ""},
		"all are there":      {`,"executor":{"instances":2}`, full, two, ""},
		"one is pending":     {three, full, append([]string{executor(3, noRoom)}, two...), ""},
		"dynamic allocation": {three + `,"dynamicAllocation":{"enabled":true}`, full, two, ""},
		"of other pods":      {three, quota(`"scopes":["BestEffort"]`, `"pods":"4"`, `"pods":"4"`), two, ""},
		"other resources":    {three, quota("", `"secrets":"4"`, `"secrets":"4"`), two, ""},
		"elsewhere":          {three, strings.ReplaceAll(full, "team-a", "team-b"), two, ""},
		"memory": {three, full, two, "2 of 3 executors exist, and ResourceQuota team-a/compute has no room for another " +
			"(requests.memory: 13Gi of 16Gi used)"},
		"pods": {three, quota("", `"pods":"3"`, `"pods":"3"`), two,
			"2 of 3 executors exist, and ResourceQuota team-a/compute has no room for another (pods: 3 of 3 used)"},
		"cores": {three, quota("", `"requests.cpu":"6"`, `"requests.cpu":"4500m"`), two,
			"2 of 3 executors exist, and ResourceQuota team-a/compute has no room for another (requests.cpu: 4500m of 6 used)"},
		"none, of any size": {three, quota("", `"requests.cpu":"1"`, `"requests.cpu":"1"`), nil,
			"0 of 3 executors exist, and ResourceQuota team-a/compute has no room for another (requests.cpu: 1 of 1 used)"},
		"none, and room": {three, quota("", `"requests.cpu":"2"`, `"requests.cpu":"1"`), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			documents := append([]string{checktest.Application("RUNNING", tt.spec),
				checktest.SparkPod("driver", "etl-driver", time.Hour, "", "", runs), tt.quota}, tt.pods...)
			got := messages(asked(t, "SD6015", documents...))
			if tt.want == "" {
				require.Empty(t, got)
				return
			}
			require.Equal(t, []string{"warning likely: " + tt.want + ": the API server rejects their pods, and only the driver's log says so"}, got)
		})
	}
}
