package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
)

// TestHowADriverEnded: statuses as kubelet 1.36.3 wrote them. Who ends a pod from outside says so at the pod, and its
// container then says Error and 137, which is no want of memory.
func TestHowADriverEnded(t *testing.T) {
	const container = `"containerStatuses":[{"name":"spark-kubernetes-driver","image":"spark:4.0.0","state":{"terminated":{`
	const at = `"startedAt":"2026-11-20T03:00:20Z","finishedAt":"2026-11-20T03:30:00Z"}}}]`
	for name, tt := range map[string]struct{ status, want, evidence string }{
		"killed for want of memory": {
			container + `"exitCode":137,"reason":"OOMKilled",` + at, "OOMKilled (exit code 137)",
			"spark-kubernetes-driver ended at 2026-11-20T03:30:00Z: OOMKilled (exit code 137)",
		},
		"crashed, with last words": {
			container + `"exitCode":1,"reason":"Error","message":"java.lang.RuntimeException: no input",` + at, "Error (exit code 1)",
			"spark-kubernetes-driver ended at 2026-11-20T03:30:00Z: Error (exit code 1): java.lang.RuntimeException: no input",
		},
		"killed by a signal": {
			container + `"exitCode":137,"reason":"Error",` + at, "Error (exit code 137, SIGKILL)",
			"spark-kubernetes-driver ended at 2026-11-20T03:30:00Z: Error (exit code 137, SIGKILL)",
		},
		"past its deadline": {
			`"reason":"DeadlineExceeded","message":"Pod was active on the node longer than the specified deadline",` + container +
				`"exitCode":137,"reason":"Error",` + at,
			"DeadlineExceeded", "DeadlineExceeded: Pod was active on the node longer than the specified deadline",
		},
		"evicted": {
			`"reason":"Evicted","message":"Usage of EmptyDir volume \"spark-local-dir-1\" exceeds the limit \"20Mi\". ",
			"conditions":[{"type":"DisruptionTarget","status":"True","reason":"TerminationByKubelet"}],` + container + `"exitCode":137,"reason":"Error",` + at,
			"Evicted", `Evicted: Usage of EmptyDir volume "spark-local-dir-1" exceeds the limit "20Mi". `,
		},
		"drained": {
			`"conditions":[{"type":"DisruptionTarget","status":"True","reason":"EvictionByEvictionAPI"}],` + container +
				`"exitCode":143,"reason":"Error",` + at,
			"EvictionByEvictionAPI", "EvictionByEvictionAPI",
		},
		"out of memory before it was drained": {
			`"conditions":[{"type":"DisruptionTarget","status":"True","reason":"EvictionByEvictionAPI"}],` + container +
				`"exitCode":137,"reason":"OOMKilled",` + at,
			"OOMKilled (exit code 137)", "EvictionByEvictionAPI",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := asked(t, "SD6004", checktest.Application("RUNNING", ""), checktest.SparkPod("driver", "etl-driver", time.Hour, "", "", `"phase":"Failed",`+tt.status))
			require.Len(t, r.Findings, 1)
			require.Equal(t, `RUNNING, but driver pod "etl-driver" failed 30 min ago (03:30 UTC): `+tt.want, r.Findings[0].Message)
			var values []string
			for _, e := range r.Findings[0].Evidence {
				values = append(values, e.Value)
			}
			require.Contains(t, values, tt.evidence)
		})
	}
	t.Run("behind a sidecar", func(t *testing.T) {
		r := asked(t, "SD6004", checktest.Application("RUNNING", ""), checktest.SparkPod("driver", "etl-driver", time.Hour, "", "",
			`"phase":"Running",`+container+`"exitCode":137,"reason":"OOMKilled",`+at))
		require.Len(t, r.Findings, 1)
		require.Contains(t, r.Findings[0].Message,
			"exited 30 min ago (03:30 UTC): OOMKilled (exit code 137); another container keeps the pod running")
	})
}
