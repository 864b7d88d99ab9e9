package logs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// Stream is how far one query of Structured Streaming is, by what the driver reports of its batches.
type Stream struct {
	Name  string // empty: it has none
	Batch int    // the last one that was reported
	Rows  int    // that it read
	Took  time.Duration
	At    time.Time     // of that report
	Line  string        // that says so
	Every time.Duration // between its last batches; 0: there was one
	Told  time.Duration // between its last reports, which may leave batches out; 0: there was one
	Waits time.Time     // when the driver said last that it has no new data; zero: not since that report
}

// Heard is when the driver spoke of it last.
func (s *Stream) Heard() time.Time {
	if s.Waits.After(s.At) {
		return s.Waits
	}
	return s.At
}

// withoutData is what is said every ten seconds of a query without new data, whose name it leaves out (sql/core/src/main/scala/org/
// apache/spark/sql/execution/streaming/ProgressReporter.scala@v3.5.5).
const withoutData = "Streaming query has been idle and waiting for new data"

// reported is what begins a report (reportProgress in sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/
// ProgressReporter.scala@v3.5.5). Behind it stands an object of JSON, most often on lines of its own (StreamingQueryProgress.toString).
const reported = "Streaming query made progress:"

// reportedField matches what is read of it. Sources and sinks have fields of the same names, and come after those of the query.
var reportedField = lazyregexp.New(`"(id|name|batchId|numInputRows|triggerExecution)" ?: ?"?([^",}\s]+)`)

const (
	maxStreams = 20  // queries of one driver
	maxReport  = 200 // lines of one report
	recentOnes = 10  // reports of which the distance is taken
)

// batch is one that was reported.
type batch struct {
	number int
	at     time.Time
}

// reports are what a driver says of its streams.
type reports struct {
	all  []report // the last of each query
	open *report  // whose lines follow
	left int      // of these lines
}

type report struct {
	header
	id, name string
	fields   map[string]bool
	stream   Stream
	recent   []batch // the last ones
	waits    header  // after it
}

// take reads what a logger wrote.
func (r *reports) take(h *header) {
	r.close()
	if strings.HasPrefix(h.message, withoutData) && len(r.all) == 1 {
		r.all[0].waits = *h
	}
	if !strings.HasPrefix(h.message, reported+" {") {
		return
	}
	r.open, r.left = &report{header: *h, fields: map[string]bool{}}, maxReport
	r.line(h.message[len(reported):])
}

// line reads a line that no logger wrote.
func (r *reports) line(text string) {
	if r.open == nil {
		return
	}
	for _, m := range reportedField.FindAllStringSubmatch(text, -1) {
		r.open.set(m[1], m[2])
	}
	if r.left--; r.left == 0 || text == "}" {
		r.close()
	}
}

func (p *report) set(field, value string) {
	if p.fields[field] {
		return
	}
	p.fields[field] = true
	switch field {
	case "id":
		p.id = value
	case "name":
		if p.name = value; value != "null" {
			p.stream.Name = value
		}
	case "batchId":
		p.stream.Batch = number(value)
	case "numInputRows":
		p.stream.Rows = number(value)
	case "triggerExecution":
		p.stream.Took = time.Duration(number(value)) * time.Millisecond
	}
}

// close takes a report that is over.
func (r *reports) close() {
	p := r.open
	r.open = nil
	if p == nil || p.at.IsZero() || !p.fields["batchId"] {
		return
	}
	at := slices.IndexFunc(r.all, func(o report) bool { return o.id == p.id && o.name == p.name })
	if at < 0 {
		if len(r.all) == maxStreams {
			return
		}
		r.all, at = append(r.all, report{}), len(r.all)
	}
	recent := append(r.all[at].recent, batch{p.stream.Batch, p.at})
	p.stream.Line = reportedBatch(&p.stream)
	p.recent = recent[max(0, len(recent)-recentOnes):]
	r.all[at] = *p
}

// reportedBatch is a report on one line.
func reportedBatch(s *Stream) string {
	return fmt.Sprintf("%s batchId %d, numInputRows %d", reported, s.Batch, s.Rows)
}

// streams are the queries that were reported, by the time of their last report in UTC.
func (r *reports) streams(clock Clock) []Stream {
	var out []Stream
	for i := range r.all {
		p := &r.all[i]
		one := p.stream
		one.At = clock.utc(p.at, p.zoned)
		one.Waits = clock.utc(p.waits.at, p.waits.zoned)
		first := p.recent[0]
		if n := len(p.recent) - 1; n > 0 {
			one.Told = p.at.Sub(first.at) / time.Duration(n)
		}
		if n := p.stream.Batch - first.number; n > 0 {
			one.Every = p.at.Sub(first.at) / time.Duration(n)
		}
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b Stream) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	return out
}
