package casefile

import (
	"slices"
	"strconv"
	"time"
)

// Lane is a row of a drawn timeline: what ran when.
type Lane struct {
	Name    string
	Spans   []Span    // that it ran, by the runs that are known
	Moments []Instant // at which something happened to it
}

// Span is a part of the time that the timeline takes, from 0 to 1.
type Span struct {
	From, To float64
	Text     string
}

// Instant is a moment in it.
type Instant struct {
	At   float64
	Text string
}

// mostLanes bounds the drawing: what more objects there are share the last lane.
const mostLanes = 6

// Lanes draw the attempts, and what happened to the application and its pods, an object a lane; empty: nothing lasted.
func (d *Document) Lanes() []Lane {
	begin, end := d.Period()
	if !end.After(begin) {
		return nil
	}
	at := func(t time.Time) float64 { return min(1, max(0, float64(t.Sub(begin))/float64(end.Sub(begin)))) }
	var out []Lane
	for _, a := range d.Attempts {
		if a.Started.IsZero() {
			continue
		}
		span := Span{From: at(a.Started), To: 1, Text: d.attempt(a)}
		if !a.Ended.IsZero() {
			span.To = at(a.Ended)
		}
		out = append(out, Lane{Name: "attempt " + strconv.Itoa(a.Number), Spans: []Span{span}})
	}
	out = out[max(0, len(out)-mostLanes/2):]
	for i, m := range d.Timeline {
		name := d.display(d.Subject)
		if m.Object != nil && m.Object.Name != "" {
			name = d.display(*m.Object)
		}
		lane := slices.IndexFunc(out, func(l Lane) bool { return l.Name == name })
		switch {
		case lane < 0 && len(out) < mostLanes:
			out = append(out, Lane{Name: name})
			lane = len(out) - 1
		case lane < 0:
			lane = len(out) - 1
			out[lane].Name = "other pods"
		}
		out[lane].Moments = append(out[lane].Moments, Instant{At: at(m.Time), Text: d.moments()[i]})
	}
	return out
}

// Period is from the first time that is known to the last.
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
	return begin, end
}
