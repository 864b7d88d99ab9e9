package why_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// answerFixtures asks for the answers to fixtures of mechanisms in other words, or with a fact changed that must change the answer.
func answerFixtures(t *testing.T, variants map[string]variant) {
	t.Helper()
	all := fixtures(t)
	for name, v := range variants {
		t.Run(name, func(t *testing.T) {
			at := slices.IndexFunc(all, func(c corpus.Case) bool { return c.ID == v.of })
			require.GreaterOrEqual(t, at, 0, v.of)
			c := all[at]
			c.ObjectsYAML = replaced(t, c.ObjectsYAML, v.objects)
			if len(v.logs) > 0 {
				c.Logs = map[string]string{v.logs[0]: v.logs[1]}
			}
			one := decoded(t, c)
			f := why.Open(one.Evidence(one.objects))
			text := f.State.Word + "\n" + corpus.Text(f.Verdict())
			require.Equal(t, v.class, string(f.Verdict().Class), text)
			for _, word := range v.says {
				require.Contains(t, text, word)
			}
			for _, word := range v.not {
				require.NotContains(t, text, word)
			}
		})
	}
}

// TestExecutorsThatApacheWaitsFor: only what Spark's own settings do not allow can never come.
func TestExecutorsThatApacheWaitsFor(t *testing.T) {
	const of, most, allocates = "apache-executors-timed-out", `spark.dynamicAllocation.maxExecutors: "8"`,
		`spark.dynamicAllocation.enabled: "true"`
	gaveUp := []string{"currentStateSummary: ExecutorsStartTimedOut", "currentStateSummary: DriverReady", "'6': {", "'x': {",
		"ResourceReleased, lastTransitionTime: \"2026-11-25T14:05:35.305552Z\"}\n  state",
		"DriverReady, lastTransitionTime: \"2026-11-25T14:11:00Z\"}\n  state"}
	answerFixtures(t, map[string]variant{
		"enough are allowed": {of: of, objects: []string{most, `spark.dynamicAllocation.maxExecutors: "12", ` +
			`spark.dynamicAllocation.minExecutors: "4"`}, class: "scheduling", says: []string{"fewer than 12 executors", "begins with 4"},
			not: []string{"never"}},
		"no bound": {of: of, objects: []string{", " + most, ""}, class: "scheduling", not: []string{"never"}},
		"a fixed number": {of: of, objects: []string{allocates, `spark.executor.instances: "3"`}, class: "configuration",
			says: []string{"3 executors at most (spark.executor.instances)"}},
		"no number": {of: of, objects: []string{allocates + ", ", ""}, class: "configuration",
			says: []string{"2 executors at most (spark.executor.instances is not set)"}},
		"not given up yet": {of: of, objects: gaveUp, class: "configuration", says: []string{"will end the application in 4 min"}},
		"it waits for no end": {of: of, objects: append([]string{"{instanceConfig:", "{applicationTimeoutConfig: " +
			"{executorStartTimeoutMillis: -1}, instanceConfig:"}, gaveUp...), class: "unknown", not: []string{"never"}},
	})
}

// TestDriversThatApacheGaveUp: what the operator saw of the driver says what it waited for.
func TestDriversThatApacheGaveUp(t *testing.T) {
	state := func(to string) []string { return []string{"currentStateSummary: Failed", "currentStateSummary: " + to} }
	waits := append(state("DriverStartTimedOut"), "{terminated: {exitCode: 1, reason: Error, finishedAt: \"2026-11-25T14:04:01Z\"}}",
		"{waiting: {reason: ImagePullBackOff, message: 'Back-off pulling image \"x:1\"'}}")
	answerFixtures(t, map[string]variant{
		"to start":    {of: "apache-failed", objects: waits, class: "configuration", says: []string{"5 min", "ImagePullBackOff", "driverStart"}},
		"to be ready": {of: "apache-failed", objects: state("DriverReadyTimedOut"), class: "configuration", says: []string{"driverReady"}},
		"killed for memory": {of: "apache-failed", objects: []string{"exitCode: 1, reason: Error", "exitCode: 137, reason: OOMKilled"},
			class: "clusterKilled", says: []string{"OOMKilled, exit code 137"}},
		"its log tells": {of: "apache-failed", class: "codeFailed", says: []string{"by zero"},
			logs: []string{"pricing_price-join-0-driver_spark-kubernetes-driver.log", "26/11/25 14:00:09 INFO SparkContext: Running Spark " +
				"version 4.0.1\nException in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat x.Y$.main(Y.scala:12)\n"}},
		"refused otherwise": {of: "apache-refused", objects: []string{"forbidden: exceeded quota: pricing-compute, requested: requests.cpu=5, " +
			"used: requests.cpu=158, limited: requests.cpu=160.", "odd."}, class: "submission", says: []string{"odd"}},
		"to be tried again": {of: "apache-stopped", objects: []string{"currentStateSummary: ResourceReleased",
			"currentStateSummary: ScheduledToRestart", "RunningHealthy,", "Failed,"}, class: "unknown", says: []string{"starts it again"}},
		"no state": {of: "apache-stands", objects: []string{"currentStateSummary: RunningHealthy", "other: x"}, class: "unknown",
			says: []string{"has not written a state"}},
	})
}
