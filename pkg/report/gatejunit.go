package report

import (
	"bufio"
	"strings"
)

// junitCase is the verdict with the runbook. A no-go is no failure of its own: the findings behind it are.
func (g *Gate) junitCase() junitCase {
	c := junitCase{Class: "upgrade", Name: "verdict"}
	if g.Verdict == VerdictIncomplete {
		c.Skipped = &junitSkipped{Escape(g.verdictText())}
	}
	var b strings.Builder
	t := &table{w: bufio.NewWriter(&b), wide: true, style: Style{Width: 120}}
	t.line(0, Escape(g.verdictText()))
	t.runbook(g)
	_ = t.w.Flush() // into memory
	c.Output = b.String()
	return c
}
