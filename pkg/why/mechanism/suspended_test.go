package mechanism_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSuspended: a job that is over is not suspended by spec.suspend, and neither is one that still runs.
func TestSuspended(t *testing.T) {
	driver := pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]", running)
	const starts, waits = "so the operator starts nothing", "has not suspended the application"
	for name, c := range map[string]struct {
		suspend, state string
		docs           []string
		want, never    string
	}{
		"suspended":             {"true", "SUSPENDED", nil, starts, waits},
		"on its way":            {"true", "SUSPENDING", []string{driver}, starts, waits},
		"between two runs":      {"true", "PENDING_RERUN", nil, starts, waits},
		"it runs":               {"true", "RUNNING", []string{driver}, waits, starts},
		"its driver is gone":    {"true", "RUNNING", nil, starts, waits},
		"it completed":          {"true", "COMPLETED", nil, "", starts},
		"it failed":             {"true", "FAILED", nil, "", starts},
		"it runs, as it should": {"false", "RUNNING", []string{driver}, "", waits},
	} {
		app := application("suspend: "+c.suspend, "applicationState: {state: "+c.state+"}")
		said := messages(said(given(t, append([]string{app}, c.docs...)...)))
		require.Contains(t, said, c.want, name)
		require.NotContains(t, said, c.never, name)
	}
}

// TestDeletedToSuspend: a suspension deletes the driver, and so does a change of the spec.
func TestDeletedToSuspend(t *testing.T) {
	driver := deleted(pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]", `phase: Failed, containerStatuses: `+
		`[{name: spark-kubernetes-driver, state: {terminated: {exitCode: 143, reason: Error, finishedAt: "2026-11-23T11:30:00Z"}}}]`),
		"2026-11-23T11:30:30Z", "example.com/a")
	for state, says := range map[string]string{
		"SUSPENDING":    "deleted it to suspend the application",
		"SUSPENDED":     "deleted it to suspend the application",
		"PENDING_RERUN": "restarts the job because its spec was changed",
		"INVALIDATING":  "restarts the job because its spec was changed",
	} {
		app := application("suspend: false", "applicationState: {state: "+state+"}")
		require.Contains(t, messages(said(given(t, app, driver))), says, state)
	}
}

func messages(causes []saidCause) string {
	var out []string
	for _, c := range causes {
		out = append(out, c.Message)
	}
	return strings.Join(out, "\n")
}
