package report

import (
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// unseen says which checks could not look, or only in part.
func (t *table) unseen(r *Report, notApplicable bool) {
	list := r.limits(notApplicable)
	for _, l := range list {
		t.limited(l)
	}
	if len(list) > 0 {
		t.line(0, "")
	}
}

func (t *table) limited(l limit) {
	lines := wrap(l.subject(), t.style.width()-len(l.word)-1)
	t.line(0, t.style.paint(pad(l.word), color.FgYellow)+" "+lines[0])
	for _, line := range lines[1:] {
		t.line(len(pad(l.word))+1, line)
	}
	t.wrapped(2, Escape(l.reason))
}

// summary ends the report with the counts and what they rest on.
func (t *table) summary(r *Report) {
	f := r.judgedCounts()
	if f.Error+f.Warning+f.Info > 0 {
		text := strings.Join([]string{
			t.counted(f.Error, "error", color.FgRed), t.counted(f.Warning, "warning", color.FgYellow), t.counted(f.Info, "info", color.FgCyan),
		}, ", ")
		if of := r.newText(); of != "" && twwidth.Width(of+text) > t.style.width() {
			t.line(0, strings.TrimSpace(of))
			t.line(2, text)
		} else {
			t.line(0, of+text)
		}
	} else {
		attribute := color.FgGreen
		if r.judged() == 0 || r.Incomplete() || r.mostDoNotApply() {
			attribute = color.FgYellow
		}
		t.line(0, t.style.paint(r.headline(), attribute, color.Bold))
	}
	for _, f := range r.facts() {
		t.labelled(0, f.label+": ", Escape(f.text+t.hint(r, f.label)))
	}
	t.gateVerdict(r.Gate)
}

// hint says where the rest is that a fact counts.
func (t *table) hint(r *Report, label string) string {
	switch {
	case label == suppressedLabel && r.hidesSuppressed():
		return " (--show-suppressed lists them)"
	case t.wide:
		return ""
	case label == checksLabel && r.Summary.Checks.NotApplicable > 0:
		return " (-o wide says why)"
	case label == baselineLabel && r.Baseline.Findings.Unchanged > 0:
		return " (-o wide lists what is unchanged)"
	default:
		return ""
	}
}

func (t *table) counted(n int, noun string, attribute color.Attribute) string {
	text := count(n, noun)
	if n == 0 {
		return text
	}
	return t.style.paint(text, attribute, color.Bold)
}

// broken begins the report with the namespaces whose Spark pods are not mutated now: it stops everything else.
func (t *table) broken(r *Report) {
	list := r.broken()
	for _, text := range list {
		t.labelled(0, t.style.paint(brokenTitle+": ", color.FgRed, color.Bold), Escape(text))
	}
	if len(list) > 0 {
		t.line(0, "")
	}
}
