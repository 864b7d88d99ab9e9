package machine

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// gateCase is the verdict with the runbook. A no-go is no failure of its own: the findings behind it are.
func gateCase(g *report.Gate) junitCase {
	c := junitCase{Class: "upgrade", Name: "verdict", Output: terminal.Runbook(g, 120)}
	if g.Verdict == report.VerdictIncomplete {
		c.Skipped = &junitSkipped{report.Escape(g.VerdictText())}
	}
	return c
}
