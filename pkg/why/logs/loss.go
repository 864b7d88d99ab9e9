package logs

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// loss is an executor that the driver lost, as its log says it.
type loss struct {
	at       int // of the entry
	executor string
	why      lossReason
	code     int // of the exit; -1: not told
}

// newLoss reads what the log says when the driver notices that an executor is gone.
func newLoss(at int, executor, text string) loss {
	return loss{at: at, executor: executor, why: reasonOf(text), code: codeOf(text)}
}

// codeOf is the exit code of an executor; -1: the log tells none.
func codeOf(text string) int {
	m := exitCode.FindStringSubmatch(text)
	if m == nil {
		return -1
	}
	code, err := strconv.Atoi(m[1])
	if err != nil {
		return -1
	}
	return code
}

// exited is the exit code that executors have in common, as the end of a sentence; empty: they have none.
func exited(losses []loss) string {
	for _, l := range losses {
		if l.code < 0 || l.code != losses[0].code {
			return ""
		}
	}
	switch {
	case len(losses) == 0:
		return ""
	case losses[0].code == 139:
		return " (exit code 139, SIGSEGV: native code crashed)"
	case losses[0].code == 134:
		return " (exit code 134, SIGABRT: the JVM or native code aborted)"
	default:
		return " (exit code " + strconv.Itoa(losses[0].code) + ")"
	}
}

// lossReason is why executors were lost.
type lossReason int

const (
	unexplained lossReason = iota // no connection, exit codes without a meaning
	silent                        // no heartbeat for spark.network.timeout: gone, without network, or in garbage collection
	terminated                    // SIGTERM: who sent it is not in the log
	deletedPod
	decommissioned
	killed // SIGKILL: the kernel when memory ran out, as a rule
	evicted
	oomKilled
	heapExhausted
	noLocalDir
	noHeartbeat // its own reached the driver no more: either of the two, or the network between them
)

var (
	lostExecutor = regexp.MustCompile(`^Lost executor (\w+) on (.*?): ?(.*)$`)
	exitCode     = regexp.MustCompile(`exit(?:ed with exit)? code:? (\d+)`)
	endReason    = regexp.MustCompile(`(?i)termination reason: (\w+)|brief reason: (\w+)`)
	nodeGone     = regexp.MustCompile(`(?i)\b(?:Evicted|Preempt(?:ed|ing|ion)|NodeLost|NodeShutdown|Terminated by node shutdown` +
		`|DisruptionTarget|spot interruption)\b`)
)

// reasonOf classifies what the driver was told about an executor (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/
// scheduler/cluster/k8s/ExecutorPodsLifecycleManager.scala@v3.5.5; exit codes: core/src/main/scala/org/apache/spark/executor/
// ExecutorExitCode.scala, core/src/main/scala/org/apache/spark/util/SparkExitCode.scala and core/src/main/scala/org/apache/spark/
// HeartbeatReceiver.scala of the same tag).
func reasonOf(text string) lossReason {
	code, ended := codeOf(text), ""
	for _, m := range endReason.FindAllStringSubmatch(text, -1) {
		ended += " " + m[1] + m[2]
	}
	switch {
	case strings.Contains(ended, "OOMKilled") || strings.Contains(text, "reason: OOMKilled") || strings.Contains(text, "reason=OOMKilled"):
		return oomKilled
	case nodeGone.MatchString(text):
		return evicted
	case strings.Contains(text, "ecommission"):
		return decommissioned
	case strings.Contains(text, "was deleted by a user or the framework"):
		return deletedPod
	case code == 52:
		return heapExhausted
	case code == 53:
		return noLocalDir
	case code == 56:
		return noHeartbeat
	case code == 137:
		return killed
	case code == 143:
		return terminated
	case strings.Contains(text, "Executor heartbeat timed out"):
		return silent
	default:
		return unexplained
	}
}

// class is what a loss for this reason is.
func (r lossReason) class() cause.Class {
	switch r {
	case oomKilled, killed, evicted, decommissioned, deletedPod, terminated:
		return cause.ClusterKilled
	case heapExhausted:
		return cause.Configuration
	case noLocalDir:
		return cause.Storage
	default:
		return cause.Unknown
	}
}

// certain reports whether the reason leaves no doubt about the class.
func (r lossReason) certain() bool {
	return r == oomKilled || r == evicted || r == heapExhausted || r == decommissioned
}

// Lost is what ended executors.
type Lost struct {
	Says     string // "2 executors were OOMKilled ..."; empty: the log does not know
	Line     string // that tells of the last of them
	At       time.Time
	OfMemory bool
}

// mostLost is what ended most of the executors of which the log knows that.
func (s *story) mostLost() Lost {
	byReason := map[lossReason][]loss{}
	most := unexplained
	for _, l := range s.losses {
		if l.why.class() == cause.Unknown {
			continue
		}
		if byReason[l.why] = append(byReason[l.why], l); len(byReason[l.why]) >= len(byReason[most]) {
			most = l.why
		}
	}
	if most == unexplained {
		return Lost{}
	}
	list := byReason[most]
	last := list[len(list)-1].at
	return Lost{Says: lostSays(list, most), Line: s.entries[last].first, At: s.timeOf(last), OfMemory: most == oomKilled || most == killed}
}

// said is the reason as a predicate of executors.
func (r lossReason) said(many bool) string {
	was := "was"
	if many {
		was = "were"
	}
	switch r {
	case oomKilled:
		return was + " OOMKilled (exit code 137): memory use exceeded the container's limit"
	case killed:
		return was + " killed with SIGKILL (exit code 137), most often because memory use exceeded the container's limit"
	case evicted:
		return was + " evicted or preempted by the cluster"
	case decommissioned:
		return was + " decommissioned: the cluster drained or reclaimed the node"
	case deletedPod:
		return was + " deleted by a user or a controller while running"
	case terminated:
		return was + " terminated from outside (exit code 143, SIGTERM)"
	case heapExhausted:
		return "ran out of memory in the JVM (OutOfMemoryError, exit code 52)"
	case noLocalDir:
		return "could not create a local directory (exit code 53)"
	case silent:
		return "sent no heartbeat any more; the reason is unknown: gone, without network, or in garbage collection"
	case noHeartbeat:
		return "gave up because no heartbeat reached the driver (exit code 56); whether the driver, the executors or the network stood still " +
			"is not in the log"
	default:
		return was + " lost; the reason is unknown, because the log does not give it"
	}
}
