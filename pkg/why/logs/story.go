package logs

import (
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// story is what a log says that happened, in its order. Positions are those of entries.
type story struct {
	entries  []entry
	steps    []int // what ended a process of several that one log holds, and with it its Spark
	deaths   []int // what ends a process: exceptions that nothing caught, and those that Spark gives up at
	losses   []loss
	full     []collection
	tasks    []taskFailure // of the last run of each task
	attempts []taskFailure // of all runs
	refusals []int         // executors that could not be created

	registered int // the last executor that reported to the driver; -1: none
	created    int // the last word of executors that were created and failed; -1: none
	begun      int // where Spark said its version, at level INFO; -1: it did not
	starved    int // the last complaint that a job gets no executors; -1: none
	late       int // the last batch of a stream that took longer than its trigger; -1: none
	work       int // the last job that began; -1: none
	stopping   int // where Spark began to stop; -1: it did not
	byHook     bool
	stopped    int // where it had stopped; -1: it did not
	stopCode   int // of "SparkContext is stopping with exitCode"; -1: not said
	signal     int // where SIGTERM arrived; -1: it did not
	jobs       int // that finished
	snapshot   int // the last one of a table of Iceberg that was committed; -1: none
	wrote      int // the last job that finished, or write that was committed; -1: none
	local      int // where a driver began to run tasks itself; -1: it did not
	commits    int // the last write that began to commit what its tasks wrote; -1: none
	released   int // the last executors that dynamic allocation removed; -1: none
	finished   header
	paced      header // of its stage, the first task that finished since one of another stage did
	atLoss     header // the last task that had finished when the first executor was lost
	tries      Again
	streams    []Stream
	unrenewed  *Unrenewed
	stage      header
	launched   launched
	home       string // of the application
	init       bool   // of an init container: the programs of a shell speak, not Spark
	last       time.Time
}

// taskFailure is one attempt of a task that failed.
type taskFailure struct {
	at, stage, task int
	attempt         string // as Spark names it: "3.1 in stage 0.0"
	executor        string
}

var (
	// core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.5
	stopCode = lazyregexp.New(`^SparkContext is stopping with exitCode (-?\d+)`)
	jobBegin = lazyregexp.New(`^(?:Starting job: |Got (?:map stage )?job \d+ |Running Spark version )`)
	jobDone  = lazyregexp.New(`^Job \d+ finished: `)
	givesUp  = lazyregexp.New(`^(?:Error initializing SparkContext|.{0,40}[Uu]ncaught (?:exception|error) in thread` +
		`|Query .{0,200} terminated with error|Exception in the executor plugin, shutting down|User class threw exception` +
		`|Max number of executor failures |Going to stop due to )`)
	failedTimes = lazyregexp.New(`Task (\d+) in stage (\d+)\.\d+ failed (\d+) times`)
)

// tell reads the story out of the entries of a log.
func tell(r *reader) *story {
	entries := r.entries
	s := &story{entries: entries, finished: r.finished, paced: r.paced, atLoss: r.atLoss, stage: r.stage, launched: r.launched,
		tries:      r.tries.Again,
		registered: -1, created: -1, begun: -1, starved: -1, late: -1, work: -1, wrote: -1, snapshot: -1, local: -1, commits: -1, stopping: -1,
		stopped: -1, stopCode: -1, released: -1, signal: -1, home: home(entries)}
	died := -1 // the last exception that nothing caught since Spark started
	for i := range entries {
		e := &entries[i]
		// Threads may write a little out of order. What goes back by more than a day tells that the lines before it have wrong times.
		wentBack := !e.at.IsZero() && s.last.Sub(e.at) > 24*time.Hour
		if wentBack || e.at.After(s.last) {
			s.last = e.at
		}
		s.collects(i, e)
		s.renews(i, e)
		if e.level.belowWarn() {
			s.progress(i, e)
			switch {
			case strings.HasPrefix(e.message, runsVersion):
				died = -1
			case died >= 0 && endsByFailure(e.message):
				s.steps, died = append(s.steps, died), -1
			}
			continue
		}
		if s.problem(i, e); e.uncaught != caught {
			died = i
		}
	}
	// What was printed while work went on ended nothing, unless the main thread of the JVM died of it.
	s.deaths = slices.DeleteFunc(s.deaths, func(at int) bool {
		ofMain := entries[at].uncaught == javaDeath && entries[at].thread == "main"
		return s.work > at && !ofMain
	})
	s.full = ends(s.full, maxKept)
	s.deaths, s.losses = ends(s.deaths, maxKept/10), ends(s.losses, maxKept)
	s.attempts = ends(s.tasks, maxKept)
	s.tasks = ofLastRun(s.attempts)
	return s
}

// ofLastRun leaves out what failed of a task before its attempts began again: Spark numbers those of a task once each (core/src/main/scala/
// org/apache/spark/scheduler/TaskSetManager.scala@v3.5.5), so that a number which comes again is of another run of it, and work went on
// between the two.
func ofLastRun(tasks []taskFailure) []taskFailure {
	type run struct{ task, stage int }
	begins, seen := map[run]int{}, map[run]map[string]bool{}
	for i, t := range tasks {
		of := run{t.task, t.stage}
		if seen[of] == nil || seen[of][t.attempt] {
			begins[of], seen[of] = i, map[string]bool{}
		}
		seen[of][t.attempt] = true
	}
	out := make([]taskFailure, 0, len(tasks))
	for i, t := range tasks {
		if i >= begins[run{t.task, t.stage}] {
			out = append(out, t)
		}
	}
	return out
}

// maxKept bounds what is kept of each kind of event.
const maxKept = 1000

// ends returns the first and the last of a list, n in all.
func ends[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	return append(slices.Clone(list[:n/2]), list[len(list)-n/2:]...)
}

// runsVersion is what SparkContext logs first, before its version (core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.5).
const runsVersion = "Running Spark version "

// committed is what a write job says at its end (sql/core/src/main/scala/org/apache/spark/sql/execution/datasources/
// FileFormatWriter.scala@v3.5.5).
const committed = " committed. Elapsed time"

// committing is what it says when all of its tasks have finished, and it moves what they wrote to its place (the same file).
const committing = "Start to commit write Job "

// local is what the executor within a driver says, which there is with a local master only (core/src/main/scala/org/apache/spark/executor/
// Executor.scala@v3.5.5).
const local = "Starting executor ID driver on host "

// progress takes what is said when things go well, and how a driver stops.
func (s *story) progress(i int, e *entry) {
	switch e.milestone {
	case registers:
		s.registered = i
	case jobBegins:
		s.work = i
		if s.begun < 0 && strings.HasPrefix(e.message, runsVersion) {
			s.begun = i
		}
	case jobEnds:
		s.jobs++
		s.wrote = i
	case writeCommitted:
		s.wrote = i
	case writeCommits:
		s.commits = i
	case runsItself:
		s.local = i
	case stopsByHook:
		s.stop(i)
		s.byHook = true
	case stops:
		s.stop(i)
		if m := stopCode.FindStringSubmatch(e.message); m != nil {
			s.stopCode = number(m[1])
		}
	case hasStopped:
		s.stop(i)
		s.stopped = i
	case releasesExecutors:
		s.released = i
	case snapshotCommitted:
		s.snapshot = i
	case renewsTokens, noMilestone:
	}
}

// released is what is said of executors that were idle (removeExecutors in core/src/main/scala/org/apache/spark/
// ExecutorAllocationManager.scala@v3.5.5).
const released = " removed due to idle timeout."

// endsByFailure reports whether Spark is stopped because the process of its driver ends, and not by its program, or with another exit code
// than 0 (core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.5).
func endsByFailure(message string) bool {
	if m := stopCode.FindStringSubmatch(message); m != nil {
		return m[1] != "0"
	}
	return strings.HasPrefix(message, "Invoking stop() from shutdown hook")
}

func (s *story) stop(i int) {
	if s.stopping < 0 {
		s.stopping = i
	}
}

// problem takes what is not said when things go well.
func (s *story) problem(i int, e *entry) {
	switch troubleOf(e) {
	case signalArrives:
		if s.signal < 0 {
			s.signal = i
		}
	case processEnds:
		s.deaths = append(s.deaths, i)
	case jobStarves:
		s.starved = i
	case batchIsLate:
		s.late = i
	case executorLost:
		if m := lostExecutor.FindStringSubmatch(e.message); m != nil {
			s.takeLoss(newLoss(i, m[1], m[3]+"\n"+strings.Join(e.extra, "\n")))
		}
	case taskLost:
		if m := lostTask.FindStringSubmatch(e.message); m != nil {
			attempt, _, _ := strings.Cut(strings.TrimPrefix(e.message, "Lost task "), " (TID ")
			s.tasks = append(s.tasks, taskFailure{at: i, task: number(m[1]), stage: number(m[2]), attempt: attempt,
				executor: m[3] + m[4] + m[5]})
		}
		s.lossByTask(i, e)
	case executorRefused:
		s.refusals = append(s.refusals, i)
	case executorsFailed:
		s.created = i
	case noTrouble:
	}
}

// wentWell reports whether the driver stopped Spark itself, with nothing before it that ends a process.
func (s *story) wentWell() bool {
	if s.stopping < 0 || s.byHook || s.stopCode > 0 || len(s.deaths) > 0 {
		return false
	}
	over := s.stopped >= 0 || s.stopCode == 0
	return over && s.signalBefore(s.stopping)
}

// signalBefore reports whether no SIGTERM arrived before a position.
func (s *story) signalBefore(at int) bool { return s.signal < 0 || s.signal > at }
