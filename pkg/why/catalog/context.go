package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// context lists what Spark says of its context and of how it is submitted.
func context() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "context-stopped", Class: cause.Unknown, Effect: true, Message: `SparkContext (?:was shut ` +
				`down|has been shutdown)|Cannot call methods on a stopped SparkContext|SparkContext is stopped|` +
				`LiveListenerBus is (?:stopped|not running)`,
			Says: "the SparkContext had stopped before",
			Next: steps("find out why it stopped"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/scheduler/DAGScheduler.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/scheduler/LiveListenerBus.scala@v3.5.3",
		},
		{
			ID: "rejected-execution", Class: cause.Unknown, Effect: true,
			Message: `RejectedExecutionException|RpcEnv already stopped|RpcEnvStoppedException|Could not find ` +
				`CoarseGrainedScheduler|Could not find HeartbeatReceiver`,
			Says: "Spark was stopping", Next: steps("find out why it stopped"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/rpc/RpcEnvStoppedException.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/rpc/netty/Dispatcher.scala@v3.5.3; " +
				"openjdk/jdk25u src/java.base/share/classes/java/util/concurrent/ThreadPoolExecutor.java@jdk-25.0.3+9",
		},
		{
			ID: "temp-dir-delete", Class: cause.Unknown, Effect: true, Message: `Exception while deleting Spark temp dir`,
			Says: "Spark was stopping", Next: steps("find out why it stopped"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/util/ShutdownHookManager.scala@v3.5.3",
		},
		{
			ID: "context-interrupted", Class: cause.Unknown, Effect: true, Exception: `java\.lang\.InterruptedExcepti` +
				`on|java\.nio\.channels\.ClosedByInterruptException|.*\.TaskKilledException`,
			Message: ``,
			Says: "a thread was interrupted, because Spark was stopping or a task was " +
				"canceled", Next: steps("find out why it stopped"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/TaskKilledException.scala@v3.5.3; " +
				"openjdk/jdk25u src/java.base/share/classes/java/lang/InterruptedException.java@jdk-25.0.3+9",
		},
		{
			ID: "two-contexts", Class: cause.CodeFailed, Certain: true, Message: `Only one SparkContext ` +
				`(?:should|may) be running in this JVM|Cannot run multiple SparkContexts at once`,
			Says: "the application creates a second SparkContext", Next: steps("use SparkSession.builder.getOrCreate, and create it " +
				"once"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.3; " +
				"apache/spark python/pyspark/context.py@v3.5.3",
		},
		{
			ID: "context-on-executor", Class: cause.CodeFailed, Certain: true, Message: `SparkContext should ` +
				`only be created and accessed on the driver`,
			Says: "code that runs on executors creates a SparkContext", Next: steps("create it on the driver " +
				"only"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.3",
		},
		{
			ID: "not-serializable", Class: cause.CodeFailed, Certain: true,
			Message: `NotSerializableException: (?P<class>[\w.$]+)|Task not serializable`,
			Says:    "a task refers to an object that cannot be serialized[ (${class})]", Next: steps("create the " +
				"object inside the function, or make its class serializable"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/util/ClosureCleaner.scala@v3.5.3; " +
				"openjdk/jdk25u src/java.base/share/classes/java/io/ObjectOutputStream.java@jdk-25.0.3+9",
		},
		{
			ID: "deploy-mode", Class: cause.Submission, Certain: true, Message: `Cluster deploy mode is ` +
				`(?:currently not supported for python applications|not applicable to Spark (?P<what>shells|` +
				`SQL shell|Thrift server|Connect server))`,
			Says: "cluster mode does not work for this application" +
				"[ (${what})]", Next: steps("use client mode"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala@v3.5.3",
		},
		{
			ID: "no-master", Class: cause.Configuration, Certain: true, Message: `A master URL must be set in your configuration`,
			Says: "no master is set, or the context is created where none should be", Next: steps("start the " +
				"application with spark-submit, and create no SparkContext on executors or in static " +
				"code"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.3",
		},
		{
			ID: "bad-master", Class: cause.Configuration, Certain: true, Message: `Could not parse Master ` +
				`URL: '?(?P<master>[^'\n]+)|Master must either be yarn or start with spark`,
			Says: "Spark does not understand the master URL[ ${master}]", Next: steps("do not set master in " +
				"the code, and use an image built with " +
				"-Pkubernetes"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala@v3.5.3",
		},
		{
			ID: "upload-path", Class: cause.Configuration, Certain: true, Message: `Please specify ` +
				`spark\.kubernetes\.file\.upload\.path property`,
			Says: "a local file is to be uploaded, and spark.kubernetes.file.upload.path is not " +
				"set", Next: steps("write local:// for a file of the image, or set " +
				"spark.kubernetes.file.upload.path"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/" +
				"KubernetesUtils.scala@v3.5.3",
		},
		{
			ID: "no-image", Class: cause.Configuration, Certain: true, Message: `Must specify the (?:driver|` +
				`executor) container image`,
			Says: "no image is set", Next: steps("set spec.image"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/features/" +
				"BasicDriverFeatureStep.scala@v3.5.3; " +
				"apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/features/" +
				"BasicExecutorFeatureStep.scala@v3.5.3",
		},
		{
			ID: "template-file", Class: cause.Configuration, Certain: true, Message: `Could not load pod ` +
				`from template file|Encountered exception while attempting to load initial pod spec from file`,
			Says: "the pod template cannot be read", Next: steps("correct the template"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/" +
				"KubernetesUtils.scala@v3.5.3",
		},
		{
			ID: "conf-invalid", Class: cause.Configuration, Certain: true, Message: `(?P<key>spark\.[\w.]+) ` +
				`should be (?P<type>int|long|double|boolean|byte|time|string)?,? but was (?P<value>\S+)|` +
				`The value '(?P<value2>[^']*)' in the config "(?P<key2>[^"]+)" is invalid|` +
				`'(?P<value3>[^'\n]*)' in (?P<key3>spark\.[\w.]+) is invalid\. |` +
				`(?:NumberFormatException|IllegalArgumentException): (?:(?:Size|Time) must be specified as|` +
				`Fractional values are not supported|Failed to parse (?:byte|time) string)`,
			Says: "a setting has a value that Spark cannot read[: ${key}]", Next: steps("correct the value"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/internal/config/ConfigBuilder.scala@v3.5.3; " +
				"apache/spark common/utils/src/main/java/org/apache/spark/network/util/JavaUtils.java@v3.5.3; " +
				"apache/spark common/utils/src/main/resources/error/error-conditions.json@205e382",
		},
		{
			ID: "spark-submit-arguments", Class: cause.Configuration, Certain: true,
			Message: `(?:Error|IllegalArgumentException): (?P<why>Missing application resource|Unrecognized option: --\S+)`,
			Says:    "spark-submit refuses its arguments: ${why}",
			Next:    steps("correct spec.mainApplicationFile, spec.mainClass or what the message names"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/deploy/SparkSubmitArguments.scala@v3.5.3; " +
				"apache/spark launcher/src/main/java/org/apache/spark/launcher/SparkSubmitCommandBuilder.java@v3.5.3",
		},
		{
			ID: "task-cpus", Class: cause.Configuration, Certain: true,
			Message: `The number of cores per executor \(=(?P<cores>\d+)\) has to be >= the number of cpus per task = (?P<cpus>\d+)`,
			Says:    "an executor has ${cores} cores, and a task asks for ${cpus} (spark.task.cpus)",
			Next:    steps("lower spark.task.cpus, or raise executor.cores"),
			Source:  "apache/spark core/src/main/scala/org/apache/spark/resource/ResourceUtils.scala@v3.5.3",
		},
		{
			ID: "set-by-spark", Class: cause.Configuration, Certain: true,
			Message: `requirement failed: (?P<key>spark\.driver\.(?:host|bindAddress)) is not supported in Kubernetes mode`,
			Says:    "spark-submit refuses ${key}, which Spark sets itself on Kubernetes",
			Next:    steps("remove ${key} from sparkConf"),
			Source: "apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/features/" +
				"DriverServiceFeatureStep.scala@v3.3.2",
		},
		{
			ID: "dynamic-allocation", Class: cause.Configuration, Certain: true, Message: `Dynamic ` +
				`allocation of executors requires (?:the external|one of)`,
			Says: "dynamic allocation needs shuffle tracking", Next: steps("set spark.dynamicAllocation.shuffleTracking.enabled=tru" +
				"e"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/ExecutorAllocationManager.scala@v3.3.2; " +
				"apache/spark core/src/main/scala/org/apache/spark/ExecutorAllocationManager.scala@v3.5.3",
		},
		{
			ID: "static-config", Class: cause.CodeFailed, Certain: true, Message: `(?:\[[\w.]+\] )?` +
				`Cannot modify the value of (?:a|the) (?:static|Spark) config: "?(?P<key>[\w.-]*\w)|CANNOT_MODIFY_(?:STATIC_)?CONFIG`,
			Says: "the application sets[ ${key}] at run time, where only a restart " +
				"can", Next: steps("set it in sparkConf"),
			Source: "apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/errors/QueryCompilationErrors.scala@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "connect-session", Class: cause.Unknown, Effect: true, Message: `INVALID_HANDLE\.(?:SESSION|` +
				`OPERATION)_\w+|SESSION_(?:CLOSED|CHANGED|NOT_FOUND)`,
			Says: "the Spark Connect session is gone, as after a restart of its " +
				"server", Next: steps("look at the server: was it restarted or killed?"),
			Source: "apache/spark common/utils/src/main/resources/error/error-conditions.json@205e382",
		},
	}
}
