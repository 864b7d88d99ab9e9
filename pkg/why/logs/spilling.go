package logs

import (
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// Spilling is an executor that works at a task whose data does not fit into memory: it says so each time that it writes a part of it
// to disk.
type Spilling struct {
	Task  string // of those that began and have not finished, the first: "17.0"
	Stage int
	Since time.Time // it began
	Times int
	Last  time.Time
	Line  string // by which it said so last
}

var (
	// core/src/main/scala/org/apache/spark/executor/Executor.scala@v3.5.5
	taskOfExecutor = lazyregexp.New(`^(Running|Finished) task (\S+) in stage (\d+)\.\d+ \(TID (\d+)\)`)
	// UnsafeExternalSorter.java and ShuffleExternalSorter.java below core/src/main/java/org/apache/spark, Spillable.scala and
	// ExternalSorter.scala below core/src/main/scala/org/apache/spark/util/collection, all @v3.5.5.
	// bytesToString in Utils.scala of the same folder writes the amount; before 3.0 it says MB for MiB.
	spillOf = lazyregexp.New(` of (\d{1,6}(?:\.\d)?) ([KMG])i?B to disk`)
	spills  = lazyregexp.New(`\bspilling (?:sort data|in-memory \w+)(?: of \S+ \S+)? to disk`)
)

// SpillingOf reads the log of an executor; false: it does not spill, or no task of the stage is at work in it.
func SpillingOf(l *app.Log, clock Clock, stage int) (Spilling, bool) {
	type task struct {
		name  string
		since header
	}
	var out Spilling
	open, order := map[string]task{}, []string{}
	for _, text := range []string{l.Head, l.Tail} {
		for line := range lines(text) {
			line, at := unwrapped(line)
			if !strings.Contains(line, "pilling ") && !strings.Contains(line, " task ") {
				continue
			}
			h, is := parseHeader(line)
			if !is {
				continue
			}
			if !at.IsZero() {
				h.at, h.zoned = at, true
			}
			if m := taskOfExecutor.FindStringSubmatch(h.message); m != nil && number(m[3]) == stage {
				delete(open, m[4])
				if m[1] == "Running" {
					open[m[4]] = task{m[2], h}
					order = append(order, m[4])
				}
			}
			if len(open) > 0 && spills.MatchString(h.message) {
				out.Times++
				out.Last, out.Line = clock.utc(h.at, h.zoned), line
			}
		}
	}
	for _, id := range order {
		if t, at := open[id]; at {
			out.Task, out.Stage, out.Since = t.name, stage, clock.utc(t.since.at, t.since.zoned)
			return out, out.Times > 0
		}
	}
	return Spilling{}, false
}

// SpilledMiB is how much memory an executor freed by writing it to its local directories, as its log says, and the last line that does.
func SpilledMiB(l *app.Log) (mebi int64, last string) {
	kibi := 0.0
	for _, text := range []string{l.Head, l.Tail} {
		for line := range lines(text) {
			if !strings.Contains(line, "pilling ") || !spills.MatchString(line) {
				continue
			}
			if m := spillOf.FindStringSubmatch(line); m != nil {
				n, _ := strconv.ParseFloat(m[1], 64) // of digits alone
				last = line
				kibi += n * map[string]float64{"K": 1, "M": 1 << 10, "G": 1 << 20}[m[2]]
			}
		}
	}
	return int64(kibi) >> 10, last
}
