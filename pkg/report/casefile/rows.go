package casefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
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

// The headings of groups that a format may show in a way of its own.
const (
	EvidenceHeading = "Evidence"
	ChangeHeading   = "Change"
	TimelineHeading = "Timeline"
)

// beside labels what was seen too and is not the cause: it follows from something, or ended nothing.
const beside = "beside"

// Groups are all rows, for formats that have headings: what to do stands first.
func (d *Document) Groups() []Group {
	headings := map[string]string{"evidence": EvidenceHeading, "not": "Ruled out", "do": "Next", "timeline": TimelineHeading,
		beside: "Other observations", "context": "Context", "executors": "Executors", "attempts": "Attempts", "also": "Also",
		"missing": "Could not be seen", ChangeLabel: ChangeHeading, "read": "Lines to read", "perhaps": "Not ruled out"}
	var out []Group
	label := ""
	for _, row := range d.Rows() {
		goesOn := row.Label == "" || row.Label == label
		if len(out) > 0 && goesOn {
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

// Rows are the case file below its verdict, in the order in which it is read.
func (d *Document) Rows() []Row {
	var out []Row
	for _, c := range d.Verdict.Change {
		text := c.Text()
		if c.Because != "" {
			text += " (" + c.Because + ")"
		}
		out = append(out, Row{Label: ChangeLabel, Text: text, Inner: true})
	}
	out = append(out, d.evidence("evidence", proving(d.Verdict.Evidence))...)
	for i := range d.Telling {
		out = append(out, Row{Label: "read", Text: d.line(&d.Telling[i]), Inner: true})
	}
	out = append(out, d.others()...)
	for _, r := range d.RuledOut {
		out = append(out, Row{Label: "not", Text: r.Message + ": " + r.Because, Inner: true})
	}
	for _, r := range d.Verdict.NotRuledOut {
		out = append(out, Row{Label: "perhaps", Text: r.Is + " (" + r.said() + ")", Inner: true})
	}
	out = append(out, steps(d.Verdict.Next)...)
	out = append(out, labelled("timeline", d.moments(), false)...)
	if d.Executors != nil {
		out = append(out, Row{Label: "executors", Text: d.Executors.Text()})
	}
	for _, a := range d.Attempts {
		out = append(out, Row{Label: "attempts", Text: d.attempt(a)})
	}
	out = append(out, d.evidence("context", context(d.Verdict.Evidence))...)
	if also := d.also(); also != "" {
		out = append(out, Row{Label: "also", Text: also})
	}
	for _, u := range d.Unseen {
		out = append(out, Row{Label: "missing", Text: u.Text()})
	}
	if granting := Granting(d.Unseen); len(granting) > 0 {
		out = append(out, Row{Label: "missing", Text: strings.TrimSuffix(command.Administrator, " "), Commands: granting})
	}
	return out
}

// said is how a rival stands, in words.
func (r *NotRuledOut) said() string {
	if r.Standing == "present" {
		return "something that was seen speaks for it"
	}
	return "nothing that was seen tells"
}

// evidence is a line for each piece of what proves a cause.
func (d *Document) evidence(label string, list []Evidence) []Row {
	out := make([]Row, 0, len(list))
	for i := range list {
		out = append(out, Row{Label: label, Text: d.line(&list[i]), Inner: true, seen: d.seenIn(&list[i])})
	}
	return out
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

// others are the causes behind the first.
func (d *Document) others() []Row {
	var out []Row
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
		out = append(out, d.evidence("", c.Evidence)...)
		for _, row := range steps(c.Next) {
			row.Label = ""
			out = append(out, row)
		}
	}
	return out
}

// steps are what to do, in order.
func steps(list []report.Next) []Row {
	var out []Row
	for _, n := range list {
		row := Row{Label: "do", Text: n.Text, Inner: true}
		if n.Command != "" {
			row.Commands = []string{n.Command}
		}
		out = append(out, row)
	}
	return out
}

// also are facts beside the verdict that no row of their own tells.
func (d *Document) also() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(d.Also), func(text string) bool {
		return slices.ContainsFunc(d.Causes[1:], func(c Cause) bool { return c.Message == text })
	}), "; ")
}

func labelled(label string, texts []string, inner bool) []Row {
	out := make([]Row, 0, len(texts))
	for _, text := range texts {
		out = append(out, Row{Label: label, Text: text, Inner: inner})
	}
	return out
}
