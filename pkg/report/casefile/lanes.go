package casefile

import (
	"slices"
	"strconv"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// Lane is a row of a drawn timeline: what ran when.
type Lane struct {
	Name    string
	Says    string // how it went
	Spans   []Span
	Moments []Instant
}

// Span is a part of the time that the timeline takes, from 0 to 1.
type Span struct {
	From, To float64
	Text     string
	Tone     Tone
}

// Instant is a moment in it.
type Instant struct {
	At   float64
	Text string
	Lost bool // an executor was
}

// Tone is how a span is drawn.
type Tone string

// The tones.
const (
	Waits  Tone = "waits"
	Runs   Tone = "runs"
	Failed Tone = "failed"
)

// mostAttempts bounds the attempts that are drawn: the last ones.
const mostAttempts = 3

// Lanes draw the attempts, and what the application, its driver and its executors did in the last one; empty: nothing lasted.
func (d *Document) Lanes() []Lane {
	begin, end := d.Period()
	if !end.After(begin) {
		return nil
	}
	s := scale{begin, end, d.moments()}
	var out []Lane
	for i, a := range d.Attempts {
		if !a.Started.IsZero() {
			out = append(out, d.attemptLane(s, a, i == len(d.Attempts)-1))
		}
	}
	out = out[max(0, len(out)-mostAttempts):]
	out = append(out, d.applicationLane(s), d.mainLane(s), d.executorLane(s))
	return slices.DeleteFunc(out, func(l Lane) bool { return len(l.Spans) == 0 && len(l.Moments) == 0 })
}

// scale turns times into parts of a period, and moments into words.
type scale struct {
	begin, end time.Time
	moments    []string
}

func (s scale) at(t time.Time) float64 {
	return min(1, max(0, float64(t.Sub(s.begin))/float64(s.end.Sub(s.begin))))
}

// until is where something ends that began; what has no end lasts as long as the drawing.
func (s scale) until(t time.Time) float64 {
	if t.IsZero() {
		return 1
	}
	return s.at(t)
}

// attemptLane is a bar. Attempts before the last one failed as it did, or for reasons that the case file does not know.
func (d *Document) attemptLane(s scale, a Attempt, last bool) Lane {
	span := Span{From: s.at(a.Started), To: s.until(a.Ended), Text: d.attempt(a), Tone: Runs}
	if d.Verdict.Fault() && !a.Ended.IsZero() && (last || a.SameReason) {
		span.Tone = Failed
	}
	return Lane{Name: "attempt " + strconv.Itoa(a.Number), Says: d.course(a), Spans: []Span{span}}
}

func (d *Document) applicationLane(s scale) Lane {
	l := Lane{Name: "application"}
	for i, m := range d.Timeline {
		if m.Turn == why.OfApplication {
			l.add(s, m, s.moments[i])
		}
	}
	return l
}

// mainLane waits from the submission until the pod runs, and runs until it ended: more than once, if it was restarted.
func (d *Document) mainLane(s scale) Lane {
	l, from, tone := Lane{Name: "driver"}, time.Time{}, Waits
	if d.Subject.Kind == "SparkConnect" {
		l.Name = "server"
	}
	turn := func(at time.Time, to Tone) {
		if !from.IsZero() && at.After(from) {
			l.Spans = append(l.Spans, Span{From: s.at(from), To: s.at(at), Text: l.Name + " " + string(tone), Tone: tone})
		}
		from, tone = at, to
	}
	for i, m := range d.Timeline {
		switch m.Turn {
		case why.OfApplication:
			if from.IsZero() && len(l.Moments) == 0 {
				from = m.Time
			}
			continue
		case why.MainRuns:
			turn(m.Time, Runs)
		case why.MainEnds:
			turn(m.Time, Waits)
			from = time.Time{}
		case why.OfMain:
		default:
			continue
		}
		l.add(s, m, s.moments[i])
	}
	if len(l.Moments) == 0 {
		return Lane{}
	}
	turn(s.end, tone)
	return l
}

// executorLane runs from the first executor until the driver ended, and has a moment for each one that was lost.
func (d *Document) executorLane(s scale) Lane {
	l := Lane{Name: "executors"}
	var runs, driver, ends time.Time
	for _, m := range d.Timeline {
		switch m.Turn {
		case why.ExecutorsRun:
			runs = m.Time
		case why.MainRuns:
			driver, ends = m.Time, time.Time{}
		case why.MainEnds:
			ends = m.Time
		default:
		}
	}
	e := d.Executors
	switch {
	case !runs.IsZero():
		l.Spans = []Span{{From: s.at(runs), To: max(s.at(runs), s.until(ends)), Text: "executors run", Tone: Runs}}
	case e != nil && e.Pending > 0 && !driver.IsZero():
		l.Spans = []Span{{From: s.at(driver), To: s.until(ends), Text: "executors wait", Tone: Waits}}
	}
	for _, m := range d.Losses {
		l.Moments = append(l.Moments, Instant{At: s.at(m.Time), Text: d.clock(m.Time) + " UTC " + m.Text, Lost: true})
	}
	if e != nil {
		l.Says = e.Text()
	}
	return l
}

// add is a moment; the last one says how it went.
func (l *Lane) add(s scale, m Moment, text string) {
	l.Moments = append(l.Moments, Instant{At: s.at(m.Time), Text: text})
	l.Says = oneLine(m.Text)
}

// Period is from the first time that is known to the last: until now, while the application runs.
func (d *Document) Period() (begin, end time.Time) {
	see := func(t time.Time) {
		if !t.IsZero() && (begin.IsZero() || t.Before(begin)) {
			begin = t
		}
		if t.After(end) {
			end = t
		}
	}
	for _, m := range d.Timeline {
		see(m.Time)
	}
	for _, a := range d.Attempts {
		see(a.Started)
		see(a.Ended)
	}
	if d.runs() {
		see(d.Metadata.CreationTimestamp)
	}
	return begin, end
}

// runs reports whether what the drawing shows goes on.
func (d *Document) runs() bool {
	if ended(d.State.State) {
		return false
	}
	if n := len(d.Attempts); n > 0 {
		return d.Attempts[n-1].Ended.IsZero()
	}
	return d.Subject.Kind == "SparkConnect"
}
