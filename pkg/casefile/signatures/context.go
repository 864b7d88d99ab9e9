package signatures

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"

// context lists what Spark says of its context and of how it is submitted.
func context() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "context-stopped", Class: cause.Unknown, Effect: true, Message: `SparkContext (?:was shut ` +
				`down|has been shutdown)|Cannot call methods on a stopped SparkContext|SparkContext is stopped|` +
				`LiveListenerBus is (?:stopped|not running)`,
			Says: "the SparkContext had stopped before",
			Next: steps("find out why it stopped"),
			Source: "core/src/main/scala/org/apache/spark/SparkCon" +
				"text.scala (Spark)",
		},
		{
			ID: "rejected-execution", Class: cause.Unknown, Effect: true,
			Message: `RejectedExecutionException|RpcEnv already stopped|RpcEnvStoppedException|Could not find ` +
				`CoarseGrainedScheduler|Could not find HeartbeatReceiver`,
			Says: "Spark was stopping", Next: steps("find out why it stopped"),
			Source: "java.util.concurrent.ThreadPoolExecutor (JDK), Dispatcher.scala (Spark)",
		},
		{
			ID: "temp-dir-delete", Class: cause.Unknown, Effect: true, Message: `Exception while deleting Spark temp dir`,
			Says: "Spark was stopping", Next: steps("find out why it stopped"),
			Source: "core/src/main/scala/org/apache/spark/util/ShutdownHookManager.scala (Spark)",
		},
		{
			ID: "context-interrupted", Class: cause.Unknown, Effect: true, Exception: `java\.lang\.InterruptedExcepti` +
				`on|java\.nio\.channels\.ClosedByInterruptException|.*\.TaskKilledException`,
			Message: ``,
			Says: "a thread was interrupted, because Spark was stopping or a task was " +
				"canceled", Next: steps("find out why it stopped"), Source: "java.lang.InterruptedException (JDK)",
		},
		{
			ID: "two-contexts", Class: cause.CodeFailed, Certain: true, Message: `Only one SparkContext ` +
				`(?:should|may) be running in this JVM|Cannot run multiple SparkContexts at once`,
			Says: "the application creates a second SparkContext", Next: steps("use SparkSession.builder.getOrCreate, and create it " +
				"once"), Source: "core/src/main/scala/org/apache/spark/SparkContext.scala (Spark)",
		},
		{
			ID: "context-on-executor", Class: cause.CodeFailed, Certain: true, Message: `SparkContext should ` +
				`only be created and accessed on the driver`,
			Says: "code that runs on executors creates a SparkContext", Next: steps("create it on the driver " +
				"only"), Source: "core/src/main/scala/org/apache/spark/SparkContext.scala (Spark)",
		},
		{
			ID: "not-serializable", Class: cause.CodeFailed, Certain: true,
			Message: `NotSerializableException: (?P<class>[\w.$]+)|Task not serializable`,
			Says:    "a task refers to an object that cannot be serialized (${class})", Next: steps("create the " +
				"object inside the function, or make its class serializable"), Source: "ClosureCleaner.scala " +
				"(Spark), java.io.ObjectOutputStream (JDK)",
		},
		{
			ID: "deploy-mode", Class: cause.Submission, Certain: true, Message: `Cluster deploy mode is ` +
				`(?:currently not supported for python applications|not applicable to Spark (?P<what>shells|` +
				`SQL shell|Thrift server|Connect server))`,
			Says: "cluster mode does not work for this application " +
				"(${what})", Next: steps("use client mode"), Source: "core/src/main/scala/org/apache/spark/deploy/SparkSub" +
				"mit.scala (Spark)",
		},
		{
			ID: "no-master", Class: cause.Configuration, Certain: true, Message: `A master URL must be set in your configuration`,
			Says: "no master is set, or the context is created where none should be", Next: steps("start the " +
				"application with spark-submit, and create no SparkContext on executors or in static " +
				"code"), Source: "core/src/main/scala/org/apache/spark/SparkContext.scala (Spark)",
		},
		{
			ID: "bad-master", Class: cause.Configuration, Certain: true, Message: `Could not parse Master ` +
				`URL: '?(?P<master>[^'\n]+)|Master must either be yarn or start with spark`,
			Says: "Spark does not understand the master URL ${master}", Next: steps("do not set master in " +
				"the code, and use an image built with " +
				"-Pkubernetes"), Source: "core/src/main/scala/org/apache/spark/SparkContext.scala (Spark)",
		},
		{
			ID: "upload-path", Class: cause.Configuration, Certain: true, Message: `Please specify ` +
				`spark\.kubernetes\.file\.upload\.path property`,
			Says: "a local file is to be uploaded, and spark.kubernetes.file.upload.path is not " +
				"set", Next: steps("write local:// for a file of the image, or set " +
				"spark.kubernetes.file.upload.path"), Source: "KubernetesUtils.scala (Spark)",
		},
		{
			ID: "no-image", Class: cause.Configuration, Certain: true, Message: `Must specify the (?:driver|` +
				`executor) container image`,
			Says: "no image is set", Next: steps("set spec.image"), Source: "BasicDriverFeatureStep.scala (Spark)",
		},
		{
			ID: "template-file", Class: cause.Configuration, Certain: true, Message: `Could not load pod ` +
				`from template file|Encountered exception while attempting to (?:load initial pod spec|` +
				`download the pod template) from file`,
			Says: "the pod template cannot be read", Next: steps("correct the template"), Source: "KubernetesUtils.scala (Spark)",
		},
		{
			ID: "conf-invalid", Class: cause.Configuration, Certain: true, Message: `(?P<key>spark\.[\w.]+) ` +
				`should be (?P<type>int|long|double|boolean|byte|time|string)?,? but was (?P<value>\S+)|` +
				`The value '(?P<value2>[^']*)' in the config "(?P<key2>[^"]+)" is invalid|` +
				`(?:NumberFormatException|IllegalArgumentException): (?:Size|Time|Fractional values|` +
				`Failed to parse (?:byte|time) string)[^\n]*`,
			Says: "a setting has a value that Spark cannot read: " +
				"${key}", Next: steps("correct the value"), Source: "ConfigBuilder.scala, JavaUtils.java (Spark)",
		},
		{
			ID: "dynamic-allocation", Class: cause.Configuration, Certain: true, Message: `Dynamic ` +
				`allocation of executors requires (?:the external|one of)`,
			Says: "dynamic allocation needs shuffle tracking", Next: steps("set spark.dynamicAllocation.shuffleTracking.enabled=tru" +
				"e"), Source: "ExecutorAllocationManager.scala (Spark)",
		},
		{
			ID: "static-config", Class: cause.CodeFailed, Certain: true, Message: `CANNOT_MODIFY_(?:CONFIG|` +
				`STATIC_CONFIG)|Cannot modify the value of a (?:static|Spark) config: (?P<key>\S+)`,
			Says: "the application sets ${key} at run time, where only a restart " +
				"can", Next: steps("set it in sparkConf"), Source: "RuntimeConfig.scala (Spark)",
		},
		{
			ID: "connect-session", Class: cause.Unknown, Effect: true, Message: `INVALID_HANDLE\.(?:SESSION|` +
				`OPERATION)_\w+|SESSION_(?:CLOSED|CHANGED|NOT_FOUND)`,
			Says: "the Spark Connect session is gone, as after a restart of its " +
				"server", Next: steps("look at the server: was it restarted or killed?"), Source: "error class " +
				"INVALID_HANDLE (Spark)",
		},
	}
}
