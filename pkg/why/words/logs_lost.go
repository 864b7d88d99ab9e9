package words

import (
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// Lost is what became of executors.
func Lost(l logs.Lost) string {
	n, subject := len(l.Executors), lostExecutors(l)
	if n == 0 || l.Reason != logs.NoReason || l.Code < 0 {
		return subject + " " + lossReason(l.Reason, n > 1)
	}
	if n > 1 {
		return subject + " ended" + ofExitCode(l.Code) + "; what they ran into is in their own logs, not in this one"
	}
	return subject + " ended" + ofExitCode(l.Code) + "; what it ran into is in its own log, not in this one"
}

// lostExecutors are those that it is about: one by its number, more by how many they are.
func lostExecutors(l logs.Lost) string {
	switch n := len(l.Executors); {
	case n == 0:
		return "an executor"
	case n == 1:
		return "executor " + l.Executors[0]
	default:
		return phrase.Counted(n, "executor")
	}
}

// killed is how executors ended that were OOMKilled, where what follows says at which limit.
func killed(l logs.Lost) string {
	return lostExecutors(l) + " " + phrase.Verb(len(l.Executors), "was ", "were ") + oomKilled
}

// oomKilled is what the kubelet recorded of a container that exceeded its limit.
const oomKilled = "OOMKilled (exit code 137)"

// ofExitCode is an exit code as the end of a sentence, with what it says by itself.
func ofExitCode(code int) string {
	switch code {
	case 139:
		return " (exit code 139, SIGSEGV: native code crashed)"
	case 134:
		return " (exit code 134, SIGABRT: the JVM or native code aborted)"
	default:
		return " (exit code " + strconv.Itoa(code) + ")"
	}
}

// lossReason is a reason as a predicate of executors.
func lossReason(r logs.LossReason, many bool) string {
	was := "was"
	if many {
		was = "were"
	}
	switch r {
	case logs.OOMKilled:
		return was + " " + oomKilled + ": memory use exceeded the container's limit"
	case logs.Killed:
		return was + " killed with SIGKILL (exit code 137), most often because memory use exceeded the container's limit"
	case logs.Signalled:
		return was + " killed with SIGKILL (exit code 137, Error, not OOMKilled): the log does not say by what"
	case logs.Evicted:
		return was + " evicted or preempted by the cluster"
	case logs.Decommissioned:
		return was + " decommissioned: the cluster drained or reclaimed the node"
	case logs.PodDeleted:
		return was + " deleted by a user or a controller while running"
	case logs.Terminated:
		return was + " terminated from outside (exit code 143, SIGTERM)"
	case logs.HeapFull:
		return "ran out of memory in the JVM (OutOfMemoryError, exit code 52)"
	case logs.NoLocalDir:
		return "could not create a local directory (exit code 53)"
	case logs.NoSign:
		return "sent no heartbeat any more; the reason is unknown: gone, without network, or in garbage collection"
	case logs.NoHeartbeat:
		return "gave up because no heartbeat reached the driver (exit code 56); whether the driver, the executors or the network stood still " +
			"is not in the log"
	default:
		return was + " lost; the reason is unknown, because the log does not give it"
	}
}

// gone says which executors ended, in a few words: "executors 4 and 5 ended (exit code 143)".
func gone(l *logs.Lost) string {
	const most = 3
	names := l.Executors[max(0, len(l.Executors)-most):]
	subject := "executor " + names[0]
	switch n := len(l.Executors); {
	case n > most:
		subject = phrase.Counted(n, "executor")
	case n > 1:
		subject = "executors " + strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	if l.Code < 0 {
		return subject + " " + lossReason(l.Reason, len(l.Executors) > 1)
	}
	return subject + " ended (exit code " + strconv.Itoa(l.Code) + ")"
}
