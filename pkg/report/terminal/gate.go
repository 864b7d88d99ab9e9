package terminal

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/fatih/color"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Runbook is the verdict of a gate and all its steps as plain text, at so many columns.
func Runbook(g *report.Gate, columns int) string {
	var b strings.Builder
	t := &table{w: bufio.NewWriter(&b), wide: true, style: Style{Width: columns}}
	t.line(0, report.Escape(g.VerdictText()))
	t.runbook(g)
	_ = t.w.Flush() // into memory
	return b.String()
}

// gateHead says what the report is about.
func (t *table) gateHead(g *report.Gate) {
	if g == nil {
		return
	}
	t.labelled(0, "upgrade ", report.Escape(g.Title()))
	if way := g.HopsText(); way != "" {
		t.labelled(0, "hops    ", report.Escape(way))
	}
	if g.Release != nil {
		t.labelled(0, "release ", report.Escape(g.Release.Text()))
	}
	t.line(0, "")
}

// runbook lists the steps, numbered through. Commands are never wrapped, to be copied.
func (t *table) runbook(g *report.Gate) {
	if g == nil {
		return
	}
	for _, time := range report.Stages() {
		steps, first := g.Numbered(time.When)
		if len(steps) == 0 {
			continue
		}
		t.emphasized(0, time.Title)
		for i := range steps {
			t.step(first+i, &steps[i], g.Origin(&steps[i]))
		}
		t.line(0, "")
	}
}

// margin is where the text of a step begins.
const margin = 5

func (t *table) step(number int, s *report.GateStep, from string) {
	t.labelled(0, fmt.Sprintf("%*s", margin, fmt.Sprintf("%d. ", number)), report.Escape(s.Do+from))
	t.labelled(margin, "why: ", report.Escape(s.Because))
	label, objects := "on:  ", s.Objects
	if !t.wide {
		objects = objects[:min(len(objects), report.ShownObjects)]
	}
	for _, o := range objects {
		if name := report.Escape(report.Display(o)); t.style.Width > 0 {
			t.labelled(margin, label, name)
		} else {
			t.line(margin, label+name) // for those who search in it
		}
		label = "     "
	}
	if more := len(s.Objects) - len(objects); more > 0 {
		t.labelled(margin, label, report.AndMore(more, "-o wide lists them"))
	}
	for _, line := range s.Lines {
		t.line(margin+2, report.Escape(line))
	}
	commands := s.Commands
	if !t.wide {
		commands = commands[:min(len(commands), report.ShownCommands)]
	}
	for _, command := range commands {
		t.line(margin+2, report.Escape(command))
	}
	if more := len(s.Commands) - len(commands); more > 0 {
		t.wrapped(margin+2, report.AndMore(more, "-o wide lists them"))
	}
}

// gateVerdict ends the report.
func (t *table) gateVerdict(g *report.Gate) {
	if g == nil {
		return
	}
	attribute := map[string]color.Attribute{"error": color.FgRed, "warning": color.FgYellow, "good": color.FgGreen}[g.Tone()]
	t.line(0, "")
	t.labelled(0, t.style.paint(g.Verdict+": ", attribute, color.Bold), report.Escape(g.Because))
}
