package html

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

type pageTime struct {
	Title string
	First int
	Steps []pageStep
}

type pageStep struct {
	Do, Because, Anchor string
	Shown, Folded       []string // objects: all are shown, or all folded
	Commands            []string // all but the last end with their line break
}

// runbookOf returns nil for a scan.
func runbookOf(r *report.Report) []pageTime {
	if r.Gate == nil {
		return nil
	}
	var out []pageTime
	for _, time := range report.Stages() {
		steps, first := r.Gate.Numbered(time.When)
		if len(steps) == 0 {
			continue
		}
		t := pageTime{Title: time.Title, First: first}
		for i := range steps {
			t.Steps = append(t.Steps, pageStepOf(r, &steps[i]))
		}
		out = append(out, t)
	}
	return out
}

func pageStepOf(r *report.Report, s *report.GateStep) pageStep {
	out := pageStep{Do: report.Escape(s.Do + r.Gate.Origin(s)), Because: report.Escape(s.Because)}
	if slices.ContainsFunc(r.Checks, func(c report.Check) bool { return c.ID == s.Check }) {
		out.Anchor = anchor(s.Check, "")
	}
	if objects := displays(s.Objects); len(objects) > report.ShownObjects {
		out.Folded = objects
	} else {
		out.Shown = objects
	}
	for _, c := range slices.Concat(s.Lines, s.Commands) {
		out.Commands = append(out.Commands, report.Escape(c)+"\n")
	}
	if n := len(out.Commands); n > 0 {
		out.Commands[n-1] = strings.TrimSuffix(out.Commands[n-1], "\n")
	}
	return out
}
