package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// role is whose failure it is: of executors where the log of one tells it, where a task failed or executors were lost, and where the
// catalogue says so.
func (f *Failure) role() cause.Role {
	switch m := f.Meaning.(type) {
	case ExecutorsLost, ShuffleUnreached, DriverUnreached:
		return cause.ExecutorRole
	case Known:
		if m.Signature.On != "" {
			return m.Signature.On
		}
	}
	if f.Executor != "" || ofExecutorsBySpark.MatchString(f.Root.Message) {
		return cause.ExecutorRole
	}
	return f.In
}

// ofExecutorsBySpark matches what Spark says of executors where it gives up (resource-managers/kubernetes/core/src/main/scala/org/apache/
// spark/scheduler/cluster/k8s/ExecutorPodsAllocator.scala@v3.5.5), and where it does not start (core/src/main/scala/org/apache/spark/
// memory/UnifiedMemoryManager.scala@v3.5.5), and the name of their container, where the API server names it (resource-managers/kubernetes/
// core/src/main/scala/org/apache/spark/deploy/k8s/Constants.scala@v3.5.5).
var ofExecutorsBySpark = lazyregexp.New(`^Max number of executor failures |^Executor memory \d+ must be at least ` +
	`|\bspark-kubernetes-executor\b`)

// topics is what a failure is about beside its class.
func (f *Failure) topics() cause.Topics {
	topics := ofThrowable(f.Root)
	switch m := f.Meaning.(type) {
	case Known:
		topics |= m.Signature.Topics()
		if topics.Has(cause.Unwritable) && strings.Contains(f.Root.Message, "/tmp") {
			topics |= cause.InTmp
		}
		if m.Signature.File == "" && strings.HasSuffix(m.Groups["option"], "GC") {
			topics |= cause.Memory // an option of the JVM: which collector it uses
		}
	case OfKind:
		if m.Kind == OutOfMemory {
			topics |= cause.Memory
		}
	case DriverUnreached, ShuffleUnreached:
		topics |= cause.Unreached
	case HeapStaysFull:
		topics |= cause.Memory | cause.TimesOut
	case ExecutorsLost:
		topics |= f.Lost.Reason.topics()
		if f.Lost.Code == sigkill {
			topics |= cause.Killed
		}
	}
	if f.ofDriverService() {
		topics |= cause.DriverName
	}
	if f.waited() {
		topics |= cause.GaveUpWaiting
	}
	if f.In == cause.ExecutorRole && ofMemoryError(f.Root) && f.Strength < Certain {
		topics |= cause.OutOfHeap // one of which the catalogue is certain is a cause by itself
	}
	return topics
}

// sigkill is the exit code of a process that signal 9 ended.
const sigkill = 137

func (r LossReason) topics() cause.Topics {
	switch r {
	case OOMKilled:
		return cause.Memory | cause.OOMKilled | cause.OwnLimit | cause.Killed
	case Killed:
		return cause.Memory | cause.OwnLimit | cause.Killed
	case Signalled:
		return cause.Killed
	case HeapFull:
		return cause.Memory | cause.Exit52
	case NoSign, NoHeartbeat:
		return cause.TimesOut
	default:
		return 0
	}
}

// timedOut matches what Spark says when an executor sends no heartbeat (core/src/main/scala/org/apache/spark/HeartbeatReceiver.scala
// @v3.5.5), and when it waits in vain for another part of itself (core/src/main/scala/org/apache/spark/util/ThreadUtils.scala@v3.5.5).
var timedOut = lazyregexp.New(`^Executor heartbeat timed out|^Futures timed out after \[`)

// memorySetting matches the names of settings of memory (docs/configuration.md@v3.5.5).
var memorySetting = lazyregexp.New(`\bspark\.(?:\w+\.)*\w*[mM]emory`)

// ofThrowable is what an exception is about by its class, or by the words of Spark.
func ofThrowable(t Throwable) cause.Topics {
	var topics cause.Topics
	if ofMemoryError(t) {
		topics |= cause.Memory
	}
	if timedOut.MatchString(t.Message) {
		topics |= cause.TimesOut
	}
	if memorySetting.MatchString(t.Message) {
		topics |= cause.Memory
	}
	return topics
}

func ofMemoryError(t Throwable) bool { return strings.HasSuffix(t.Class, "OutOfMemoryError") }
