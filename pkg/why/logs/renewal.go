package logs

import (
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// Unrenewed is a renewal of Hadoop's delegation tokens that failed: Spark takes no token for one that never expires, and schedules the next
// renewal for a time that never comes (SPARK-37787).
type Unrenewed struct {
	Service   string // of which it got no token: "hadoopfs"
	Said      Throwable
	Line      string // that says so
	At        time.Time
	Scheduled string // the line that schedules the next renewal
}

// The words of core/src/main/scala/org/apache/spark/util/Utils.scala@v3.3.0 (createFailedToGetTokenMessage) and of core/src/main/scala/org/
// apache/spark/deploy/security/HadoopDelegationTokenManager.scala of the same tag.
var (
	noToken   = lazyregexp.New(`^Failed to get token from service (\S+)`)
	scheduled = lazyregexp.New(`^Scheduling renewal in ([\d.]+) h\.`)
)

// never is after how many hours no token is renewed any more: they live for seven days (dfs.namenode.delegation.token.max-lifetime).
const never = 10 * 365 * 24

// renews takes what Spark says of the renewal of its tokens. One that succeeds later makes up for it.
func (s *story) renews(at int, e *entry) {
	if m := noToken.FindStringSubmatch(e.message); m != nil && e.level >= warn {
		s.unrenewed = &Unrenewed{Service: strings.TrimRight(m[1], ".:"), Line: e.first, At: s.timeOf(at)}
		if links := s.chain(at); len(links) > 0 {
			s.unrenewed.Said = rootOf(links).throwable()
		}
		return
	}
	m := scheduled.FindStringSubmatch(e.message)
	if m == nil || s.unrenewed == nil {
		return
	}
	if hours, err := strconv.ParseFloat(m[1], 64); err == nil && hours < never {
		s.unrenewed = nil
		return
	}
	s.unrenewed.Scheduled = e.first
}
