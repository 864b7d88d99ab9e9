package situations

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
)

// healthy are the look-alikes: nothing may be found in them.
func healthy() []Situation {
	return []Situation{
		{"healthy-completed", []Step{does("context, sleep, '10'"), state("COMPLETED")}},
		{"healthy-running", []Step{does("context, hang"), state("RUNNING"), running(executor)}},
		{"healthy-progressing", []Step{does("context, tasks, '3000'"), state("RUNNING"), running(executor), pause(5 * time.Second)}},
		{"healthy-dynamic-allocation", []Step{etl(`
arguments: [context, hang]
dynamicAllocation: {enabled: true, minExecutors: 1, maxExecutors: 3}`), state("RUNNING"), replaced(6)}},
		// A native sidecar ends with the driver (kubernetes/enhancements KEP-753).
		{"healthy-native-sidecar", []Step{etl(`
arguments: [sleep, "2"]
driver: {initContainers: [{name: proxy, image: ` + images.SparkName + `, restartPolicy: Always, command: [/bin/sleep, "3600"]}]}`), state("COMPLETED")}},
		// Spark's own containers are never restarted. A native sidecar is, and the driver does not wait for it. While it waits the pod is not
		// ready, so that the driver's Service has no address: the executor must have found its driver before.
		{"native-sidecar-restarts", []Step{etl(`
arguments: [context, hang]
driver:
  initContainers:
  - {name: proxy, image: ` + images.SparkName + `, restartPolicy: Always, command: [/bin/sh, -c, "sleep 30; exit 3"]}`),
			state("RUNNING"), running(executor), waits(driver, "CrashLoopBackOff")}},
		// The executor that was drained is replaced.
		{"healthy-executor-drained", []Step{does("context, hang"), state("RUNNING"), running(executor), evict(executor), replaced(2)}},
	}
}

// failures are programs that end by themselves, with an exit code and not with zero.
func failures() []Situation {
	return []Situation{
		{"driver-exception", []Step{does("context, stages, /data/input"), state("FAILED")}},
		{"driver-heap", []Step{does("context, heap"), state("FAILED")}},
		{"driver-class-missing", []Step{does("class, org.example.Missing"), state("FAILED")}},
		{"driver-message", []Step{etl(`
arguments: [stages, /data/input]
driver: {template: {spec: {containers: [{name: spark-kubernetes-driver, terminationMessagePolicy: FallbackToLogsOnError}]}}}`), state("FAILED")}},
		{"python-module-missing", []Step{etl(`
type: Python
pythonVersion: "3"
mainApplicationFile: "local:///opt/spark/work-dir/nomodule.py"`), state("FAILED")}},
		{"python-traceback", []Step{etl(`
type: Python
pythonVersion: "3"
mainApplicationFile: "local:///opt/spark/work-dir/chain.py"`), state("FAILED")}},
		{"driver-not-permitted", []Step{etl(`{arguments: [context, hang], driver: {serviceAccount: default}}`), state("FAILED")}},
		{"sidecar-outlives-driver", []Step{etl(`
arguments: [context, sleep, "15"]
driver: {sidecars: [{name: proxy, image: ` + images.SparkName + `, command: [/bin/sleep, "7200"]}]}`), state("RUNNING"),
			ended(driver, spark(driver), "Completed", 0)}},
		{"sidecar-outlives-failed-driver", []Step{etl(`
arguments: [context, after, "15", stages, /data/input]
driver: {sidecars: [{name: proxy, image: ` + images.SparkName + `, command: [/bin/sleep, "7200"]}]}`), state("RUNNING"),
			ended(driver, spark(driver), "Error", 1)}},
		// The operator looks at a driver when an executor ends, too; this one has none.
		{"sidecar-outlives-lone-driver", []Step{etl(`
arguments: [sleep, "15"]
driver: {sidecars: [{name: proxy, image: ` + images.SparkName + `, command: [/bin/sleep, "7200"]}]}`), state("RUNNING"),
			ended(driver, spark(driver), "Completed", 0)}},
		{"sidecar-failed", []Step{etl(`
arguments: [context, hang]
driver: {sidecars: [{name: proxy, image: ` + images.SparkName + `, command: [/bin/sh, -c, "sleep 15; exit 3"]}]}`), state("RUNNING"),
			ended(driver, "proxy", "Error", 3)}},
		{"init-container-fails", []Step{etl(`
arguments: [context, hang]
driver: {initContainers: [{name: fetch, image: ` + images.SparkName + `, command: [/bin/sh, -c, "echo 403 Forbidden; exit 8"]}]}`),
			ended(driver, "fetch", "Error", 8), state("FAILED")}},
		{"init-container-hangs", []Step{etl(`
arguments: [context, hang]
driver: {initContainers: [{name: fetch, image: ` + images.SparkName + `, command: [/bin/sleep, "7200"]}]}`), state("SUBMITTED")}},
		// The kubelet restarts native sidecars, and starts the driver only after them.
		{"init-container-crashes", []Step{etl(`
arguments: [context, hang]
driver: {initContainers: [{name: proxy, image: ` + images.SparkName + `, restartPolicy: Always,
  command: [/bin/sh, -c, "echo no route to control plane; sleep 1; exit 3"],
  startupProbe: {exec: {command: [/bin/false]}, periodSeconds: 30}}]}`), waits(driver, "CrashLoopBackOff"), state("SUBMITTED")}},
		{"driver-service-gone", []Step{etl(`{arguments: [context, hang]}`), state("RUNNING"), running(executor), removeDriverServices(),
			remove(executor), replaced(4)}},
	}
}

// killed are programs that others end.
func killed() []Situation {
	const direct = `javaOptions: -XX:MaxDirectMemorySize=4g`
	return []Situation{
		{"driver-oom-killed", []Step{etl(`{arguments: [context, direct], driver: {` + direct + `}}`), state("FAILED"),
			ended(driver, spark(driver), "OOMKilled", 137)}},
		// The container's own process lives, and ends with what a shell says of a child that was killed.
		{"driver-child-killed", []Step{does(`context, child, "kill -9 $$$$"`), state("FAILED"), ended(driver, spark(driver), "Error", 137)}},
		{"executors-oom-killed", []Step{etl(`
arguments: [context, hang]
executor: {` + direct + `}
sparkConf: {spark.executorEnv.EXECUTOR_DOES: after 20 direct, spark.executorEnv.EXECUTOR_JAVA_OPTIONS: "-XX:MaxDirectMemorySize=4g",
  spark.kubernetes.executor.deleteOnTermination: "false"}`), state("RUNNING"), ended(executor, spark(executor), "OOMKilled", 137)}},
		// Ten that are lost are many.
		{"executors-fail", []Step{etl(`
arguments: [context, hang]
sparkConf: {spark.executorEnv.EXECUTOR_DOES: after 5 heap}`), state("RUNNING"), replaced(4), replaced(8), replaced(12)}},
		{"driver-deadline", []Step{etl(`
arguments: [context, hang]
driver: {template: {spec: {activeDeadlineSeconds: 25, terminationGracePeriodSeconds: 3,
  containers: [{name: spark-kubernetes-driver}]}}}`), failed(driver, "DeadlineExceeded"), state("FAILED")}},
		{"driver-liveness", []Step{etl(`
arguments: [context, hang]
driver: {template: {spec: {terminationGracePeriodSeconds: 3, containers: [{name: spark-kubernetes-driver,
  livenessProbe: {httpGet: {path: /, port: 4041}, initialDelaySeconds: 8, periodSeconds: 2, failureThreshold: 2}}]}}}`), state("FAILED"),
			event("Unhealthy")}},
		// Something outside, such as a queue, keeps deleted pods to account for them.
		// The JVM of these must have come as far as to hear the signal.
		{"driver-deleted-kept", []Step{etl(keptDriver("hang")), state("RUNNING"), pause(10 * time.Second), remove(driver),
			ended(driver, spark(driver), "Error", 143)}},
		{"driver-ignores-term", []Step{etl(keptDriver("deaf")), state("RUNNING"), pause(10 * time.Second), remove(driver),
			ended(driver, spark(driver), "Error", 137)}},
	}
}

func keptDriver(what string) string {
	return `
arguments: [context, ` + what + `]
driver: {terminationGracePeriodSeconds: 5, template: {metadata: {finalizers: [example.com/accounting]},
  spec: {containers: [{name: spark-kubernetes-driver}]}}}`
}
