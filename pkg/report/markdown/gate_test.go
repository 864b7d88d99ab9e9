package markdown_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/markdown"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// TestGateMarkdownIsInert: whatever a gate says, there is only what this build writes: its lists, its blocks of code and its
// details.
func TestGateMarkdownIsInert(t *testing.T) {
	for name, r := range map[string]*report.Report{"sample": reporttest.Gate(), "hostile": reporttest.HostileGate(t)} {
		var b bytes.Buffer
		require.NoError(t, markdown.Write(&b, r))
		got := renderMarkdown(t, func(b *bytes.Buffer) error { return markdown.Write(b, r) })
		require.Empty(t, got.images, name)
		for _, link := range got.links {
			require.True(t, strings.HasPrefix(link, "https://github.com/sparkdoctor/"), "%s: %s", name, link)
		}
		for _, html := range got.raw {
			require.Contains(t, []string{"<!-- -->", "<br>", "block", "code"}, html, name)
		}
		for line := range strings.Lines(b.String()) {
			if strings.Contains(line, "<script>") {
				require.True(t, strings.Contains(line, "`") || strings.Contains(line, "\\<script") || strings.HasPrefix(line, "  "), "%s: %s", name,
					line)
			}
		}
		require.Equal(t, len(r.Gate.Runbook), strings.Count(b.String(), "\n- [ ] **"), name)
	}
}

// TestGateMarkdownFitsIntoAComment: GitHub refuses one of more than 65536 characters.
func TestGateMarkdownFitsIntoAComment(t *testing.T) {
	r := reporttest.Gate()
	many := r.Gate.Runbook[2]
	for i := range 4000 {
		many.Objects = append(many.Objects, reporttest.Spark("team-a", fmt.Sprintf("run-%d", i)))
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

// TestForgedReportIsInert: no text of a report that somebody wrote by hand becomes a link or HTML.
func TestForgedReportIsInert(t *testing.T) {
	got := renderMarkdown(t, func(b *bytes.Buffer) error { return markdown.Write(b, reporttest.Forged(t)) })
	for _, link := range got.links {
		require.True(t, strings.HasPrefix(link, "https://github.com/sparkdoctor/"), link)
	}
	for _, html := range got.raw {
		require.Equal(t, "<!-- -->", html)
	}
}
