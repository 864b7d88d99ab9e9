package report

// gateCase is the verdict with the runbook. A no-go is no failure of its own: the findings behind it are.
func gateCase(g *Gate) junitCase {
	c := junitCase{Class: "upgrade", Name: "verdict", Output: Runbook(g, 120)}
	if g.Verdict == VerdictIncomplete {
		c.Skipped = &junitSkipped{Escape(g.verdictText())}
	}
	return c
}
