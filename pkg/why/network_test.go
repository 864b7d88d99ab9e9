package why_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

const networked = `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: etl, namespace: jobs, uid: app, creationTimestamp: "2026-11-23T11:00:00Z"}
spec: {type: Scala, driver: {memory: 2g}, executor: {instances: 1, memory: 2g}}
status: {lastSubmissionAttemptTime: "2026-11-23T11:00:01Z", driverInfo: {podName: etl-driver}, applicationState: {state: FAILED}, EXECUTORS
  terminationTime: "2026-11-23T11:30:01Z"}
---
apiVersion: v1
kind: Pod
metadata: {name: etl-driver, namespace: jobs, uid: d, creationTimestamp: "2026-11-23T11:00:02Z",
  labels: {spark-role: driver, sparkoperator.k8s.io/app-name: etl, spark-app-selector: s}}
spec: {containers: [{name: spark-kubernetes-driver, ports: [{name: driver-rpc-port, containerPort: 7078}]}]}
status: {phase: Failed, podIP: 10.1.0.1, containerStatuses: [{name: spark-kubernetes-driver, state: {terminated: {exitCode: 1, reason: Error,
  startedAt: "2026-11-23T11:00:05Z", finishedAt: "2026-11-23T11:30:00Z"}}}]}
`

const shuffleWorker = `---
apiVersion: v1
kind: Pod
metadata: {name: worker-0, namespace: shuffle, uid: w0, creationTimestamp: "2026-11-20T11:01:00Z"}
spec: {containers: [{name: worker}]}
status: {phase: Running, podIP: 10.2.0.9}
`

const secondExecutorPod = `---
apiVersion: v1
kind: Pod
metadata: {name: etl-1-exec-2, namespace: jobs, uid: e2, creationTimestamp: "2026-11-23T11:01:00Z",
  labels: {spark-role: executor, sparkoperator.k8s.io/app-name: etl, spark-app-selector: s}}
spec: {containers: [{name: spark-kubernetes-executor}]}
status: {phase: Running, podIP: 10.1.0.3, containerStatuses: [{name: spark-kubernetes-executor, state: {running: {startedAt: "2026-11-23T11:01:05Z"}}}]}
`

const failedExecutorPod = `---
apiVersion: v1
kind: Pod
metadata: {name: etl-1-exec-1, namespace: jobs, uid: e, creationTimestamp: "2026-11-23T11:01:00Z",
  labels: {spark-role: executor, sparkoperator.k8s.io/app-name: etl, spark-app-selector: s}}
spec: {containers: [{name: spark-kubernetes-executor}]}
status: {phase: Failed, podIP: 10.1.0.2, containerStatuses: [{name: spark-kubernetes-executor, state: {terminated: {exitCode: 1, reason: Error,
  startedAt: "2026-11-23T11:01:05Z", finishedAt: "2026-11-23T11:03:10Z"}}}]}
`

func denying(created, spec string) string {
	return "---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: strict, namespace: jobs, creationTimestamp: \"" +
		created + "\"}\n" +
		"spec: " + spec + "\n"
}

// Lines as Spark prints them (common/network-common/.../TransportClientFactory.java; java.net.UnknownHostException of the JDK).
const (
	driverStarts = "26/11/23 11:00:06 INFO SparkContext: Running Spark version 3.5.5\n"
	driverGoesOn = "26/11/23 11:29:59 ERROR TaskSchedulerImpl: no executor came\n"
	noAPI        = `26/11/23 11:00:30 ERROR SparkContext: Error initializing SparkContext.
org.apache.spark.SparkException: External scheduler cannot be instantiated
Caused by: io.fabric8.kubernetes.client.KubernetesClientException: Operation: [get]  for kind: [Pod]  with name: [etl-driver]  in namespace: [jobs]  failed.
Caused by: java.net.UnknownHostException: kubernetes.default.svc: Temporary failure in name resolution
	at java.base/java.net.InetAddress.getAllByName(InetAddress.java:1300)
`
	noDriver = `26/11/23 11:01:07 INFO CoarseGrainedExecutorBackend: Started daemon
Exception in thread "main" java.lang.reflect.UndeclaredThrowableException
Caused by: org.apache.spark.SparkException: Exception thrown in awaitResult: 
	at org.apache.spark.util.ThreadUtils$.awaitResult(ThreadUtils.scala:322)
Caused by: java.io.IOException: Connecting to etl-1-driver-svc.jobs.svc/10.1.0.1:7078 timed out (120000 ms)
	at org.apache.spark.network.client.TransportClientFactory.createClient(TransportClientFactory.java:284)
`
	noBlocks = `26/11/23 11:03:09 WARN TaskSetManager: Lost task 3.0 in stage 2.0 (TID 44) (10.1.0.2 executor 1): FetchFailed(BlockManagerId(2, 10.1.0.3, 38211, None), shuffleId=0, mapIndex=1, mapId=1, reduceId=3, message=
org.apache.spark.shuffle.FetchFailedException: Connecting to /10.1.0.3:38211 timed out (120000 ms)
	at org.apache.spark.storage.ShuffleBlockFetcherIterator.throwFetchFailedException(ShuffleBlockFetcherIterator.scala:1168)
)
Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: ResultStage 2 (collect at Etl.scala:12) has failed the maximum allowable number of times: 4. Most recent failure reason: org.apache.spark.shuffle.FetchFailedException: Connecting to /10.1.0.3:38211 timed out (120000 ms)
	at org.apache.spark.scheduler.DAGScheduler.failJobAndIndependentStages(DAGScheduler.scala:2844)
`
	// LifecycleManager.scala and ShuffleClientImpl.java of apache/celeborn@v0.5.4.
	noWorker = `26/11/23 11:19:30 ERROR LifecycleManager: Init rpc client failed for 0 during reserve slots.
org.apache.celeborn.common.exception.CelebornIOException: Connecting to /10.2.0.9:9091 timed out (10000 ms)
	at org.apache.celeborn.common.network.client.TransportClientFactory.internalCreateClient(TransportClientFactory.java:286)
26/11/23 11:20:00 ERROR TaskSetManager: Task 3 in stage 0.0 failed 4 times; aborting job
Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: Task 3 in stage 0.0 failed 4 times, most recent failure: Lost task 3.3 in stage 0.0 (TID 331) (10.1.0.2 executor 5): org.apache.celeborn.common.exception.CelebornIOException: Register shuffle failed for shuffle 0, reason: RESERVE_SLOTS_FAILED
	at org.apache.celeborn.client.ShuffleClientImpl.registerShuffleInternal(ShuffleClientImpl.java:736)
`
	noBucket = `26/11/23 11:20:00 ERROR ApplicationMaster: x
Exception in thread "main" org.apache.hadoop.net.ConnectTimeoutException: Call to db.example.com:5432 failed: connect timed out
	at com.example.Etl$.main(Etl.scala:12)
`
)

// TestPoliciesBehindFailures: a policy is named where it selects the pod that fails to connect and allows no such connection, and nowhere
// else.
func TestPoliciesBehindFailures(t *testing.T) {
	const (
		none    = "{podSelector: {}, policyTypes: [Egress]}"
		noDNS   = "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{podSelector: {}}]}, {ports: [{port: 443}]}]}"
		ingress = "{podSelector: {matchLabels: {spark-role: driver}}, policyTypes: [Ingress], ingress: [{ports: [{port: 4040}]}]}"
		early   = "2026-11-01T00:00:00Z"
	)
	for _, c := range []struct {
		name, objects, driver, executor string
		says                            string // of the verdict; empty: no policy is named
	}{
		{"the driver resolves nothing", denying(early, noDNS), driverStarts + noAPI, "",
			"NetworkPolicy strict selects the driver and allows no connection to DNS (port 53)"},
		{"executors may reach another port", failedExecutorPod + denying(early, "{podSelector: {}, policyTypes: [Egress], egress: ["+
			"{ports: [{port: 53, protocol: UDP}]}, {to: [{podSelector: {}}], ports: [{port: 7077}, {port: 7079}]}]}"), driverStarts + driverGoesOn,
			noDriver, "NetworkPolicy strict lets the executors connect to the driver only on ports 7077 and 7079, not on 7078"},
		{"a pod of another namespace, on another port", denying(early, "{podSelector: {}, policyTypes: [Egress], egress: ["+
			"{to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shuffle}}}], ports: [{port: 9097}]}]}") + shuffleWorker,
			driverStarts + noWorker, "",
			"NetworkPolicy strict lets the driver connect to namespace shuffle only on port 9097, not on 9091 (pod worker-0)"},
		{"the port is among its ports", denying(early, "{podSelector: {}, policyTypes: [Egress], egress: ["+
			"{to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shuffle}}}], ports: [{port: 9000, endPort: 9100}]}]}") +
			shuffleWorker,
			driverStarts + noWorker, "", ""},
		{"the peer is not known, and some port is open", denying(early, "{podSelector: {}, policyTypes: [Egress], egress: ["+
			"{to: [{namespaceSelector: {}}], ports: [{port: 9097}]}]}"), driverStarts + noWorker, "", ""},
		{"the peer is not known, and only DNS is open", denying(early, "{podSelector: {}, policyTypes: [Egress], egress: ["+
			"{to: [{namespaceSelector: {}}], ports: [{port: 53}]}]}"), driverStarts + noWorker, "",
			"NetworkPolicy strict selects the driver and allows no connection to 10.2.0.9:9091"},
		{"another library failed", denying(early, none) + shuffleWorker,
			driverStarts + strings.Replace(noWorker, "org.apache.celeborn.common.exception.CelebornIOException: Register",
				"io.delta.standalone.Boom: Register", 1),
			"", ""},
		{"DNS is allowed", denying(early, "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 53, protocol: UDP}]}]}"),
			driverStarts + noAPI, "", ""},
		{"a policy of other pods", denying(early, "{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress]}"), driverStarts + noAPI, "",
			""},
		{"a policy that came later", denying("2026-11-23T11:10:00Z", none), driverStarts + noAPI, "", ""},
		{"no policy", "", driverStarts + noAPI, "", ""},
		{"executors may not leave", failedExecutorPod + denying(early, none), driverStarts + driverGoesOn, noDriver,
			"NetworkPolicy strict selects the executors and allows no connection to port 7078 of the driver"},
		{"the driver lets nobody in", failedExecutorPod + denying(early, ingress), driverStarts + driverGoesOn, noDriver,
			"allows no connection to port 7078 of the driver from the executors"},
		{"the driver lets them in", failedExecutorPod + denying(early, strings.Replace(ingress, "4040", "7078", 1)), driverStarts + driverGoesOn,
			noDriver, ""},
		{"others did register", failedExecutorPod + denying(early, none), driverStarts +
			"26/11/23 11:00:50 INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Registered executor NettyRpcEndpointRef(x) with " +
			"ID 2\n" + driverGoesOn,
			noDriver, ""},
		{"the driver had ended before", strings.NewReplacer("11:01:05", "11:30:03", "11:03:10", "11:32:10").Replace(failedExecutorPod) +
			denying(early, none), driverStarts,
			strings.ReplaceAll(noDriver, "11:01:07", "11:30:05"), ""},
		{"executors among each other", failedExecutorPod + secondExecutorPod +
			denying(early, "{podSelector: {}, policyTypes: [Ingress], ingress: [{ports: [{port: 7078}, {port: 7079}]}]}"),
			driverStarts + noBlocks, "", "NetworkPolicy strict selects the executors and allows no connection to port 38211 of other executors"},
		{"to one that had ended", failedExecutorPod + strings.Replace(secondExecutorPod, "running: {startedAt: \"2026-11-23T11:01:05Z\"}",
			"terminated: {exitCode: 137, reason: OOMKilled, finishedAt: \"2026-11-23T11:02:00Z\"}", 1) +
			denying(early, "{podSelector: {}, policyTypes: [Ingress], ingress: [{ports: [{port: 7078}, {port: 7079}]}]}"), driverStarts + noBlocks,
			"", ""},
		{"refused is not dropped", failedExecutorPod + denying(early, none), driverStarts + driverGoesOn,
			strings.Replace(noDriver, "Connecting to etl-1-driver-svc.jobs.svc/10.1.0.1:7078 timed out (120000 ms)",
				"Failed to connect to etl-1-driver-svc.jobs.svc/10.1.0.1:7078\nCaused by: java.net.ConnectException: Connection refused", 1), ""},
		{"a database outside", denying(early, noDNS), driverStarts + noBucket, "", "allows no connection to db.example.com:5432"},
		{"to which it may connect", denying(early, "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 5432}]}]}"),
			driverStarts + noBucket, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			executors := ""
			if strings.Contains(c.objects, "exec-1") {
				executors = "executorState: {etl-1-exec-1: FAILED},"
			}
			var list []unstructured.Unstructured
			for _, text := range strings.Split(strings.Replace(networked, "EXECUTORS", executors, 1)+c.objects, "\n---\n") {
				var o unstructured.Unstructured
				require.NoError(t, yaml.Unmarshal([]byte(text), &o.Object), text)
				list = append(list, o)
			}
			logs := []app.Log{{Namespace: "jobs", Pod: "etl-driver", Container: "spark-kubernetes-driver", Tail: c.driver}}
			if c.executor != "" {
				logs = append(logs, app.Log{Namespace: "jobs", Pod: "etl-1-exec-1", Container: "spark-kubernetes-executor", Tail: c.executor})
			}
			f := why.Open(app.FromObjects(list, logs, snapshot.Ref{Kind: "SparkApplication", Namespace: "jobs", Name: "etl"},
				time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)))
			if c.says == "" {
				for i := range f.Causes {
					require.NotContains(t, f.Causes[i].Message, "NetworkPolicy strict")
				}
				return
			}
			v := f.Verdict()
			require.Contains(t, v.Message, c.says)
			require.Equal(t, cause.Network, v.Class)
			require.Equal(t, check.Likely, v.Certainty)
			require.Equal(t, "NetworkPolicy jobs/strict", v.Evidence[len(v.Evidence)-1-besides(v)].Object.String())
		})
	}
}

// besides counts what stands beside a cause, which comes last.
func besides(c *why.Cause) int {
	n := 0
	for _, p := range c.Evidence {
		if p.Beside {
			n++
		}
	}
	return n
}
