package casefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Row is a labelled text below the verdict.
type Row struct {
	Label    string
	Text     string
	Commands []string // to copy: never wrapped
	Inner    bool     // it belongs to the verdict, others to the application
	Lines    []string // below the text, where Fold made one row of several
	seen     seen     // of a piece of evidence
}

// Group are rows of one label, under a heading of a page.
type Group struct {
	Heading string
	Rows    []Row
}

// EvidenceHeading is that of the evidence for the verdict.
const EvidenceHeading = "Evidence"

// beside labels what was seen too and is not the cause: it follows from something, or ended nothing.
const beside = "beside"

// Groups are all rows, for formats that have headings: what to do stands first.
func (d *Document) Groups() []Group {
	headings := map[string]string{"evidence": EvidenceHeading, "not": "Ruled out", "do": "Next", "timeline": "Timeline",
		beside: "Not the cause", "context": "Context", "executors": "Executors", "attempts": "Attempts", "also": "Also",
		"missing": "Could not be seen"}
	var out []Group
	label := ""
	for _, row := range d.Rows(false) {
		if row.Label == "" && len(out) > 0 || len(out) > 0 && row.Label == label {
			out[len(out)-1].Rows = append(out[len(out)-1].Rows, row)
			continue
		}
		label = row.Label
		heading, has := headings[label]
		if !has {
			heading = "Less likely: " + label
		}
		out = append(out, Group{heading, []Row{row}})
	}
	first := func(g Group) bool { return g.Heading == headings["do"] }
	slices.SortStableFunc(out, func(a, b Group) int {
		switch {
		case first(a) == first(b):
			return 0
		case first(a):
			return -1
		default:
			return 1
		}
	})
	return out
}

// How much the short form shows; wide, html and json have all of it.
const (
	shownEvidence = 5
	shownNext     = 4
	shownOthers   = 2
	shownMoments  = 12
	shownUnseen   = 4
	longValue     = 160 // bytes of a value
)

// Rows are the case file below its verdict, in the order in which it is read; short leaves out what fills a screen.
func (d *Document) Rows(short bool) []Row {
	var out []Row
	out = append(out, d.evidence("evidence", proving(d.Verdict.Evidence), short)...)
	out = append(out, d.others(short)...)
	for _, r := range d.RuledOut {
		out = append(out, Row{Label: "not", Text: r.Message + ": " + r.Because, Inner: true})
	}
	out = append(out, steps(d.Verdict.Next, short)...)
	out = append(out, d.timeline(short)...)
	if d.Executors != nil {
		out = append(out, Row{Label: "executors", Text: d.Executors.Text()})
	}
	if !short {
		for _, a := range d.Attempts {
			out = append(out, Row{Label: "attempts", Text: d.attempt(a)})
		}
		out = append(out, d.evidence("context", context(d.Verdict.Evidence), false)...)
	}
	if also := d.also(short); also != "" {
		out = append(out, Row{Label: "also", Text: also})
	}
	for i, u := range d.Unseen {
		if short && i == shownUnseen && len(d.Unseen) > shownUnseen+1 {
			out = append(out, Row{Label: "missing", Text: report.AndMore(len(d.Unseen)-i, "-o wide has them")})
			break
		}
		out = append(out, Row{Label: "missing", Text: u.Text()})
	}
	return out
}

// Brief are the rows that a scan of the application begins with: what shows the verdict, what to do but to scan, and what could not be
// seen.
func (d *Document) Brief() []Row {
	return slices.DeleteFunc(d.Rows(true), func(row Row) bool {
		scans := slices.ContainsFunc(row.Commands, func(line string) bool { return strings.HasPrefix(line, "kubectl sparkdoctor scan ") })
		return !row.Inner && row.Label != "missing" || scans
	})
}

// evidence is a line of what proves a cause, or a line for each piece.
func (d *Document) evidence(label string, list []Evidence, short bool) []Row {
	var texts []string
	for i := range list {
		if short && i == shownEvidence && len(list) > shownEvidence+1 {
			texts = append(texts, report.AndMore(len(list)-i, "-o wide has them"))
			break
		}
		if short {
			texts = append(texts, d.line(list, i, true))
		} else {
			texts = append(texts, d.line(list[i:i+1], 0, false))
		}
	}
	if !short {
		rows := labelled(label, texts, true)
		for i := range rows {
			rows[i].seen = d.seenIn(&list[i])
		}
		return rows
	}
	if len(texts) > 0 {
		texts = []string{strings.Join(texts, " · ")}
	}
	return labelled(label, texts, true)
}

// proving leaves out what only stands beside a cause. Where nothing else is there, it is all that can be shown.
func proving(list []Evidence) []Evidence {
	out := slices.DeleteFunc(slices.Clone(list), func(e Evidence) bool { return e.Beside })
	if len(out) == 0 {
		return list
	}
	return out
}

// context is what only stands beside a cause, where something else proves it.
func context(list []Evidence) []Evidence {
	beside := slices.DeleteFunc(slices.Clone(list), func(e Evidence) bool { return !e.Beside })
	if len(beside) == len(list) {
		return nil
	}
	return beside
}

// others are the causes behind the first: those that are as plausible, and where all is shown the rest as well.
func (d *Document) others(short bool) []Row {
	var out []Row
	if short {
		list := d.Alternatives()
		for _, c := range list[:min(len(list), shownOthers)] {
			out = append(out, Row{Label: "or", Text: c.Sentence() + " (" + c.Certainty + ")", Inner: true})
		}
		return out
	}
	for i, c := range d.Causes[1:] {
		text, label := c.Sentence(), fmt.Sprintf("cause %d", i+2)
		if c.Effect {
			label = beside
		}
		if c.Effect && c.Class == string(cause.Unknown) {
			text = c.Message // nothing is to be told of it: the verdict does
		}
		if sure := c.Sure(); sure != "" {
			text += " (" + sure + ")"
		}
		out = append(out, Row{Label: label, Text: text, Inner: true})
		out = append(out, d.evidence("", c.Evidence, false)...)
		for _, row := range steps(c.Next, false) {
			row.Label = ""
			out = append(out, row)
		}
	}
	return out
}

// steps are what to do, in order.
func steps(list []report.Next, short bool) []Row {
	var out []Row
	for i, n := range list {
		if short && i == shownNext && len(list) > shownNext+1 {
			return append(out, Row{Label: "do", Text: report.AndMore(len(list)-i, "-o wide has them"), Inner: true})
		}
		row := Row{Label: "do", Text: n.Text, Inner: true}
		if n.Command != "" {
			row.Commands = []string{n.Command}
		}
		out = append(out, row)
	}
	return out
}

// timeline is one line, from which the middle is left out if they are many, or a line for each moment.
func (d *Document) timeline(short bool) []Row {
	list := d.moments(short)
	if !short || len(list) == 0 {
		return labelled("timeline", list, false)
	}
	if len(list) > shownMoments {
		const last = shownMoments / 2
		gap := fmt.Sprintf("… %d more (-o wide) …", len(list)-2*last)
		list = slices.Concat(list[:last], []string{gap}, list[len(list)-last:])
	}
	return labelled("timeline", []string{strings.Join(list, " · ")}, false)
}

// also are facts beside the verdict, and how many causes the short form leaves out.
func (d *Document) also(short bool) string {
	told := d.Causes[1:] // in rows of their own
	if short {
		list := d.Alternatives()
		told = list[:min(len(list), shownOthers)]
	}
	says := func(text string) func(Cause) bool { return func(c Cause) bool { return c.Message == text } }
	texts := slices.DeleteFunc(slices.Clone(d.Also), func(text string) bool { return slices.ContainsFunc(told, says(text)) })
	rest := 0
	for _, c := range d.Causes[1:] {
		if !slices.Contains(texts, c.Message) && !slices.ContainsFunc(told, says(c.Message)) {
			rest++
		}
	}
	if short && rest > 0 {
		texts = append(texts, phrase.Counted(rest, "other observation")+" (-o wide)")
	}
	return strings.Join(texts, "; ")
}

func labelled(label string, texts []string, inner bool) []Row {
	out := make([]Row, 0, len(texts))
	for _, text := range texts {
		out = append(out, Row{Label: label, Text: text, Inner: inner})
	}
	return out
}
