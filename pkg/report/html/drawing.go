package html

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

// drawing is a timeline: a row for each attempt, the application, its driver and its executors, and below it what happened, in words.
type drawing struct {
	Lasts, Since       string
	Begin, Middle, End string
	Lanes              []lane
	Moments            []casefile.Row
}

// lane is a row of so many units.
type lane struct {
	Name, Says, All string
	Spans           []laneSpan
	Moments         []laneMoment
}

type laneSpan struct {
	From, Wide int
	Text, Tone string
}

type laneMoment struct {
	At   int
	Text string
	Lost bool
}

const (
	units  = 1000
	narrow = 4 // how wide a moment is
)

// draw is nil if less than two moments are known.
func draw(d *casefile.Document) *drawing {
	lanes := d.Lanes()
	if len(lanes) == 0 {
		return nil
	}
	begin, end := d.Period()
	begin, end = begin.UTC(), end.UTC()
	layout := time.TimeOnly
	if begin.Format(time.DateOnly) != end.Format(time.DateOnly) {
		layout = time.DateTime
	}
	out := &drawing{Lasts: phrase.Span(end.Sub(begin)), Since: begin.Format(time.DateTime), Begin: begin.Format(layout),
		Middle: begin.Add(end.Sub(begin) / 2).Format(layout), End: end.Format(layout)}
	for i := range lanes {
		out.Lanes = append(out.Lanes, laneOf(&lanes[i]))
	}
	return out
}

// laneOf draws what happened at one place once: of many executors that were lost as many as can be told apart. All is what no text beside
// it says.
func laneOf(l *casefile.Lane) lane {
	out := lane{Name: report.Escape(l.Name), Says: report.Escape(l.Says)}
	var all []string
	for _, s := range l.Spans {
		from, wide := int(s.From*units), max(narrow, int((s.To-s.From)*units))
		out.Spans = append(out.Spans, laneSpan{From: min(from, units-wide), Wide: wide, Text: report.Escape(s.Text), Tone: string(s.Tone)})
		all = append(all, s.Text)
	}
	for _, m := range l.Moments {
		at := min(int(m.At*units), units-narrow)
		if slices.ContainsFunc(out.Moments, func(one laneMoment) bool { return one.At/narrow == at/narrow && one.Lost == m.Lost }) {
			continue
		}
		out.Moments = append(out.Moments, laneMoment{At: at, Text: report.Escape(m.Text), Lost: m.Lost})
		if !m.Lost {
			all = append(all, m.Text)
		}
	}
	out.All = report.Escape(cmp.Or(strings.Join(all, "; "), l.Says))
	return out
}

// says reports whether the drawing says all of it.
func (d *drawing) says(rows []casefile.Row) bool {
	return d != nil && !slices.ContainsFunc(rows, func(r casefile.Row) bool {
		return !slices.ContainsFunc(d.Lanes, func(l lane) bool { return r.Text == l.Says || r.Text == l.Name+": "+l.Says })
	})
}
