package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/fatih/color"
)

// Runbook is the verdict of a gate and all its steps as plain text, at so many columns.
func Runbook(g *Gate, columns int) string {
	var b strings.Builder
	t := &table{w: bufio.NewWriter(&b), wide: true, style: Style{Width: columns}}
	t.line(0, Escape(g.verdictText()))
	t.runbook(g)
	_ = t.w.Flush() // into memory
	return b.String()
}

// gateHead says what the report is about.
func (t *table) gateHead(g *Gate) {
	if g == nil {
		return
	}
	t.labelled(0, "upgrade ", Escape(g.title()))
	if way := g.way(); way != "" {
		t.labelled(0, "hops    ", Escape(way))
	}
	t.line(0, "")
}

// runbook lists the steps, numbered through. Commands are never wrapped, to be copied.
func (t *table) runbook(g *Gate) {
	if g == nil {
		return
	}
	for _, time := range times() {
		steps, first := g.numbered(time.when)
		if len(steps) == 0 {
			continue
		}
		t.line(0, t.style.paint(time.title, color.Bold))
		for i := range steps {
			t.step(first+i, &steps[i], g.from(&steps[i]))
		}
		t.line(0, "")
	}
}

// margin is where the text of a step begins.
const margin = 5

func (t *table) step(number int, s *GateStep, from string) {
	t.labelled(0, fmt.Sprintf("%*s", margin, fmt.Sprintf("%d. ", number)), Escape(s.Do+from))
	t.labelled(margin, "why: ", Escape(s.Because))
	label, objects := "on:  ", s.Objects
	if !t.wide {
		objects = objects[:min(len(objects), shownObjects)]
	}
	for _, o := range objects {
		t.line(margin, label+Escape(display(o)))
		label = "     "
	}
	if more := len(s.Objects) - len(objects); more > 0 {
		t.labelled(margin, label, rest(more, "-o wide lists them"))
	}
	commands := s.Commands
	if !t.wide {
		commands = commands[:min(len(commands), shownCommands)]
	}
	for _, command := range commands {
		t.line(margin+2, Escape(command))
	}
	if more := len(s.Commands) - len(commands); more > 0 {
		t.wrapped(margin+2, rest(more, "-o wide lists them"))
	}
}

// gateVerdict ends the report.
func (t *table) gateVerdict(g *Gate) {
	if g == nil {
		return
	}
	attribute := map[string]color.Attribute{"error": color.FgRed, "warning": color.FgYellow, "good": color.FgGreen}[g.tone()]
	t.line(0, "")
	t.labelled(0, t.style.paint(g.Verdict+": ", attribute, color.Bold), Escape(g.Because))
}
