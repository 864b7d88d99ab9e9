package report

import (
	"slices"
	"strings"
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
func gateOf(r *Report) *pageGate {
	g := r.Gate
	if g == nil {
		return nil
	}
	out := &pageGate{Verdict: g.Verdict, Because: Escape(g.Because), Tone: g.tone(), Upgrade: Escape(g.title()), Way: Escape(g.way())}
	for _, time := range times() {
		steps, first := g.numbered(time.when)
		if len(steps) == 0 {
			continue
		}
		t := pageTime{Title: time.title, First: first}
		for i := range steps {
			t.Steps = append(t.Steps, pageStepOf(r, &steps[i]))
		}
		out.Times = append(out.Times, t)
	}
	return out
}

func pageStepOf(r *Report, s *GateStep) pageStep {
	out := pageStep{Do: Escape(s.Do + r.Gate.from(s)), Because: Escape(s.Because)}
	if slices.ContainsFunc(r.Checks, func(c Check) bool { return c.ID == s.Check }) {
		out.Anchor = anchor(s.Check, "")
	}
	if objects := displays(s.Objects); len(objects) > shownObjects {
		out.Folded = objects
	} else {
		out.Shown = objects
	}
	commands := make([]string, 0, len(s.Commands))
	for _, c := range s.Commands {
		commands = append(commands, Escape(c))
	}
	out.Commands = strings.Join(commands, "\n")
	return out
}
