package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
)

// node is node n1, whose condition Ready is as old as it says.
func node(ready, reason, message string, since time.Duration) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"n-1"},"status":{"conditions":[
		{"type":"MemoryPressure","status":%q,"lastTransitionTime":"2026-11-20T01:00:00Z"},
		{"type":"Ready","status":%q,"reason":%q,"message":%q,"lastTransitionTime":%q}]}}`, ready, ready, reason, message, checktest.Now().Add(-since).Format(time.RFC3339))
}

// TestDriversThatNoKubeletReports: pods as the node controller and the taint manager of 1.36.3 leave them.
func TestDriversThatNoKubeletReports(t *testing.T) {
	const (
		onNode    = `"nodeName":"n1","schedulerName":"default-scheduler"`
		container = `"containerStatuses":[{"name":"spark-kubernetes-driver","ready":true,"state":{"running":{"startedAt":"2026-11-20T03:00:20Z"}}}]`
		ready     = `"phase":"Running","conditions":[{"type":"Ready","status":"True"},{"type":"ContainersReady","status":"True"}],` + container
		unready   = `{"type":"Ready","status":"False","lastTransitionTime":"2026-11-20T03:16:00Z"},{"type":"ContainersReady","status":"True"}`
		markedNow = `"phase":"Running","conditions":[{"type":"Ready","status":"False","lastTransitionTime":"2026-11-20T03:55:00Z"},{"type":"ContainersReady","status":"True"}],` + container
		marked    = `"phase":"Running","conditions":[` + unready + `],` + container
		tainted   = `"phase":"Running","conditions":[` + unready +
			`,{"type":"DisruptionTarget","status":"True","reason":"DeletionByTaintManager","message":"Taint manager: deleting due to NoExecute taint"}],` + container
		probe       = `"phase":"Running","conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady","lastTransitionTime":"2026-11-20T03:16:00Z"},{"type":"ContainersReady","status":"False"}],` + container
		gates       = `"phase":"Running","conditions":[{"type":"Ready","status":"False","reason":"ReadinessGatesNotReady","lastTransitionTime":"2026-11-20T03:16:00Z"},{"type":"ContainersReady","status":"True"}],` + container
		ended       = `"phase":"Succeeded"`
		terminating = `,"deletionTimestamp":"2026-11-20T03:21:30Z","deletionGracePeriodSeconds":30`
		justDeleted = `,"deletionTimestamp":"2026-11-20T03:58:00Z","deletionGracePeriodSeconds":30`
		held        = terminating + `,"finalizers":["example.com/hold"]`
	)
	lost := node("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.", 44*time.Minute)
	fine := node("True", "KubeletReady", "kubelet is posting ready status", 44*time.Minute)
	for name, tt := range map[string]struct{ state, metadata, status, node, want string }{
		"it runs": {"RUNNING", "", ready, "", ""},
		"it runs, on a node of which is said otherwise": {"RUNNING", "", ready, fine, ""},
		"its readiness probe fails":                     {"RUNNING", "", probe, "", ""},
		"its readiness gate is closed":                  {"RUNNING", "", gates, "", ""},
		"it ended and is deleted":                       {"RUNNING", terminating, ended, lost, ""},
		"it was deleted just now":                       {"RUNNING", justDeleted, ready, "", ""},
		"it was marked just now":                        {"RUNNING", "", markedNow, "", ""},
		"the node went just now": {"RUNNING", "", markedNow,
			node("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.", 5*time.Minute), ""},
		"a finalizer holds it":  {"RUNNING", held, ready, fine, ""},
		"the kubelet is back":   {"RUNNING", "", marked, fine, ""},
		"the application ended": {"COMPLETED", terminating, tainted, lost, ""},
		"the node is lost": {
			"RUNNING", "", marked, lost,
			`error proven: RUNNING, but driver pod "etl-driver" is on node "n1", which has been NotReady for 44 min (NodeStatusUnknown: Kubelet stopped posting node status)`,
		},
		"the node is lost and its pods are deleted": {
			"RUNNING", terminating, tainted, lost,
			`error proven: RUNNING, but driver pod "etl-driver" has been terminating for 38 min on node "n1", which has been NotReady for 44 min (NodeStatusUnknown: Kubelet stopped posting node status)`,
		},
		"the node is lost, and a finalizer holds the pod": {
			"UNKNOWN", held, tainted, lost,
			`error proven: UNKNOWN, but driver pod "etl-driver" is on node "n1", which has been NotReady for 44 min (NodeStatusUnknown: Kubelet stopped posting node status)`,
		},
		"the kubelet says that it is not ready": {
			"RUNNING", "", marked, node("False", "KubeletNotReady", "container runtime is down", 20*time.Minute),
			`warning proven: RUNNING, but driver pod "etl-driver" is on node "n1", which has been NotReady for 20 min (KubeletNotReady: container runtime is down)`,
		},
		"the node was not seen": {
			"RUNNING", "", marked, "",
			`error likely: RUNNING, but driver pod "etl-driver" on node "n1" has been unready for 44 min although its containers were ready last: the node seems lost`,
		},
		"the node was not seen, and its pods are deleted": {
			"RUNNING", terminating, tainted, "",
			`error likely: RUNNING, but driver pod "etl-driver" has been terminating for 38 min because node "n1" was lost (DeletionByTaintManager)`,
		},
		"deleted by someone, and the node was not seen": {
			"RUNNING", terminating, ready, "",
			`error likely: RUNNING, but driver pod "etl-driver" has been terminating for 38 min on node "n1", whose kubelet does not report its end`,
		},
		"deleted by someone, and the node is fine": {
			"RUNNING", terminating, ready, fine,
			`warning proven: RUNNING, but driver pod "etl-driver" has been terminating for 38 min on node "n1", whose kubelet does not report its end`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			documents := []string{checktest.Application(tt.state, ""),
				checktest.SparkPod("driver", "etl-driver", time.Hour, tt.metadata, onNode, tt.status)}
			if tt.node != "" {
				documents = append(documents, tt.node)
			}
			got := messages(asked(t, "SD6013", documents...))
			if tt.want == "" {
				require.Empty(t, got)
				return
			}
			require.Equal(t, []string{tt.want + "; it counts as running until that node is back or deleted"}, got)
			require.Empty(t,
				asked(t, "SD6013", checktest.Application(tt.state, ""), strings.ReplaceAll(documents[1], `"driver"`, `"executor"`), lost).Findings,
				"executors are replaced")
		})
	}
}
