package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// started is an application that has run since a time and has gone through so many executors.
func started(name, state, at string, executors int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `---
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: %s, namespace: team-a}
spec: {mode: cluster}
status:
  applicationState: {state: %s}
  lastSubmissionAttemptTime: %q
  executorState:
`, name, state, at)
	for i := range executors {
		fmt.Fprintf(&b, "    %s-exec-%d: COMPLETED\n", name, i+1)
	}
	return b.String()
}

// TestMeasureGrowth: only a long list of an application that runs grows, and only where no limit of the operator ends it before.
func TestMeasureGrowth(t *testing.T) {
	measure := func(limit int, texts ...string) []ApplicationGrowth {
		file := filepath.Join(t.TempDir(), "apps.yaml")
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(texts, "")), 0o600))
		now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		s, _, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{file}, Now: now})
		require.NoError(t, err)
		s.TakenAt = now
		p := check.DefaultParams()
		p.MaxObjectSize = limit
		return Measure(s, p).Growing
	}
	list := measure(500_000, started("slow", "RUNNING", "2026-11-20T12:00:00Z", 2000),
		started("fast", "RUNNING", "2026-11-21T10:00:00Z", 2000),
		started("few", "RUNNING", "2026-11-21T11:00:00Z", 300), started("done", "COMPLETED", "2026-11-21T10:00:00Z", 2000))
	require.Len(t, list, 2)
	require.Equal(t, []string{"fast", "slow"}, []string{list[0].Name, list[1].Name}, "the soonest first")
	require.Equal(t, 1000, list[0].EntriesPerHour)
	hours := float64(500_000-list[0].Bytes) / float64(list[0].BytesPerHour)
	require.InDelta(t, hours, list[0].Full.Sub(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)).Hours(), .1)
	require.Empty(t, measure(1_000_000_000, started("slow", "RUNNING", "2026-11-20T12:00:00Z", 2000)), "full in years")
	require.Empty(t, measure(1000, started("fast", "RUNNING", "2026-11-21T10:00:00Z", 2000)), "it is full already")

	controller, err := os.ReadFile("../../examples/broken-cluster/deployments.yaml")
	require.NoError(t, err)
	tracked := func(limit int) string {
		const flag = "--max-tracked-executor-per-app="
		text := strings.ReplaceAll(string(controller), flag+"50000", fmt.Sprint(flag, limit))
		require.Contains(t, text, fmt.Sprintf("=%d", limit))
		return text + "\n"
	}
	fast := started("fast", "RUNNING", "2026-11-21T10:00:00Z", 2000)
	require.Len(t, measure(500_000, tracked(40_000), fast), 1)
	require.Empty(t, measure(500_000, tracked(3000), fast), "the operator records no more than 3000")
}

// TestByCauseHasEveryFindingOnce: also what does not count, and an effect with its cause.
func TestByCauseHasEveryFindingOnce(t *testing.T) {
	finding := func(name string, causes ...string) Item {
		return Item{Metadata: Name{name}, Check: "SD2001", Severity: "error", CausedBy: causes, Object: snapshot.Ref{Kind: "Pod", Name: name}}
	}
	r := &Report{Items: []Item{finding("one"), finding("two", "one"), finding("three", "two"), finding("four")}}
	r.Items[1].Check, r.Items[2].Check, r.Items[3].Suppression = "SD2002", "SD2003", &Suppression{By: "flag"}
	list := r.ByCause()
	require.Len(t, list, 2)
	require.Equal(t, []*Item{&r.Items[0]}, list[0].Own)
	require.Equal(t, []*Item{&r.Items[1], &r.Items[2]}, list[0].Below)
	require.Equal(t, []*Item{&r.Items[3]}, list[1].Own)
}
