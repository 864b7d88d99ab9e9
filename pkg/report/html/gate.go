package html

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// pageGate is what the page shows of a gate.
type pageGate struct {
	Verdict, Because, Tone, Upgrade, Way string
	Times                                []pageTime
}

type pageTime struct {
	Title string
	First int
	Steps []pageStep
}

type pageStep struct {
	Do, Because, Anchor, Commands string
	Shown, Folded                 []string // objects: all are shown, or all folded
}

// gateOf returns nil for a scan.
func gateOf(r *report.Report) *pageGate {
	g := r.Gate
	if g == nil {
		return nil
	}
	out := &pageGate{Verdict: g.Verdict, Because: report.Escape(g.Because), Tone: g.Tone(), Upgrade: report.Escape(g.Title()),
		Way: report.Escape(g.HopsText())}
	for _, time := range report.Stages() {
		steps, first := g.Numbered(time.When)
		if len(steps) == 0 {
			continue
		}
		t := pageTime{Title: time.Title, First: first}
		for i := range steps {
			t.Steps = append(t.Steps, pageStepOf(r, &steps[i]))
		}
		out.Times = append(out.Times, t)
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
	commands := make([]string, 0, len(s.Lines)+len(s.Commands))
	for _, c := range slices.Concat(s.Lines, s.Commands) {
		commands = append(commands, report.Escape(c))
	}
	out.Commands = strings.Join(commands, "\n")
	return out
}
