package why_test

import "testing"

// TestDriversThatWereGoneWhenTheOperatorLooked: executors that were stopped long before say that the run was over by then; stopped with the
// record, or not all of them, they do not.
func TestDriversThatWereGoneWhenTheOperatorLooked(t *testing.T) {
	const ended = "terminationTime: '2026-06-14T05:14:51Z'"
	answerVariants(t, map[string]variant{
		"minutes later": {of: "unseen/1073", class: "observerMissed", says: []string{"its executors were stopped 2m48s before"}},
		"at once":       {of: "unseen/1073", objects: []string{ended, "terminationTime: '2026-06-14T05:12:20Z'"}, class: "unknown"},
		"one ran on": {of: "unseen/1073", objects: []string{"name: lane-prices-0614-7035a92a8c9cac5b-exec-4.cbec6efa071b8fde", "name: other",
			"message: Stopping container spark-kubernetes-executor", "message: Stopping", "reason: Killing", "reason: Kept"}, class: "unknown"},
	})
}

// TestVariablesOfAConfigMap: what a program misses of its environment may be among them, unless the pod got them, or the name is of data.
func TestVariablesOfAConfigMap(t *testing.T) {
	const key, container = "KeyError: 'SEATMAP_SOURCE'", "    env:\n    - name: SPARK_USER\n"
	answerVariants(t, map[string]variant{
		"they did not arrive": {of: "unseen/1087", class: "configuration",
			says: []string{"lacks the variables of ConfigMap seat-allocate-env of the spec", "KeyError: 'SEATMAP_SOURCE'"}},
		"they did": {of: "unseen/1087", objects: []string{container, "    envFrom:\n    - configMapRef:\n        name: seat-allocate-env\n" +
			container}, class: "configuration", says: []string{"is not set"}, not: []string{"lacks the variables"}},
		"a name of small letters": {of: "unseen/1087", logs: []string{key, "KeyError: 'seat_row'"}, class: "configuration",
			not: []string{"lacks the variables"}},
		"a key of data": {of: "unseen/1087", logs: []string{`  File "<frozen os>", line 679, in __getitem__` + "\n" + key,
			"KeyError: 'seat_row'"}, class: "codeFailed"},
	})
}

// TestTemplatesThatDoNotDecode: the application itself tells it; where its template is sound, the operator's log may.
func TestTemplatesThatDoNotDecode(t *testing.T) {
	const nested, sound = "              requests:\n                ephemeral-storage: 5Gi\n", "              ephemeral-storage: 5Gi\n"
	answerVariants(t, map[string]variant{
		"its own": {of: "unseen/1093", class: "configuration",
			says: []string{"spec.driver.template.spec.containers[0].resources.requests.requests"}},
		"of another application": {of: "unseen/1093", objects: []string{nested, sound}, class: "configuration",
			says: []string{"cannot decode one of the applications", "quantities must match"}},
		"nothing tells": {of: "unseen/1093", objects: []string{nested, sound}, logs: []string{"quantities must match", "connection refused"},
			class: "configuration", says: []string{"the operator does not run"}, not: []string{"cannot decode"}},
	})
}

// TestWatchesThatAreRefused: with a reason it is the account; without one it is the client.
func TestWatchesThatAreRefused(t *testing.T) {
	const bare = "Exec Failure: HTTP 403, Status: 403 - \n"
	answerVariants(t, map[string]variant{
		"no reason": {of: "unseen/1075", class: "dependency", says: []string{"403 and gives no reason"}},
		"forbidden": {of: "unseen/1075", logs: []string{bare, "Exec Failure: HTTP 403, Status: 403 - pods is forbidden: User " +
			`"system:serviceaccount:legacy-risk:spark" cannot watch resource "pods" in API group "" in the namespace "legacy-risk"` + "\n"},
			class: "credentials"},
		"not said": {of: "unseen/1075", logs: []string{bare, "Closed\n"}, class: "unknown"},
	})
}

// TestDriversThatRunAllTasks: only a local master has an executor within the driver.
func TestDriversThatRunAllTasks(t *testing.T) {
	answerVariants(t, map[string]variant{
		"a local master": {of: "unseen/1076", class: "configuration", says: []string{"local master", "none of 6 executors is requested"}},
		"not said": {of: "unseen/1076", logs: []string{"Executor: Starting executor ID driver on host", "Other: Starting",
			"executor driver", "executor 1"}, class: "unknown"},
	})
}

// TestNamesThatHDFSTakesForHosts: a name without a domain, which HDFS asks for, may be a nameservice.
func TestNamesThatHDFSTakesForHosts(t *testing.T) {
	const name = "UnknownHostException: landreg"
	answerVariants(t, map[string]variant{
		"a nameservice": {of: "unseen/1086", class: "configuration", says: []string{"HDFS takes landreg for a host"}},
		"a host":        {of: "unseen/1086", logs: []string{name, name + ".example.net"}, class: "network", not: []string{"HDFS takes"}},
		"of another client": {of: "unseen/1086", logs: []string{"org.apache.hadoop.hdfs.NameNodeProxiesClient.", "net.example.Other."},
			class: "network", not: []string{"HDFS takes"}},
	})
}

// TestWritesThatCommit: what a driver does after its tasks is said until the write is committed.
func TestWritesThatCommit(t *testing.T) {
	const begins = "FileFormatWriter: Start to commit write Job 15c9deaf-df7c-4e5b-b787-55dcab4fbef3.\n"
	answerVariants(t, map[string]variant{
		"it commits": {of: "unseen/1088", class: "runningNormally", says: []string{"has been committing the output for 24m"}},
		"it is over": {of: "unseen/1088", logs: []string{begins, begins + "26/08/20 11:43:20 INFO FileFormatWriter: Write Job " +
			"15c9deaf-df7c-4e5b-b787-55dcab4fbef3 committed. Elapsed time: 6012 ms.\n"}, class: "runningNormally",
			not: []string{"committing"}, says: []string{"its last job finished"}},
	})
}

// TestBlocksThatAreNotFetched: where an executor was lost its blocks are; where none was, it is the network between them.
func TestBlocksThatAreNotFetched(t *testing.T) {
	const first = "26/06/09 11:21:08 WARN TaskSetManager: Lost task 1.0 in stage 1.0"
	answerVariants(t, map[string]variant{
		"connections are reset": {of: "unseen/1095", class: "network",
			says: []string{"none of them was lost", "service mesh (sidecar istio-proxy)"}},
		"an executor was lost": {of: "unseen/1095", logs: []string{first, "26/06/09 11:21:07 ERROR TaskSchedulerImpl: Lost executor 1 on " +
			"10.20.8.61: The executor with id 1 exited with exit code 137.\n" + first}, class: "clusterKilled",
			not: []string{"fetch shuffle blocks"}},
		"their outputs are gone": {of: "unseen/1095", logs: []string{"Connection reset by peer", "Missing an output location"}, class: "unknown"},
	})
}

// TestExecutorsOfWhichTheDriverWasTold: their pods are gone, and the driver's log knows what ended them.
func TestExecutorsOfWhichTheDriverWasTold(t *testing.T) {
	answerVariants(t, map[string]variant{
		"killed for memory": {of: "unseen/1101", class: "slowButProgressing",
			says: []string{"by the driver's log 2 executors were OOMKilled", "without 5g off-heap, which Spark counts since 3.1"}},
		"since 3.1 it is in the limit": {of: "unseen/1101", objects: []string{"sparkVersion: 2.4.5", "sparkVersion: 3.5.1"},
			class: "slowButProgressing", not: []string{"without 5g off-heap"}},
		"it was told nothing": {of: "unseen/1101", logs: []string{"exit code 137", "exit code 1", "reason=OOMKilled", "reason=Error"},
			class: "slowButProgressing", says: []string{"nothing that was seen of their pods says why"}, not: []string{"by the driver's log"}},
	})
}

// TestStatesThatTheOperatorCouldNotWrite: its log says why, in lines that follow the error.
func TestStatesThatTheOperatorCouldNotWrite(t *testing.T) {
	answerVariants(t, map[string]variant{
		"refused": {of: "unseen/1113", class: "observerMissed", says: []string{"still without a state", "status.terminationTime in body"}},
		"the log tells nothing": {of: "unseen/1113", logs: []string{"plaza-totals", "other-totals"}, class: "observerMissed",
			not: []string{"its log says"}},
	})
}

// TestNeighboursThatDoNotDecode: the list of applications fails for one of them.
func TestNeighboursThatDoNotDecode(t *testing.T) {
	const text = "  arguments: local:////opt/jobs/words.txt\n"
	answerVariants(t, map[string]variant{
		"text for a list": {of: "unseen/1114", class: "configuration",
			says: []string{"lexicon/lexicon-backfill (spec.arguments is a string"}},
		"mended since": {of: "unseen/1114", objects: []string{text, "  arguments: [words.txt]\n"}, class: "configuration",
			says: []string{"cannot decode one of the applications"}},
	})
}

// TestWordsAboutCredentials: what a library says of credentials, the catalogue need not know.
func TestWordsAboutCredentials(t *testing.T) {
	const known = "in the configuration, and its container inbox is not accessible using anonymous credentials"
	const deepest = "Public access is not"
	answerVariants(t, map[string]variant{
		"the catalogue knows": {of: "unseen/1108", class: "credentials", says: []string{"tariffslanding.blob.core.windows.net", "inbox"}},
		"the words tell": {of: "unseen/1108", logs: []string{known, "here, container inbox"}, class: "credentials",
			says: []string{"access was refused"}},
		"nothing tells": {of: "unseen/1108", logs: []string{known, "here", "No credentials found", "Nothing found", deepest, "Access was",
			"you have to provide account credentials", "look there"}, class: "unknown"},
	})
}
