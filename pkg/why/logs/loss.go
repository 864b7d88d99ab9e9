package logs

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// loss is an executor that the driver lost, as its log says it.
type loss struct {
	at       int // of the entry
	executor string
	why      LossReason
	code     int    // of the exit; -1: not told
	says     string // what the driver was told, the first line of it
	byTask   bool   // only a task that ran there tells of it
}

// newLoss reads what the log says when the driver notices that an executor is gone.
func newLoss(at int, executor, text string) loss {
	says, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return loss{at: at, executor: executor, why: reasonOf(text), code: codeOf(text), says: Shortened(says, maxQuote)}
}

// number is a number of digits; -1: it is too long to be one.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// codeOf is the exit code of an executor; -1: the log tells none.
func codeOf(text string) int {
	m := exitCode.FindStringSubmatch(text)
	if m == nil {
		return -1
	}
	return number(m[1])
}

// Lost is which executors were lost, and why, by what their driver was told.
type Lost struct {
	Executors []string // each once; none: the driver does not say which
	Reason    LossReason
	Code      int    // the exit code that they have in common; -1: they have none, or it was not told
	ByJob     bool   // only the line that gives the job up tells the reason
	Says      string // of the first, by the driver's log
}

// lostOf puts losses for a reason together.
func lostOf(losses []loss, why LossReason) Lost {
	out := Lost{Reason: why, Code: -1}
	for i, l := range losses {
		if !slices.Contains(out.Executors, l.executor) {
			out.Executors = append(out.Executors, l.executor)
		}
		if i == 0 {
			out.Code, out.Says = l.code, l.says
		}
		if l.code != out.Code {
			out.Code = -1
		}
	}
	return out
}

// LossReason is why executors were lost.
type LossReason int

// The reasons. Of two that are as frequent, the later one counts.
const (
	NoReason       LossReason = iota // no connection, exit codes without a meaning
	NoSign                           // no heartbeat for spark.network.timeout: gone, without network, or in garbage collection
	Terminated                       // SIGTERM: who sent it is not in the log
	Signalled                        // SIGKILL, which the kubelet does not call OOMKilled: who sent it is not in the log
	PodDeleted                       // by a user or a controller
	Decommissioned                   // its node was drained or reclaimed
	Killed                           // SIGKILL: the kernel when memory ran out, as a rule
	Evicted                          // or preempted
	OOMKilled
	HeapFull
	NoLocalDir
	NoHeartbeat // its own reached the driver no more: either of the two, or the network between them
)

var (
	lostExecutor = lazyregexp.New(`^Lost executor (\w+) on (.*?): ?(.*)$`)
	exitCode     = lazyregexp.New(`exit(?:ed with exit)? code:? (\d+)`)
	endReason    = lazyregexp.New(`(?i)termination reason: (\w+)|brief reason: (\w+)`)
	nodeGone     = lazyregexp.New(`(?i)\b(?:Evicted|Preempt(?:ed|ing|ion)|NodeLost|NodeShutdown|Terminated by node shutdown` +
		`|DisruptionTarget|spot interruption)\b`)
)

// reasonOf classifies what the driver was told about an executor (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/
// scheduler/cluster/k8s/ExecutorPodsLifecycleManager.scala@v3.5.5; exit codes: core/src/main/scala/org/apache/spark/executor/
// ExecutorExitCode.scala, core/src/main/scala/org/apache/spark/util/SparkExitCode.scala and core/src/main/scala/org/apache/spark/
// HeartbeatReceiver.scala of the same tag).
func reasonOf(text string) LossReason {
	code, ended := codeOf(text), ""
	for _, m := range endReason.FindAllStringSubmatch(text, -1) {
		ended += " " + m[1] + m[2]
	}
	switch {
	case strings.Contains(ended, "OOMKilled") || strings.Contains(text, "reason: OOMKilled") || strings.Contains(text, "reason=OOMKilled"):
		return OOMKilled
	case nodeGone.MatchString(text):
		return Evicted
	case strings.Contains(text, "ecommission"):
		return Decommissioned
	case strings.Contains(text, "was deleted by a user or the framework"):
		return PodDeleted
	case code == 52:
		return HeapFull
	case code == 53:
		return NoLocalDir
	case code == 56:
		return NoHeartbeat
	case code == 137 && strings.Contains(ended, " Error"):
		return Signalled
	case code == 137:
		return Killed
	case code == 143:
		return Terminated
	case strings.Contains(text, "Executor heartbeat timed out"):
		return NoSign
	default:
		return NoReason
	}
}

// class is what a loss for this reason is.
func (r LossReason) class() cause.Class {
	switch r {
	case OOMKilled, Killed, Evicted, Decommissioned, PodDeleted, Terminated:
		return cause.ClusterKilled
	case HeapFull:
		return cause.Configuration
	case NoLocalDir:
		return cause.Storage
	default:
		return cause.Unknown
	}
}

// certain reports whether the reason leaves no doubt about the class.
func (r LossReason) certain() bool {
	return r == OOMKilled || r == Evicted || r == HeapFull || r == Decommissioned
}

// OfMemory reports whether memory of the container was the reason, or most often is.
func (r LossReason) OfMemory() bool { return r == OOMKilled || r == Killed }

// MostLost is what ended most of the executors that a driver lost, where its log knows that.
type MostLost struct {
	Lost
	Line string // that tells of the last of them
	At   time.Time
}

// mostLost is what ended most of the executors of which the log knows that; nil: of none.
func (s *story) mostLost() *MostLost {
	byReason := map[LossReason][]loss{}
	most := NoReason
	for _, l := range s.losses {
		atStop := s.stopping >= 0 && l.at > s.stopping
		if atStop || l.why.class() == cause.Unknown {
			continue
		}
		if byReason[l.why] = append(byReason[l.why], l); len(byReason[l.why]) >= len(byReason[most]) {
			most = l.why
		}
	}
	if most == NoReason {
		return nil
	}
	list := byReason[most]
	last := list[len(list)-1].at
	return &MostLost{Lost: lostOf(list, most), Line: s.entries[last].first, At: s.timeOf(last)}
}
