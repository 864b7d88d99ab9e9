package logs

import "strings"

// trouble is what an entry tells that is not said when things go well; see milestone for what is.
type trouble int

const (
	noTrouble     trouble = iota
	signalArrives         // SIGTERM
	processEnds           // nothing caught an exception, or Spark or the JVM gave up
	jobStarves            // it gets no executors
	batchIsLate           // of a stream
	executorLost
	taskLost        // one attempt of it
	executorRefused // it could not be created
	executorsFailed // that were created
)

// troubleOf reads what a logger wrote at level WARN or above, or what no logger wrote.
func troubleOf(e *entry) trouble {
	switch {
	case strings.Contains(e.message, "RECEIVED SIGNAL"):
		return signalArrives
	case strings.HasPrefix(e.message, "Terminating due to java.lang.OutOfMemoryError"): // -XX:+ExitOnOutOfMemoryError of the JVM
		return processEnds
	case e.level == plain:
		return printedTrouble(e)
	default:
		return loggedTrouble(e)
	}
}

// printedTrouble reads what no logger wrote.
func printedTrouble(e *entry) trouble {
	if e.endsProcess() || e.reports("#") && crashReport(e) {
		return processEnds
	}
	return noTrouble
}

// loggedTrouble reads what a logger wrote at level WARN or above: the first rule that fits.
func loggedTrouble(e *entry) trouble {
	switch {
	case e.level == warn && strings.HasPrefix(e.message, "Initial job has not accepted any resources"):
		return jobStarves // core/src/main/scala/org/apache/spark/scheduler/TaskSchedulerImpl.scala@v3.5.5
	case e.level == warn && strings.HasPrefix(e.message, "Current batch is falling behind"):
		return batchIsLate // sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/TriggerExecutor.scala@v3.5.5
	case strings.HasPrefix(e.message, "Lost executor "):
		return executorLost
	case strings.HasPrefix(e.message, "Lost task "):
		return taskLost
	case strings.HasPrefix(e.message, "Exception in task "):
		return noTrouble // it ends a task and no process, whatever the exception is
	case e.level >= failure && givesUp.MatchString(e.message), ofMemory(e):
		return processEnds
	case refusesExecutors(e):
		return executorRefused
	case e.level == warn && strings.HasSuffix(e.message, " new failed executors."):
		return executorsFailed // scheduler/cluster/k8s/ExecutorPodsAllocator.scala@v3.5.5
	default:
		return noTrouble
	}
}

// endsProcess reports whether nothing caught an exception that ends the process.
func (e *entry) endsProcess() bool {
	switch e.uncaught {
	case pyDeath:
		return true
	case javaDeath:
		return e.thread == "main" || ofError(e)
	default:
		return false
	}
}

// refusesExecutors reports whether the driver could not create a pod (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/
// scheduler/cluster/k8s/ExecutorPodsSnapshotsStoreImpl.scala@v3.5.5, where the allocator runs as a subscriber).
func refusesExecutors(e *entry) bool {
	ofAllocator := strings.HasSuffix(e.logger, "ExecutorPodsAllocator") && len(e.extra) > 0
	return ofAllocator || strings.HasPrefix(e.message, "Exception when notifying snapshot subscriber")
}

func crashReport(e *entry) bool {
	_, _, is := crashed(e)
	return is
}

// ofError reports whether the exception of a thread other than main is an Error: then the process is beyond repair.
func ofError(e *entry) bool {
	class, _, _ := strings.Cut(e.message, ":")
	return strings.HasSuffix(class, "Error")
}

// ofMemory reports whether a logger wrote of an OutOfMemoryError.
func ofMemory(e *entry) bool {
	const name = "java.lang.OutOfMemoryError"
	if strings.Contains(e.message, name) {
		return true
	}
	for _, line := range e.extra {
		if hasPrefix(line, name, "Caused by: "+name) {
			return true
		}
	}
	return false
}
