package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// GivenUp is a stage that Spark gave up.
type GivenUp struct {
	Stage int
	At    string // the call of the program: "parquet at Load.scala:9"
	Times int    // that it failed
	Line  string
}

// givenUpStage matches what Spark says of it (DAGScheduler.scala of core/src/main/scala/org/apache/spark/scheduler@v3.5.5).
var givenUpStage = lazyregexp.New(`(?:ShuffleMap|Result)Stage (\d+) \((.{1,80}?)\) has failed the maximum allowable number of times: (\d+)`)

// stageGivenUp is the last one that Spark gave up because blocks could not be fetched; nil: none.
func (s *story) stageGivenUp() *GivenUp {
	for at := len(s.entries) - 1; at >= 0; at-- {
		e := &s.entries[at]
		if e.level.belowWarn() {
			continue
		}
		text := strings.Join(append([]string{e.message}, e.extra...), "\n")
		m := givenUpStage.FindStringSubmatch(text)
		if m != nil && strings.Contains(text, "FetchFailed") {
			return &GivenUp{Stage: number(m[1]), At: m[2], Times: number(m[3]), Line: m[0]}
		}
	}
	return nil
}

// complaint is the last error that a logger wrote before Spark stopped; nil: none.
func (s *story) complaint() *Complaint {
	end := len(s.entries)
	if s.stopping >= 0 {
		end = s.stopping
	}
	for at := end - 1; at >= 0; at-- {
		e := &s.entries[at]
		if e.level < failure && e.uncaught == caught {
			continue
		}
		return s.complaintOf(at)
	}
	return nil
}

// errorAtStop is the first error that a logger wrote after Spark began to stop; nil: none, or Spark did not.
func (s *story) errorAtStop() *Complaint {
	for at := s.stopping + 1; s.stopping >= 0 && at < len(s.entries); at++ {
		if s.entries[at].level >= failure {
			return s.complaintOf(at)
		}
	}
	return nil
}

func (s *story) complaintOf(at int) *Complaint {
	out, links := &Complaint{Line: s.entries[at].first, At: s.timeOf(at)}, s.chain(at)
	if len(links) == 0 || effects(links) {
		return out
	}
	out.Root = rootOf(links).throwable()
	if f := ownFrame(links); f != nil {
		out.Frame = f.place()
	}
	return out
}
