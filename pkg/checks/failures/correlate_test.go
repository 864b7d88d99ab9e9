package failures_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

// failedRuns are applications of team-a that failed minutes ago, each of them never submitted unless it was executed.
func failedRuns(now time.Time, message string, executed int, names ...string) string {
	var b strings.Builder
	for i, name := range names {
		at := now.Add(-time.Duration(i+1) * time.Minute).Format(time.RFC3339)
		fmt.Fprintf(&b, `---
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: %s, namespace: team-a, uid: f%s, creationTimestamp: %q}
spec: {type: Scala, mode: cluster, driver: {serviceAccount: spark}}
status:
  applicationState: {state: FAILED, errorMessage: %q}
  lastSubmissionAttemptTime: %q
  terminationTime: %q
  submissionAttempts: 1
  executionAttempts: %d
`, name, name, at, message, at, at, executed)
	}
	return b.String()
}

// correlated are the findings of all checks about the objects of a fixture of another area, and of applications that failed there.
func correlated(t *testing.T, fixture string, runs func(time.Time) string) map[string][]check.Reported {
	t.Helper()
	text, err := os.ReadFile(fixture)
	require.NoError(t, err)
	now := checktest.Read(t, fixture).AsOf
	s := checktest.Parse(t, string(text)+"\n"+runs(now), now)
	out := map[string][]check.Reported{}
	for _, r := range check.Correlate(check.Run(s, checks.All(), check.DefaultParams())) {
		out[r.Check.ID] = r.Findings
	}
	return out
}

// TestPlatformFaultsAreTheCause: what another check knows of the platform is said once, and the failures are its effects. A warning is as
// bad as what causes it; an info stays one, be its cause an error.
func TestPlatformFaultsAreTheCause(t *testing.T) {
	const calls = `pods "x-driver" could not be created: Internal error occurred: failed calling webhook "%s": failed to call webhook: ` +
		`no endpoints available for service "x"`
	ours := "failed to submit spark application: failed to run spark-submit: " + fmt.Sprintf(calls, "mutate--v1-pod.sparkoperator.k8s.io")
	theirs := "failed to submit spark application: failed to run spark-submit: " + fmt.Sprintf(calls, "sidecar.istio.io")
	const down = "../webhook/testdata/SD1002/no-endpoints-fail.yaml"
	for name, c := range map[string]struct {
		fixture, message string
		executed         int
		names            []string
		cause            string // empty: none
		severity         check.Severity
	}{
		"all runs refused for the webhook": {down, ours, 0, []string{"a", "b", "c"}, "SD1002", check.Error},
		"one run refused for the webhook":  {down, ours, 0, []string{"a"}, "SD1002", check.Info},
		"another webhook is down":          {down, theirs, 0, []string{"a", "b", "c"}, "", check.Warning},
		"memory, whatever the webhook does": {down, "driver container failed with ExitCode: 137, Reason: OOMKilled", 1, []string{"a"}, "",
			check.Info},
		"the account does not exist": {"../permissions/testdata/SD5007/missing.yaml", `failed to submit spark application: failed to run ` +
			`spark-submit: pods "a-driver" is forbidden: error looking up service account team-a/spark: serviceaccount "spark" not found`, 0,
			[]string{"a"}, "SD5007", check.Info},
		"the account may not": {"../permissions/testdata/SD5007/unbound.yaml", "driver container failed with ExitCode: 1, Reason: Error", 1,
			[]string{"a"}, "SD5007", check.Info},
		"memory, whatever the account may": {"../permissions/testdata/SD5007/unbound.yaml",
			"driver container failed with ExitCode: 137, Reason: OOMKilled", 1, []string{"a"}, "", check.Info},
	} {
		t.Run(name, func(t *testing.T) {
			found := correlated(t, c.fixture, func(now time.Time) string { return failedRuns(now, c.message, c.executed, c.names...) })
			require.Len(t, found["SD8001"], 1)
			f := found["SD8001"][0]
			require.Equal(t, c.severity, f.Severity, f.Message)
			if c.cause == "" {
				require.Empty(t, f.CausedBy)
				return
			}
			var names []string
			for i := range found[c.cause] {
				names = append(names, found[c.cause][i].Fingerprint())
			}
			require.NotEmpty(t, f.CausedBy)
			require.Subset(t, f.CausedBy, names)
		})
	}
}

// TestSaidByAnotherCheck: an application of which SD6006 tells why it failed is an effect there, and executors that the cluster takes are
// the cause where SD6010 counts them.
func TestSaidByAnotherCheck(t *testing.T) {
	const taken = "../lifecycle/testdata/SD6006/runs-unwatched.yaml"
	found := correlated(t, taken, func(time.Time) string { return "" })
	require.NotEmpty(t, found["SD6006"])
	for _, f := range found["SD8001"] {
		require.NotEmpty(t, f.CausedBy, f.Message)
	}
	require.NotEmpty(t, found["SD8001"])

	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	text, err := os.ReadFile("testdata/SD8003/evicted.yaml")
	require.NoError(t, err)
	churning := strings.Replace(string(text), "  submissionAttempts: 1\n",
		"  submissionAttempts: 1\n  executorState: {"+failedEntries(40)+"}\n", 1)
	require.NotEqual(t, string(text), churning)
	results := check.Correlate(check.Run(checktest.Parse(t, churning, now), checks.All(), check.DefaultParams()))
	by := map[string]check.Reported{}
	for _, r := range results {
		for _, f := range r.Findings {
			by[r.Check.ID] = f
		}
	}
	lost := by["SD8003"]
	require.Equal(t, []string{lost.Fingerprint()}, by["SD6010"].CausedBy)
}

func failedEntries(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("etl-3f9a-exec-%d: FAILED", i+1))
	}
	return strings.Join(list, ", ")
}

// TestFailuresFoldByCause: fourteen drivers that were killed for memory are one finding, another cause and another namespace are others.
func TestFailuresFoldByCause(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	var names []string
	for i := range 14 {
		names = append(names, fmt.Sprintf("nightly-%02d", i))
	}
	memory := failedRuns(now, "driver container failed with ExitCode: 137, Reason: OOMKilled", 1, names...)
	text := memory + strings.ReplaceAll(failedRuns(now, "driver container failed with ExitCode: 137, Reason: OOMKilled", 1, "other"), "team-a",
		"team-b") +
		failedRuns(now, "driver container failed with ExitCode: 3, Reason: Error", 1, "exits")
	var said []string
	for _, r := range check.Correlate(check.Run(checktest.Parse(t, text, now), checks.All(), check.DefaultParams())) {
		for _, f := range r.Findings {
			if r.Check.ID == "SD8001" {
				said = append(said, fmt.Sprintf("%s %d %s", f.Severity, f.Affected(), f.Subject))
			}
		}
	}
	require.ElementsMatch(t, []string{"info 14 14 applications in team-a", "info 1 ", "info 1 "}, said)
}
