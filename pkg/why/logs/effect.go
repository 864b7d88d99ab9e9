package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Exceptions that say that something else went away, and never why. All names are of Spark v3.5.5 and v4.0.0, py4j 0.10.9.7 and the JDK.
var (
	effectClass = lazyregexp.New(`^(?:ExecutorLostFailure|FetchFailed|TaskKilled|TaskResultLost|TaskCommitDenied` +
		`|org\.apache\.spark\.shuffle\.(?:Metadata)?FetchFailedException|org\.apache\.spark\.TaskKilledException` +
		`|org\.apache\.spark\.ExecutorDeadException|org\.apache\.spark\.rpc\.(?:RpcEnvStoppedException|RpcTimeoutException` +
		`|RpcEndpointNotFoundException)` +
		`|org\.apache\.spark\.storage\.BlockManagerId.*` +
		`|java\.lang\.InterruptedException|java\.nio\.channels\.ClosedByInterruptException` +
		`|java\.util\.concurrent\.(?:RejectedExecutionException|CancellationException)|java\.lang\.IllegalMonitorStateException` +
		`|(?:py4j\.protocol\.)?Py4JNetworkError|KeyboardInterrupt|BrokenPipeError)$`)
	effectMessage = lazyregexp.New(`SparkContext was shut ?down|SparkContext has been shut ?down|on a stopped (?i:SparkContext)` +
		`|SparkListenerBus has already stopped|Could not find CoarseGrainedScheduler|RpcEnv already stopped|Spark session has been stopped` +
		`|Executor heartbeat timed out|Max number of executor failures|` +
		// its other reasons are its own (core/src/main/scala/org/apache/spark/executor/CoarseGrainedExecutorBackend.scala@v3.5.5)
		`Executor self-exiting due to : (?:Driver |Cannot register|Slave registration|Received LaunchTask)|Driver .{0,80}disassociated` +
		`|^User application exited with (?:\d{1,2}|1[0-2]\d|130|143)\b` + // by itself, which it said before, or asked to
		`|Job \d+ cancelled|[Ss]tage cancelled|Slave lost|Remote RPC client disassociated|Answer from Java side is empty` +
		`|Error while sending or receiving\.|An error occurred while trying to connect to the Java server` +
		`|has failed the maximum allowable number of times|^Broken pipe|Exception while deleting Spark temp dir|Commit denied|RECEIVED SIGNAL`)
	// A connection that ends says nothing, where Spark talks to executors or Python to its JVM.
	connectionOver = lazyregexp.New(`^(?:Connection (?:reset|refused)|Broken pipe|Failed to (?:connect to|send RPC)` +
		`|Connection from .* closed)|Errno 111`)
	// These wrap what was raised elsewhere. Alone, they say only that something failed.
	wrapperMessage = lazyregexp.New(`^(?:Job aborted|Writing job aborted|Task failed while writing rows` +
		`|Exception thrown in awaitResult|Task \d+ in stage \d+\.\d+ failed \d+ times[.,;]?$` +
		`|External scheduler cannot be instantiated|Query .{0,120} terminated with|\[?TASK_WRITE_FAILED` +
		`|Failed to execute|An error occurred while calling|Boxed (?:Error|Exception)|Unable to instantiate)`)
)

// effect reports whether the exception follows from something else.
func (l *link) effect() bool {
	if effectClass.MatchString(l.class) || effectMessage.MatchString(l.message) {
		return true
	}
	// Frames of Spark's network layer or py4j tell whose connection ended.
	return connectionOver.MatchString(l.message) && slices.ContainsFunc(l.frames, func(f frame) bool {
		ofPy4J := f.python && strings.Contains(f.file, "py4j")
		return ofPy4J || hasPrefix(f.name, "org.apache.spark.network.", "org.apache.spark.rpc.")
	})
}

// wraps reports whether the exception only carries another.
func (l *link) wraps() bool {
	switch l.class[strings.LastIndexByte(l.class, '.')+1:] {
	case "Py4JJavaError", "PythonException", "InvocationTargetException", "ExecutionException", "UndeclaredThrowableException":
		return true
	default:
		return wrapperMessage.MatchString(l.message)
	}
}

// effects reports whether what a chain tells follows from something else: an exception below one that says so is how it was noticed.
func effects(chain []link) bool {
	return slices.ContainsFunc(chain, func(l link) bool { return l.effect() })
}

// brokenOff is a connection that the other side ended while it was used.
var brokenOff = lazyregexp.New(`^(?:Broken pipe|Connection reset|Software caused connection abort)`)

// brokeOff is about a driver that does not reach the API server, or could not start because its connection to it ended: nothing that it
// follows from is its own.
// Clients before Spark 3.0 take Java 8u251 and later for a newer one and speak HTTP/2, which API servers since 1.17 end
// (apache/spark#28638, fabric8io/kubernetes-client#2212).
func brokeOff(links []link) (verdict, bool) {
	asks := slices.ContainsFunc(links, func(l link) bool {
		return strings.HasSuffix(l.class, "KubernetesClientException") && strings.HasPrefix(l.message, "Operation: [")
	})
	if asks && hasSuffix(rootOf(links).class, "SocketTimeoutException", "ConnectException", "NoRouteToHostException", "HttpTimeoutException") {
		return verdict{meaning: APIUnreached{}, strength: Plausible, class: cause.Network, root: rootOf(links)}, true
	}
	if !asks || !starting(links) || !brokenOff.MatchString(rootOf(links).message) {
		return verdict{}, false
	}
	root := rootOf(links)
	v := verdict{meaning: APIHungUp{}, strength: Plausible, class: cause.Network, root: root}
	begins := func(f frame) bool { return f.name == "okhttp3.internal.http2.Http2Connection.start" }
	if slices.ContainsFunc(root.frames, begins) {
		v.meaning, v.class = APIHungUp{HTTP2: true}, cause.Dependency
	}
	return v, true
}
