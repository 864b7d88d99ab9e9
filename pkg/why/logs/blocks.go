package logs

import (
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// Unfetched is a process that an executor does not reach when it fetches blocks, such as those of a broadcast.
type Unfetched struct {
	Log      *app.Log
	IP, Port string
	Line     string // the last that says so
	At       time.Time
	TimedOut bool // nothing answered; one that was refused reached the pod
}

// unfetched matches what the client of Spark's block transfer says of an address (common/network-common/src/main/java/org/apache/spark/
// network/client/TransportClientFactory.java@v3.5.5).
var unfetched = lazyregexp.New(`(?:Connecting to|Failed to connect to) [\w.-]*/([\d.]+):(\d+)(?: timed out| failed|$)`)

// UnfetchedBlocks returns the last complaint of each executor about a process from which it cannot fetch, where no task of it finished
// after that.
func UnfetchedBlocks(e *app.Evidence) []Unfetched {
	pods := podsByName(e)
	var out []Unfetched
	for i := range e.Logs {
		log := &e.Logs[i]
		if log.Role != executorRole || ofSidecar(log, pods) || earlier(log, pods) {
			continue
		}
		s := read(log.Head, log.Tail, ClockOf(e, log))
		if one, is := s.unfetches(); is {
			one.Log = log
			out = append(out, one)
		}
	}
	return out
}

func (s *story) unfetches() (Unfetched, bool) {
	for at := len(s.entries) - 1; at >= 0; at-- {
		if s.timeOf(at).Before(s.finished.at) {
			break
		}
		chain := s.chain(at)
		for _, l := range chain {
			if m := unfetched.FindStringSubmatch(l.message); m != nil && fetchFrames(l) {
				timedOut := slices.ContainsFunc(chain, func(l link) bool { return strings.Contains(l.message, "timed out") })
				return Unfetched{IP: m[1], Port: m[2], Line: l.text, At: s.timeOf(at), TimedOut: timedOut}, true
			}
		}
	}
	return Unfetched{}, false
}

// fetchFrames reports whether Spark's block transfer raised an exception.
func fetchFrames(l link) bool {
	return slices.ContainsFunc(l.frames, func(f frame) bool {
		return hasPrefix(f.name, "org.apache.spark.network.netty.NettyBlockTransferService", "org.apache.spark.network.shuffle.")
	})
}
