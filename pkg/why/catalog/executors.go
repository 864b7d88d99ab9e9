package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// executors lists what a driver says of executors that it lost or did not get.
func executors() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "executor-oomkilled", Class: cause.ClusterKilled,
			Message: `(?:ExecutorLostFailure|Lost executor|executor with id \d+ exited|exited (?:caused by|` +
				`unrelated to))[^\n]*?(?:exit(?:ed with)? code:? ?137|137 ?\(SIGKILL, possible container OOM\)|` +
				`OOMKilled)`,
			Says: "an executor was killed (exit code 137), most often because it exceeded its memory limit",
			Next: steps("raise executor.memoryOverhead or executor.memory"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/" +
				"ExecutorPodsLifecycleManager.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/scheduler/TaskSchedulerImpl.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/TaskEndReason.scala@v3.5.3",
		},
		{
			ID: "executor-jvm-oom", Class: cause.Configuration, Certain: true, Message: `(?:exit code:? ?52\b|52 ?\(JVM OOM\))`,
			Says: "an executor ended with exit code 52: its heap was " +
				"exhausted", Next: steps("raise executor.memory, or use more partitions"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/" +
				"ExecutorPodsLifecycleManager.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/util/SparkExitCode.scala@v3.5.3",
		},
		{
			ID: "executor-disk", Class: cause.Storage, Certain: true, Message: `(?:exit code:? ?53\b|` +
				`53 ?\(DiskStore failed to create temp dir\))`,
			Says: "an executor ended with exit code 53: it could not create its local " +
				"directory", Next: steps("check spark.local.dir and its volume"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/" +
				"ExecutorPodsLifecycleManager.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/executor/ExecutorExitCode.scala@v3.5.3",
		},
		{
			ID: "shuffle-service-missing", Class: cause.Configuration, Certain: true,
			Message: `Unable to register with external shuffle server due to ?: Failed to connect to /?(?P<host>[\w.-]+:\d+)`,
			Says:    "no external shuffle service answers the executor at ${host}: spark.shuffle.service.enabled asks for one on each node",
			Next: steps("set spark.shuffle.service.enabled to false (on Kubernetes nothing runs that service), and " +
				"spark.dynamicAllocation.shuffleTracking.enabled to true for dynamic allocation"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/errors/SparkCoreErrors.scala@v3.5.3",
		},
		{
			ID: "executor-max-failures", Class: cause.Unknown, Effect: true, Message: `Max number of ` +
				`executor failures \((?P<count>\d+)\) reached`,
			Says: "more executors failed than spark.executor.maxNumFailures allows " +
				"(${count})", Next: steps("read why the executors failed: their pods and logs"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/" +
				"ExecutorPodsAllocator.scala@v3.5.3",
		},
		{
			ID: "executor-evicted", Class: cause.ClusterKilled,
			Message: `(?:ExecutorLostFailure|Lost executor)[^\n]*(?:Evicted|Preempt|NodeLost|node shutdown)|` +
				`The API gave the following brief reason: (?P<reason>Evicted|Preempting|NodeLost|NodeShutdown|Terminated|DeadlineExceeded)`,
			Says: "an executor was evicted or preempted, or its node stopped[ (${reason})]",
			Next: steps("read the events of the executor's pod and its node"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/" +
				"ExecutorPodsLifecycleManager.scala@v3.5.3",
		},
		{
			ID: "executor-decommissioned", Class: cause.ClusterKilled, Effect: true, Message: `(?:Executor ` +
				`decommission|[Dd]ecommission(?:ed|ing) executor|worker lost.*decommission)`,
			Says: "an executor was decommissioned", Next: steps("find out why: node drain, spot " +
				"interruption, or dynamic allocation"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/scheduler/ExecutorLossReason.scala@v3.5.3",
		},
		{
			ID: "executor-heartbeat", Class: cause.Unknown, Effect: true, Message: `Executor heartbeat timed ` +
				`out after (?P<ms>\d+) ms`,
			Says: "an executor sent no heartbeat for ${ms} ms: it was gone, without network, or in garbage collection",
			Next: steps("look at the pod and log of the executor for its " +
				"end"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/HeartbeatReceiver.scala@v3.5.3",
		},
		{
			ID: "executor-heartbeater", Class: cause.Unknown, Effect: true, Message: `Exit as unable to send ` +
				`heartbeats to driver more than (?P<count>\d+) times|Issue communicating with driver in heartbeater`,
			Says: "the executor could not reach the driver for heartbeats", Next: steps("look at the driver: " +
				"it was gone, without network, or in garbage collection"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/executor/Executor.scala@v3.5.3",
		},
		{
			ID: "executor-deleted", Class: cause.Unknown, Effect: true, Message: `The executor with id ` +
				`(?P<id>\d+) was deleted by a user or the framework`,
			Says: "the pod of executor ${id} was deleted", Next: steps("find out who deleted it: events, " +
				"node drain, or quota"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/" +
				"ExecutorPodsLifecycleManager.scala@v3.5.3",
		},
		{
			ID: "executor-pod-gone", Class: cause.Unknown, Effect: true, Message: `The executor with ID ` +
				`(?P<id>\d+) .*was not found in the cluster|Executor (?P<id2>\d+) .*no longer exists`,
			Says: "the pod of executor ${id} is gone", Next: steps("find out who deleted it: events, " +
				"node drain, or quota"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/" +
				"ExecutorPodsLifecycleManager.scala@v3.5.3",
		},
		{
			ID: "executor-lost", Class: cause.Unknown, Effect: true, Message: `ExecutorLostFailure ` +
				`\(executor (?P<id>\d+) exited|Lost executor (?P<id2>\d+) on|Remote RPC client disassociated`,
			Says: "executor[ ${id}] was lost", Next: steps("look at its pod, its log and its " +
				"node"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/TaskEndReason.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/scheduler/cluster/CoarseGrainedSchedulerBackend.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/scheduler/TaskSchedulerImpl.scala@v3.5.3",
		},
		{
			ID: "fetch-failed", Class: cause.Unknown, Effect: true,
			Message: `FetchFailed(?:Exception)?\b|Failed to (?:connect to|get block)[^\n]*shuffle|` +
				`Failure while fetching StreamChunkId|Connection from \S+ closed|FetchFailure|` +
				`MetadataFetchFailedException|Missing an output location for shuffle`,
			Says: "shuffle data could not be fetched from another " +
				"executor", Next: steps("find out whether that executor was lost, and why"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/TaskEndReason.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/shuffle/FetchFailedException.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/MapOutputTracker.scala@v3.5.3; " +
				"apache/spark common/network-common/src/main/java/org/apache/spark/network/client/" +
				"TransportResponseHandler.java@v3.5.3",
		},
		{
			ID: "no-resources", Class: cause.Scheduling, Effect: true,
			Message: `Initial job has not accepted any resources; check your cluster UI`,
			Says:    "no executor has registered with the driver", Next: steps("look at the executor pods: " +
				"pending, failing, or refused; and whether they reach the driver's service"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/scheduler/TaskSchedulerImpl.scala@v3.5.3",
		},
		{
			ID: "barrier-slots", Class: cause.Configuration, Certain: true,
			Message: `Barrier stage in job \d+ (?P<detail>requires \d+ slots, but only \d+ are available)|` +
				`Barrier execution mode does not allow run a barrier stage that requires more slots than the total`,
			Says: "a barrier stage starts all its tasks at once and has too few slots[ (${detail})]",
			Next: steps("raise executor.instances or executor.cores, or use fewer partitions or workers"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/scheduler/BarrierJobAllocationFailed.scala@v3.3.2; " +
				"apache/spark core/src/main/scala/org/apache/spark/scheduler/DAGScheduler.scala@v3.3.2",
		},
		{
			ID: "job-cancelled", Class: cause.Unknown, Effect: true, Message: `Job \d+ cancelled because ` +
				`SparkContext was shut down|cancelled as part of cancellation|Job (?:\d+ )?cancelled`,
			Says: "a job was canceled, because its SparkContext stopped", Next: steps("find out why the " +
				"SparkContext stopped"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/scheduler/DAGScheduler.scala@v3.5.3",
		},
	}
}
