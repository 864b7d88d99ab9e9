package logs

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// Ending is how one log ends, and how far the work was. It tells no cause, but it rules causes out.
type Ending struct {
	Last     time.Time // the latest time of a line
	Uncaught bool      // an exception ended the process, or Spark gave up
	Signaled bool      // SIGTERM arrived
	Unset    bool      // a quota counts what executors do not set
	WorkDone bool      // the driver stopped Spark itself, with nothing before it that ends a process
	Open     bool      // the last job that began came to no end

	Stopped string // the line that says that Spark had stopped, for whatever reason; empty: none does
	Ended   time.Time
	After   []string // what was said after it in earnest, at most three lines
	Wrote   string   // the line of the last job that finished, or of the last write that was committed
	WroteAt time.Time

	// Starved is the last complaint that a job gets no executors, where none has registered and no task finished after it.
	Starved   string
	StarvedAt time.Time
	Late      string // the last complaint that a batch of a stream took longer than its trigger
	LateAt    time.Time
	Trigger   time.Duration // of that stream
	Took      time.Duration // that batch
	Commits   string        // what a write said when it began to commit its output, which is the last that happened; empty: none
	CommitsAt time.Time
	Between   bool       // by its lines of level INFO, its last job is over and no other has begun; the time of its last line is known
	Step      *Complaint // what ended a process before the last that the log holds, or one whose exit code was not handed on; nil: nothing
	AtStop    *Complaint // the first error that was logged after Spark began to stop; nil: none
	CleanUp   CleanUp    // what the API server refused to delete after that; zero: nothing
	GivenUp   *GivenUp   // the stage that Spark gave up for shuffle files that were gone; nil: none
	Retries   *Retries   // of commits that succeeded in the end; nil: there were none
	Survived  *Complaint // the last error that was logged, where the log was read for it; nil: none
	Collects  *Collects  // what the last job brings to the driver; nil: it is of an action that brings little, or nothing tells
	Info      bool       // it holds what Spark says at level INFO
	Local     string     // what a driver says that runs its tasks itself; empty: it does not
	Worn      bool       // executors keep ending of what they hold in memory, and no job finishes
	Lost      *MostLost  // what ended most of the executors that failed, where the log knows; nil: it does not
	Again     Again      // what it repeats at its end
	Version   string     // of Spark, by its first line: "3.5.5"; empty: it does not say so at level INFO
	// Registered says that an executor reported to the driver, and Loses that the driver lost some, or what they had written.
	Registered, Loses bool
	// Unreached says that no executor ever registered with the driver: the log was read as a whole, and would say so.
	Unreached bool

	// Refused is the last time that the driver could not create an executor, in the API server's words; nil: it never was, or one reported to
	// it after that.
	Refused    *Complaint
	Unrenewed  *Unrenewed // of delegation tokens; nil: no renewal failed for good
	Entrypoint string     // the program that its image starts as a driver, where that is not spark-submit

	Tasks   Tasks // of the stage whose task finished last
	TasksAt time.Time
	Pace    Pace  // of the same stage
	AtLoss  Tasks // of the stage at work when the first executor was lost

	Streams []Stream // by the last report of each
	// Released says that dynamic allocation removed executors that were idle, where none registered and no job began after it.
	Released   string
	ReleasedAt time.Time
	// SessionClosed is the last request for a session of Spark Connect that was closed; nil: there was none.
	SessionClosed *Complaint

	Stage   Stage // the last one whose tasks were submitted, if not all of them have finished; zero: none
	StageAt time.Time
	Left    []Unfinished // tasks of it, if only these are left
	Rerun   *Rerun       // of the stage whose task finished last; nil: it runs for the first time, or the log does not say why

	log   *app.Log
	story *story // of it, which Causes need not read again
}

// Complaint is an error that was logged and survived.
type Complaint struct {
	Line  string
	Root  Throwable // zero: the line has no exception, or one that follows from something else
	Frame Place     // of the application's code; zero: none is known
	At    time.Time
}

// behindTrigger matches what a stream says of a batch that took long (sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/
// TriggerExecutor.scala@v3.5.5).
var behindTrigger = lazyregexp.New(`trigger interval is \{?(\d+)\}? milliseconds, but spent \{?(\d+)\}? milliseconds`)

// startsDriver matches the trace of an entrypoint that hands on the argument that Spark's own turns into a call of spark-submit
// (resource-managers/kubernetes/docker/src/main/dockerfiles/spark/entrypoint.sh@v3.5.5).
var startsDriver = lazyregexp.New(`\+ exec (?:\S*tini -s -- )?(/\S+) driver `)

const entrypointWithin = 8 << 10 // bytes

// mustSpecify is what a quota says of pods that do not set what it counts (kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/
// resourcequota@v1.36.3).
const mustSpecify = "must specify"

// Digest returns how a log ends, whose times are those of a clock.
func Digest(log *app.Log, clock Clock) Ending {
	s := read(log.Head, log.Tail, clock)
	out := Ending{
		log: log, story: s, Last: s.last, Uncaught: len(s.deaths) > 0, Signaled: s.signal >= 0, WorkDone: s.wentWell(), Open: s.work > s.wrote,
		Info: s.begun >= 0, Registered: s.registered >= 0, Loses: s.loseAny(),
		Unset:      strings.Contains(log.Head, mustSpecify) || strings.Contains(log.Tail, mustSpecify),
		Entrypoint: entrypoint(log), Version: s.version(),
		After: s.afterStop(), Step: s.firstStep(), Survived: s.complaint(), AtStop: s.errorAtStop(),
		CleanUp: s.refusedCleanUp(), GivenUp: s.stageGivenUp(),
		Retries: s.retries(), Refused: s.stillRefused(), SessionClosed: s.sessionClosed(), Unrenewed: s.unrenewed,
		Lost: s.mostLost(), Again: s.again(s.tries), Streams: s.streams, Collects: s.lastCollected(),
	}
	out.Unreached = out.Info && !out.Registered && log.Dropped == 0
	_, out.Worn = s.worn()
	out.Stopped, out.Ended = s.toldAt(s.stopped)
	out.Wrote, out.WroteAt = s.toldAt(s.wrote)
	out.Local, _ = s.toldAt(s.local)
	if !s.overcame(s.starved) {
		out.Starved, out.StarvedAt = s.toldAt(s.starved)
	}
	if s.released > max(s.registered, s.work) {
		out.Released, out.ReleasedAt = s.toldAt(s.released)
	}
	if s.late >= 0 {
		out.Late, out.LateAt = s.entries[s.late].message, s.timeOf(s.late)
		out.Trigger, out.Took = lateness(out.Late)
	}
	if tasks, is := tasksOf(&s.finished); is {
		out.Tasks, out.TasksAt, out.Pace = tasks, s.finished.at, s.pace()
		out.Rerun = s.rerun()
	}
	out.AtLoss, _ = tasksOf(&s.atLoss)
	switch {
	case s.stopping >= 0: // it does nothing more
	case s.commits > max(s.wrote, s.work):
		out.Commits, out.CommitsAt = s.toldAt(s.commits)
		out.Stage, out.StageAt = s.atWork()
	case s.betweenJobs():
		out.Between = true
	default:
		out.Stage, out.StageAt = s.atWork()
		out.Left = s.launched.of(out.Stage)
	}
	return out
}

// toldAt is the line at a position, and when it was written; zero: the position is that of nothing.
func (s *story) toldAt(at int) (string, time.Time) {
	if at < 0 {
		return "", time.Time{}
	}
	return s.entries[at].first, s.timeOf(at)
}

// afterStop is what was said in earnest once Spark had stopped, at most three lines.
func (s *story) afterStop() (out []string) {
	if s.stopped < 0 {
		return nil
	}
	for i := s.stopped + 1; i < len(s.entries) && len(out) < 3; i++ {
		if e := &s.entries[i]; !e.level.belowWarn() {
			out = append(out, e.first)
		}
	}
	return out
}

// betweenJobs reports whether the last job is over and no other has begun.
func (s *story) betweenJobs() bool {
	if s.begun < 0 || s.jobs == 0 || s.wrote <= s.work || s.finished.at.After(s.timeOf(s.wrote)) {
		return false
	}
	return s.entries[len(s.entries)-1].level != plain // what a job prints bears no time
}

// firstStep is what ended the first process that the log holds, where it holds several; nil: it holds one.
func (s *story) firstStep() *Complaint {
	if len(s.steps) == 0 {
		return nil
	}
	return s.complaintOf(s.steps[0])
}

// stillRefused is the last time that the driver could not create an executor, where none reported to it after that.
func (s *story) stillRefused() *Complaint {
	last := len(s.refusals) - 1
	if last < 0 || s.refusals[last] <= s.registered {
		return nil
	}
	return s.complaintOf(s.refusals[last])
}

// version is that of Spark; empty: it does not say it.
func (s *story) version() string {
	if s.begun < 0 {
		return ""
	}
	return strings.TrimPrefix(s.entries[s.begun].message, runsVersion)
}

// entrypoint is the program that an image starts as a driver, where that is not spark-submit.
func entrypoint(log *app.Log) string {
	begin := cmp.Or(log.Head, log.Tail)
	if m := startsDriver.FindStringSubmatch(begin[:min(len(begin), entrypointWithin)]); m != nil {
		return m[1]
	}
	return ""
}

// lateness reads how often a stream is to make a batch, and how long one took.
func lateness(message string) (trigger, took time.Duration) {
	m := behindTrigger.FindStringSubmatch(message)
	if m == nil {
		return 0, 0
	}
	return time.Duration(number(m[1])) * time.Millisecond, time.Duration(number(m[2])) * time.Millisecond
}

// loseAny reports whether the driver lost executors, or a task could not fetch what one had written.
func (s *story) loseAny() bool {
	return len(s.losses) > 0 || slices.ContainsFunc(s.tasks, func(t taskFailure) bool {
		return strings.Contains(s.entries[t.at].message, "FetchFailed")
	})
}

// Again is what a log says over and over at its end of a connection that is not made, with nothing else in between.
type Again struct {
	Line        string // the last of them; empty: it repeats nothing of the kind
	Times       int
	Since, Last time.Time
}

// tries are what programs say when they try to connect once more: Hadoop (hadoop-common-project/hadoop-common/src/main/java/org/apache/
// hadoop/ipc/Client.java of apache/hadoop@rel/release-3.3.3), Kafka (clients/src/main/java/org/apache/kafka/clients/NetworkClient.java of
// apache/kafka@3.4.1) and Hive's client of its metastore (standalone-metastore/metastore-common/src/main/java/org/apache/hadoop/hive/
// metastore/HiveMetaStoreClient.java of apache/hive@rel/release-3.1.3).
func tries(message string) bool {
	for _, words := range []string{"etrying connect", "Already tried", "trying again", "try again", "could not be established",
		"ailed to connect", "nable to connect", "onnection refused", "onnection timed out", "connect timed out", "next connection attempt"} {
		if strings.Contains(message, words) {
			return true
		}
	}
	return false
}

const (
	shapes    = 4 // lines that one try consists of, at most
	manyTries = 5
	longTries = 10 * time.Minute
)

// attempts are the tries that nothing else came between: of its work a driver tells at level INFO, in other words each time.
type attempts struct {
	Again
	seen  map[string]bool // shapes of lines since the first of them
	zoned bool            // its times name their zone
}

// take reads what a logger wrote.
func (a *attempts) take(h *header, line string) {
	once := tries(h.message)
	if !once && a.Times == 0 {
		return
	}
	shape := withoutDigits(Cut(h.message, 200))
	switch {
	case once:
		if a.Times++; a.Times == 1 {
			a.Since, a.seen = h.at, map[string]bool{}
		}
		a.Line = line
		a.Last, a.zoned = h.at, h.zoned
		a.seen[shape] = true
	case h.milestone != noMilestone, works.MatchString(h.message), !a.seen[shape] && len(a.seen) == shapes:
		a.end()
	default:
		a.seen[shape] = true
	}
}

// end is where the log tells of something else.
func (a *attempts) end() { a.Again = Again{} }

// works matches what a driver says of tasks that finish, and of batches of a stream.
var works = lazyregexp.New(`^Finished task |^Submitting \d+ missing tasks |made progress|idle and waiting for new data|\b[Cc]ommit`)

// again are the tries at the end of a log that also tells of other things: one of warnings alone would not tell of work.
func (s *story) again(a Again) Again {
	if s.begun < 0 || a.Times < manyTries || a.Last.Sub(a.Since) < longTries {
		return Again{}
	}
	return a
}
