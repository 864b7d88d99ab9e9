package terminal

import (
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// unseen says which checks could not look, or only in part.
func (t *table) unseen(r *report.Report, notApplicable bool) {
	list := r.Limits(notApplicable)
	if t.wide {
		list = r.AllLimits()
	}
	for _, l := range list {
		t.limited(l)
	}
	lacks := r.Lacks()
	for _, l := range lacks {
		for line := range strings.SplitSeq(l.Text, "\n") {
			t.line(0, report.Escape(line)) // with a command to copy
		}
	}
	if len(list)+len(lacks) > 0 {
		t.line(0, "")
	}
}

func (t *table) limited(l report.Limit) {
	t.labelled(0, t.style.paint(pad(l.Word), color.FgYellow)+" ", t.style.checks(l.Subject()))
	t.wrapped(2, report.Escape(l.Reason))
}

// summary ends the report with the counts and what they rest on.
func (t *table) summary(r *report.Report) {
	f := r.JudgedCounts()
	if f.Error+f.Warning+f.Info > 0 {
		text := strings.Join([]string{
			t.counted(f.Error, "error", color.FgRed), t.counted(f.Warning, "warning", color.FgYellow), t.counted(f.Info, "info", color.FgCyan),
		}, ", ")
		if of := r.NewText(); of != "" && twwidth.Width(of+text) > t.style.width() {
			t.wrapped(0, of)
			t.wrapped(2, text)
		} else {
			t.wrapped(0, of+text)
		}
	} else {
		attribute := color.FgGreen
		if r.Judged() == 0 || r.Incomplete() || r.MostDoNotApply() {
			attribute = color.FgYellow
		}
		t.emphasized(0, r.Headline(), attribute)
	}
	for _, f := range append(r.BrokenFacts(), r.Facts()...) {
		if f.Label == report.RenderLabel || f.Label == report.BuildLabel {
			t.line(0, f.Label+": "+report.Escape(f.Text)) // with a command to copy
			continue
		}
		t.labelled(0, f.Label+": ", report.Escape(f.Text+t.hint(r, f.Label)))
	}
	t.gateVerdict(r.Gate)
	t.verdict()
}

// hint says where the rest is that a fact counts.
func (t *table) hint(r *report.Report, label string) string {
	switch {
	case label == report.SuppressedLabel && r.HidesSuppressed():
		return " (--show-suppressed lists them)"
	case t.wide:
		return ""
	case label == report.ChecksLabel && r.Summary.Checks.NotApplicable > 0:
		return " (-o wide says why)"
	case label == report.BaselineLabel && r.Baseline.Findings.Unchanged > 0:
		return " (-o wide lists what is unchanged)"
	default:
		return ""
	}
}

func (t *table) counted(n int, noun string, attribute color.Attribute) string {
	text := phrase.Counted(n, noun)
	if n == 0 {
		return text
	}
	return t.style.paint(text, attribute, color.Bold)
}

// broken begins the report with the namespaces whose Spark pods are not mutated now: it stops everything else.
func (t *table) broken(r *report.Report) {
	list := r.BrokenHead()
	for _, text := range list {
		t.labelled(0, t.style.paint(report.BrokenTitle+": ", color.FgRed, color.Bold), report.Escape(text))
	}
	if len(list) > 0 {
		t.line(0, "")
	}
}
