package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/markdown"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

func TestDecide(t *testing.T) {
	found := func(severity check.Severity) check.Result {
		return check.Result{Check: refused(), Status: check.Failed, Findings: []check.Finding{finding(refused(), spark("team-a", severity.String()), severity, "refused")}}
	}
	waived := found(check.Error)
	waived.Findings[0].Suppressed = &check.Suppression{By: check.ByFlag}
	blind := check.Result{Check: unused(), Status: check.Skipped, Reason: "forbidden"}
	partial := check.Result{Check: conf(), Partial: true}
	for name, c := range map[string]struct {
		results         []check.Result
		failOn          string
		allowIncomplete bool
		verdict, why    string
	}{
		"clean":                       {[]check.Result{{Check: conf()}}, "error", false, "GO", "nothing found that speaks against it"},
		"an error":                    {[]check.Result{found(check.Error)}, "error", false, "NO-GO", "1 error"},
		"a warning":                   {[]check.Result{found(check.Warning)}, "error", false, "GO", "1 warning, below what fails it"},
		"a warning that fails":        {[]check.Result{found(check.Warning), found(check.Info)}, "warning", false, "NO-GO", "1 warning"},
		"nothing fails":               {[]check.Result{found(check.Error)}, "none", false, "GO", "1 error, below what fails it"},
		"accepted":                    {[]check.Result{waived, {Check: conf()}}, "error", false, "GO", "nothing found that speaks against it"},
		"blind":                       {[]check.Result{blind, {Check: conf()}}, "error", false, "INCOMPLETE", "1 check could not look"},
		"blind in part":               {[]check.Result{blind, partial}, "error", false, "INCOMPLETE", "1 check could not look; 1 check could only look in part"},
		"blind with a warning":        {[]check.Result{found(check.Warning), partial}, "error", false, "INCOMPLETE", "1 warning, below what fails it; 1 check could only look in part"},
		"an error outweighs it":       {[]check.Result{found(check.Error), blind}, "error", false, "NO-GO", "1 error; 1 check could not look"},
		"blind, and somebody says so": {[]check.Result{blind, {Check: conf()}}, "error", true, "GO", "1 check could not look"},
		"nothing could be judged":     {[]check.Result{{Check: conf(), Status: check.NotApplicable}}, "error", false, "INCOMPLETE", "no check could judge anything"},
	} {
		t.Run(name, func(t *testing.T) {
			r := build(cluster(), c.results...)
			r.Gate = report.GateOf(upgrade(), c.results)
			r.Decide(c.failOn, c.allowIncomplete)
			require.Equal(t, c.verdict, r.Gate.Verdict)
			require.Equal(t, c.why, r.Gate.Because)
		})
	}
}

// hostileGate is a gate of which every text attacks, as somebody may have written it by hand.
func hostileGate(t *testing.T) *report.Report {
	t.Helper()
	r := sampleGate()
	r.Gate.From, r.Gate.To, r.Gate.Controller, r.Gate.Because = escapes, escapes, escapes, escapes
	for i := range r.Gate.Hops {
		r.Gate.Hops[i] = escapes
	}
	for i := range r.Items {
		r.Items[i].Hop = escapes
	}
	for i := range r.Gate.Runbook {
		s := &r.Gate.Runbook[i]
		s.Do, s.Because, s.Check, s.Hop, s.Commands = escapes, escapes, escapes, escapes, []string{escapes, "```", "\n::error::x"}
	}
	return reread(t, r)
}

// TestGateMarkdownIsInert: whatever a gate says, there is only what this build writes: its lists, its blocks of code and its
// details.
func TestGateMarkdownIsInert(t *testing.T) {
	for name, r := range map[string]*report.Report{"sample": sampleGate(), "hostile": hostileGate(t)} {
		var b bytes.Buffer
		require.NoError(t, markdown.Write(&b, r))
		got := renderMarkdown(t, func(b *bytes.Buffer) error { return markdown.Write(b, r) })
		require.Empty(t, got.images, name)
		for _, link := range got.links {
			require.True(t, strings.HasPrefix(link, "https://github.com/sparkdoctor/"), "%s: %s", name, link)
		}
		for _, html := range got.raw {
			require.Contains(t, []string{"<!-- -->", "<br>", "block"}, html, name)
		}
		for line := range strings.Lines(b.String()) {
			if strings.Contains(line, "<script>") {
				require.True(t, strings.Contains(line, "`") || strings.Contains(line, "\\<script") || strings.HasPrefix(line, "  "), "%s: %s", name, line)
			}
		}
		require.Equal(t, len(r.Gate.Runbook), strings.Count(b.String(), "\n- [ ] **"), name)
	}
}

func TestHostileGateIsInert(t *testing.T) {
	r := hostileGate(t)
	for _, format := range formats.Names() {
		var b bytes.Buffer
		require.NoError(t, formats.Write(&b, r, format, "", terminal.Style{}))
		require.NotContains(t, b.String(), "\x1b", format)
		for line := range strings.Lines(b.String()) {
			ours := format == "github" && strings.Contains(line, " title=")
			require.True(t, ours || !strings.HasPrefix(strings.TrimSpace(line), "::"), "%s: %s", format, line)
		}
	}
	d := parseHTML(t, r)
	require.Len(t, d.elements["script"], 1)
	require.NoError(t, sarifSchema(t).Validate(sarifOf(t, r)))
	require.NotEmpty(t, families(t, r))
}

// TestGateMarkdownFitsIntoAComment: GitHub refuses one of more than 65536 characters.
func TestGateMarkdownFitsIntoAComment(t *testing.T) {
	r := sampleGate()
	many := r.Gate.Runbook[2]
	for i := range 4000 {
		many.Objects = append(many.Objects, spark("team-a", fmt.Sprintf("run-%d", i)))
	}
	for range 400 {
		r.Gate.Runbook = append(r.Gate.Runbook, many)
		r.Items = append(r.Items, r.Items[0])
	}
	var b bytes.Buffer
	require.NoError(t, markdown.Write(&b, r))
	require.Less(t, b.Len(), 64<<10)
	require.Regexp(t, `… and \d+ more, in the JSON report`, b.String())
	require.Regexp(t, `\n\d+ more steps are left out here\.\n`, b.String())
	require.Regexp(t, `\n\d+ more findings are left out here\.\n`, b.String())
	b.Reset()
	require.NoError(t, markdown.StepSummary(&b, r))
	require.Less(t, b.Len(), 1<<20)
}

func TestGateHTMLSaysWhatTheReportSays(t *testing.T) {
	r := sampleGate()
	d := parseHTML(t, r)
	require.Contains(t, d.text, "NO-GO")
	require.Contains(t, d.text, "3 errors; 1 check could not look")
	commands := 0
	for _, s := range r.Gate.Runbook {
		require.Contains(t, d.text, report.Escape(s.Do))
		for _, c := range s.Commands {
			require.Contains(t, d.text, report.Escape(c), "all commands are there")
			commands++
		}
	}
	require.Greater(t, commands, 15)
	require.Contains(t, textOf(d.ids[r.Items[0].Metadata.Name]), "hop 2.4.0")
}
