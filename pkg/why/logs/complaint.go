package logs

import (
	"slices"
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

// CleanUp are the calls by which a driver deletes what is left of it, and that the API server refused: Spark logs that, and goes on
// (tryLogNonFatalError in KubernetesClusterSchedulerBackend.stop of resource-managers/kubernetes/core/src/main/scala/org/apache/spark/
// scheduler/cluster/k8s@v3.5.5).
type CleanUp struct {
	Account   string   // that was refused: the name of a service account, or of a user
	Verb      string   // deletecollection, or delete before Spark 3.4
	Resources []string // each once, as they were logged
	Others    int      // errors of other kinds after Spark began to stop
}

var refusedDelete = lazyregexp.New(`User "(?:system:serviceaccount:[^":]+:)?([^"]+)" cannot (delete(?:collection)?) resource "([\w.]+)"`)

// refusedCleanUp is what of it was refused after Spark began to stop; zero: nothing.
func (s *story) refusedCleanUp() (out CleanUp) {
	for at := s.stopping + 1; s.stopping >= 0 && at < len(s.entries); at++ {
		e := &s.entries[at]
		if e.level < failure {
			continue
		}
		text := strings.Join(append([]string{e.message}, e.extra...), "\n")
		m := refusedDelete.FindStringSubmatch(text)
		if m == nil || !strings.Contains(text, "KubernetesClusterSchedulerBackend") {
			out.Others++
			continue
		}
		out.Account, out.Verb = m[1], m[2]
		if !slices.Contains(out.Resources, m[3]) {
			out.Resources = append(out.Resources, m[3])
		}
	}
	return out
}
