package why_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// variant is a case of the corpus in other words, or with a fact changed that must change the answer.
type variant struct {
	of      string // PART/NUMBER
	objects []string
	logs    []string // old, new, old, new; an old text that is empty: the new one is all of every log
	class   string
	says    []string
	not     []string // what its message must not say
}

func (v variant) open(t *testing.T) why.CaseFile {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata/corpus", v.of+"-*"))
	require.NoError(t, err)
	require.Len(t, dirs, 1, v.of)
	c := readCase(t, filepath.Dir(v.of), dirs[0])
	c.dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "objects.yaml"), []byte(replaced(t, c.objectText, v.objects)), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(c.dir, "logs"), 0o700))
	for file, log := range c.logs {
		if len(v.logs) > 0 && v.logs[0] == "" {
			log = v.logs[1]
		} else if strings.Contains(log, strings.Join(v.logs[:min(len(v.logs), 1)], "")) {
			log = replaced(t, log, v.logs)
		}
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, "logs", file), []byte(log), 0o600))
	}
	return c.why(t)
}

func replaced(t *testing.T, text string, pairs []string) string {
	t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		require.Contains(t, text, pairs[i])
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

func answerVariants(t *testing.T, variants map[string]variant) {
	t.Helper()
	for name, v := range variants {
		t.Run(name, func(t *testing.T) {
			f := v.open(t)
			text := verdictText(&f)
			require.Equal(t, v.class, string(f.Verdict().Class), text)
			for _, word := range v.says {
				require.Contains(t, text, word)
			}
			for _, word := range v.not {
				require.NotContains(t, f.Verdict().Message, word)
			}
		})
	}
}

// TestWhatATaskToldIsTheCause: a job is given up with less than its task told, in the words of several releases.
func TestWhatATaskToldIsTheCause(t *testing.T) {
	const wrapper = "org.apache.spark.SparkException: Writing job aborted\n"
	answerVariants(t, map[string]variant{
		"job aborted": {of: "frozen/073", logs: []string{wrapper, "org.apache.spark.SparkException: Job aborted.\n"}, class: "configuration",
			says: []string{"no AWS region"}},
		"error class of 3.4": {of: "frozen/073", logs: []string{wrapper, "org.apache.spark.SparkException: [TASK_WRITE_FAILED] Task failed " +
			"while writing rows to s3://lake/orders.\n"}, class: "configuration", says: []string{"no AWS region", "orders_merge"}},
		"another exception is not retold": {of: "frozen/073", logs: []string{wrapper, "java.lang.IllegalStateException: two writers\n"},
			class: "codeFailed", says: []string{"two writers"}, not: []string{"region"}},
		"tasks of another job were survived": {of: "frozen/073", logs: []string{
			"26/05/09 09:50:52 ERROR AppendDataExec: Data source write support IcebergBatchWrite(table=lake.sales.orders, format=PARQUET) is " +
				"aborting.",
			"26/05/09 09:50:52 INFO SparkContext: Starting job: append at orders_merge.py:44"}, class: "unknown", not: []string{"region"}},
	})
}

// TestApplicationsEndThemselves: what the application wrote last is why it ended itself, if the application wrote it.
func TestApplicationsEndThemselves(t *testing.T) {
	const one = "26/09/01 04:01:01 ERROR Gate: rule invoices.customer_exists: FAIL (8842 of 1204331 rows, threshold 0.1%)\n"
	const two = "26/09/01 04:01:02 ERROR Gate: 1 of 3 rules failed for partition dt=2026-08-31; refusing to publish\n"
	answerVariants(t, map[string]variant{
		"a logger of Python": {of: "fresh/452", logs: []string{one + two,
			"2026-09-01 04:01:02,114 - dq.gate - ERROR - 8842 of 1204331 rows have no customer, " +
				"exiting\n"}, class: "codeFailed", says: []string{"8842"}},
		"a name before the level": {of: "fresh/452", logs: []string{one + two, "2026-09-01 04:01:02,114 dq_gate ERROR 8842 rows have no " +
			"customer\n"},
			class: "codeFailed", says: []string{"8842"}},
		"printed": {of: "fresh/452", logs: []string{one + two, "Quality check failed: 8842 rows have no customer. " +
			"Exiting.\n"}, class: "codeFailed",
			says: []string{"8842"}},
		"logback with the package": {of: "fresh/452", logs: []string{one + two,
			"04:01:02.114 [main] ERROR net.example.dq.Gate - 8842 rows have no customer\n"}, class: "codeFailed", says: []string{"8842"}},
		"printed, and no complaint": {of: "fresh/452", logs: []string{one + two, "processed 1204331 rows\n"}, class: "unknown"},
		"Spark said it": {of: "fresh/452", logs: []string{one + two, "26/09/01 04:01:02 ERROR TransportRequestHandler: Error sending result\n"},
			class: "unknown"},
		"Spark said it, and its name is cut": {of: "fresh/452", logs: []string{one + two,
			"26/09/01 04:01:02 ERROR scheduler.cluster.TaskSchedulerImpl: Lost executor 1 on 10.0.0.1: failed\n"}, class: "unknown"},
		"Hadoop said it": {of: "fresh/452", logs: []string{one + two,
			"26/09/01 04:01:02 ERROR org.apache.hadoop.util.Shell: Failed to locate the binary\n"}, class: "unknown"},
	})
}

// TestInitContainersSayWhy: an init container that failed, or hangs, is read with its log.
func TestInitContainersSayWhy(t *testing.T) {
	answerVariants(t, map[string]variant{
		"wget of busybox": {of: "frozen/010", logs: []string{"", "wget: bad address 'rules.compliance.svc'\n"}, class: "network",
			says: []string{"fetch-rules", "exit code 6", "rules.compliance.svc"}},
		"git": {of: "frozen/010", logs: []string{"", "Cloning into '/dags'...\nfatal: unable to access 'https://git.example.net/a.git/': " +
			"Could not " +
			"resolve host: git.example.net\n"}, class: "network", says: []string{"git.example.net"}},
		"aws": {of: "frozen/010", logs: []string{"", "fatal error: An error occurred (403) when calling the HeadObject operation: Access " +
			"Denied\n"},
			class: "credentials", says: []string{"HeadObject"}},
		"words that tell nothing are quoted": {of: "frozen/010", logs: []string{"", "checksum of rules.json differs\n"}, class: "configuration",
			says: []string{"fetch-rules", "checksum of rules.json differs"}},
		"no log": {of: "frozen/010", logs: []string{"", "\n"}, class: "configuration", says: []string{"fetch-rules", "exit code 6"}},
		"waits for a database": {of: "fresh/464", logs: []string{"", "nc: bad address 'db.payments.svc'\nnc: bad address 'db.payments.svc'\n"},
			class: "network", says: []string{"vault-agent-init", "db.payments.svc"}},
		"waits silently": {of: "fresh/464", logs: []string{"", "waiting for token\n"}, class: "unknown", says: []string{"vault-agent-init"}},
	})
}

// TestRunningIsNotYetWorking: pods that run say nothing of a job that gets no executors.
func TestRunningIsNotYetWorking(t *testing.T) {
	const registered = "26/07/07 06:38:25 INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Registered executor " +
		"NettyRpcEndpointRef(spark-client://Executor) (10.202.26.104:1) with ID 3,  ResourceProfileId 0\n26/07/07 06:39:25 INFO " +
		"TaskSetManager: " +
		"Finished task 0.0 in stage 0.0 (TID 0) in 2389 ms on 10.202.26.104 (executor 3) (1/12)\n"
	const last = "26/07/07 06:18:45 WARN TaskSchedulerImpl: Initial job has not accepted any resources; check your cluster UI to " +
		"ensure that " +
		"workers are registered and have sufficient resources\n"
	answerVariants(t, map[string]variant{
		"they registered and finish tasks": {of: "frozen/012", logs: []string{last, last + registered}, class: "slowButProgressing"},
		"no policy, and they run for long": {of: "frozen/012", objects: []string{"kind: NetworkPolicy", "kind: " +
			"ConfigMap", "'2026-07-07T06:38:18Z'",
			"'2026-07-07T06:20:18Z'"}, class: "network", says: []string{"registered", "7078"}},
	})
}
