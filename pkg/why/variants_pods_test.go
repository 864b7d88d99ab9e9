package why_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInitContainersSayWhy: an init container that failed, or hangs, is read with its log.
func TestInitContainersSayWhy(t *testing.T) {
	answerVariants(t, map[string]variant{
		"wget of busybox": {of: "010", logs: []string{"", "wget: bad address 'rules.compliance.svc'\n"}, class: "network",
			says: []string{"fetch-rules", "exit code 6", "rules.compliance.svc"}},
		"git": {of: "010", logs: []string{"", "Cloning into '/dags'...\nfatal: unable to access 'https://git.example.net/a.git/': " +
			"Could not " +
			"resolve host: git.example.net\n"}, class: "network", says: []string{"git.example.net"}},
		"aws": {of: "010", logs: []string{"", "fatal error: An error occurred (403) when calling the HeadObject operation: Access " +
			"Denied\n"},
			class: "credentials", says: []string{"HeadObject"}},
		"words that tell nothing are quoted": {of: "010", logs: []string{"", "checksum of rules.json differs\n"}, class: "configuration",
			says: []string{"fetch-rules", "checksum of rules.json differs"}},
		"no log": {of: "010", logs: []string{"", "\n"}, class: "configuration", says: []string{"fetch-rules", "exit code 6"}},
		"waits for a database": {of: "464", logs: []string{"", "nc: bad address 'db.payments.svc'\nnc: bad address 'db.payments.svc'\n"},
			class: "network", says: []string{"vault-agent-init", "db.payments.svc"}},
		"waits silently": {of: "464", logs: []string{"", "waiting for token\n"}, class: "unknown", says: []string{"vault-agent-init"}},
	})
}

// TestDriversThatAreNoSpark: an entrypoint that starts another program as the driver; that of Spark makes a call of spark-submit.
func TestDriversThatAreNoSpark(t *testing.T) {
	answerVariants(t, map[string]variant{
		"the operator": {of: "905", class: "image", says: []string{"/usr/bin/spark-operator"}},
		"Spark": {of: "905", logs: []string{"/usr/bin/spark-operator driver ", "/opt/spark/bin/spark-submit --deploy-mode client "},
			class: "unknown"},
	})
}

// TestDriversThatRunAllTasks: only a local master has an executor within the driver.
func TestDriversThatRunAllTasks(t *testing.T) {
	answerVariants(t, map[string]variant{
		"a local master": {of: "1076", class: "configuration", says: []string{"local master", "none of 6 executors is requested"}},
		"not said": {of: "1076", logs: []string{"Executor: Starting executor ID driver on host", "Other: Starting",
			"executor driver", "executor 1"}, class: "unknown"},
	})
}

// TestVariablesOfAConfigMap: what a program misses of its environment may be among them, unless the pod got them, or the name is of data.
func TestVariablesOfAConfigMap(t *testing.T) {
	const key, container = "KeyError: 'SEATMAP_SOURCE'", "    env:\n    - name: SPARK_USER\n"
	answerVariants(t, map[string]variant{
		"they did not arrive": {of: "1087", class: "configuration",
			says: []string{"lacks the variables of ConfigMap seat-allocate-env of the spec", "KeyError: 'SEATMAP_SOURCE'"}},
		"they did": {of: "1087", objects: []string{container, "    envFrom:\n    - configMapRef:\n        name: seat-allocate-env\n" +
			container}, class: "configuration", says: []string{"is not set"}, not: []string{"lacks the variables"}},
		"a name of small letters": {of: "1087", logs: []string{key, "KeyError: 'seat_row'"}, class: "configuration",
			not: []string{"lacks the variables"}},
		"a key of data": {of: "1087", logs: []string{`  File "<frozen os>", line 679, in __getitem__` + "\n" + key,
			"KeyError: 'seat_row'"}, class: "codeFailed"},
	})
}

// TestVariablesThatNeverArrived: every verdict names the variables of the spec that the driver's pod lacks.
func TestVariablesThatNeverArrived(t *testing.T) {
	also := func(v variant) string {
		f := v.open(t)
		return strings.Join(f.Also, "; ")
	}
	require.Contains(t, also(variant{of: "957"}), "of spec.driver.env, which the operator's webhook adds")
	require.NotContains(t, also(variant{of: "957", objects: []string{"env: &id001", "variables: &id001"}}), "spec.driver.env")
}

// TestFileSystemsThatAreReadOnly: the pod says why Spark cannot write where its error does not.
func TestFileSystemsThatAreReadOnly(t *testing.T) {
	for name, c := range map[string]struct {
		objects []string
		says    bool
	}{
		"read-only": {nil, true},
		"writable":  {[]string{"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"}, false},
	} {
		f := variant{of: "991", objects: c.objects}.open(t)
		require.Equal(t, "storage", string(f.Verdict().Class), name)
		also := strings.Join(f.Also, "; ")
		require.Equal(t, c.says, strings.Contains(also, "is read-only (securityContext.readOnlyRootFilesystem), and no volume"), name)
	}
}

// TestExitCode52IsAnyMemoryOfTheJVM: which memory was full is named only where the log of an executor names it.
func TestExitCode52IsAnyMemoryOfTheJVM(t *testing.T) {
	c := numbered(t, "759")
	f := c.whole()
	require.Contains(t, f.Verdict().Message, "exit code 52")
	require.Contains(t, f.Verdict().Message, "no further thread could be started")
	require.NotContains(t, f.Verdict().Message, "heap was")
	for _, n := range f.Verdict().Next {
		require.NotContains(t, n.Text, "raise executor.memory", "more heap does not give it more threads")
	}
	logs := map[string]string{}
	for file, text := range c.Logs {
		if !strings.Contains(file, "-exec-") {
			logs[file] = text
		}
	}
	require.Less(t, len(logs), len(c.Logs))
	c.Logs = logs
	f = c.whole()
	require.Contains(t, f.Verdict().Message, "ran out of memory in the JVM (OutOfMemoryError, exit code 52)")
	require.NotContains(t, f.Verdict().Message, "heap")
}

// TestQueuesThatTakeNothing: what a ClusterQueue says of itself is told where it is the one that the Workload names, and still says so.
func TestQueuesThatTakeNothing(t *testing.T) {
	const missing = "ResourceFlavor onprem-highmem, which does not exist"
	const condition, name = "type: Active\n    status: 'False'\n    reason: FlavorNotFound", "kind: ClusterQueue\nmetadata:\n  name: risk-cq"
	answerVariants(t, map[string]variant{
		"a flavor that does not exist": {of: "1599", class: "configuration", says: []string{missing, "describe clusterqueue risk-cq"}},
		"active by now": {of: "1599", objects: []string{condition, strings.Replace(condition, "False", "True", 1)}, class: "configuration",
			says: []string{"ClusterQueue risk-cq is inactive"}, not: []string{"FlavorNotFound", "does not exist"}},
		"another queue": {of: "1599", objects: []string{name, name + "-2"}, class: "configuration",
			says: []string{"ClusterQueue risk-cq is inactive"}, not: []string{"FlavorNotFound", "does not exist"}},
		"another reason": {of: "1599", objects: []string{"FlavorNotFound", "AdmissionCheckInactive",
			"references missing ResourceFlavor(s): onprem-highmem", "references inactive AdmissionCheck(s): budget"}, class: "configuration",
			says: []string{"AdmissionCheckInactive", "AdmissionCheck(s): budget"}, not: []string{"ResourceFlavor"}},
	})
}
