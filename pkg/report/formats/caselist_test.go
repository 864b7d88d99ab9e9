package formats_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// listOf are three applications that failed, one that hangs, and many of which nothing is wrong.
func listOf(names ...string) *casefile.List {
	l := &casefile.List{Fine: 30, Completed: 1, Older: 2, AskLine: "kubectl sparkdoctor why NAMESPACE/NAME"}
	for _, name := range names {
		l.Items = append(l.Items, reporttest.Document(reporttest.CaseFiles()[name]))
	}
	return l
}

func renderList(t *testing.T, l *casefile.List, format string, width int) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.WriteCaseList(&b, l, format, "", terminal.Style{Width: width}))
	return b.String()
}

// TestCaseListsGolden holds the list of a namespace, on a terminal and as a page, and one in which something could not be read.
func TestCaseListsGolden(t *testing.T) {
	l := listOf("full", string(cause.CodeFailed), string(cause.Quota), string(cause.Scheduling))
	goldenCase(t, "list.table", renderList(t, l, "table", 80))
	goldenCase(t, "list.160", renderList(t, l, "table", 160))
	goldenCase(t, "list.wide", renderList(t, l, "wide", 80))
	goldenCase(t, "list.html", renderList(t, l, "html", 0))
	l.Items = nil
	l.Unread = []casefile.Unread{{Subject: snapshot.Ref{Namespace: "team-a", Name: "etl"}, Reason: "timed out"}}
	l.Unseen = []casefile.Unseen{{What: "sparkconnects.sparkoperator.k8s.io", Reason: snapshot.Forbidden, Command: "kubectl apply -f roles"}}
	goldenCase(t, "list-unread.table", renderList(t, l, "table", 80))
	goldenCase(t, "list-unread.html", renderList(t, l, "html", 0))
	require.Equal(t, "no application was found\n", renderList(t, &casefile.List{}, "table", 80))
	require.Equal(t, "nothing failed, hangs or waits; 1 runs normally\n", renderList(t, &casefile.List{Fine: 1}, "table", 80))
}

// TestCaseListsFit: no line is wider than the terminal, and of a cause that has no room whole clauses are left.
func TestCaseListsFit(t *testing.T) {
	var names []string
	for _, class := range cause.Classes() {
		names = append(names, string(class))
	}
	for width := 40; width < 240; width += 9 {
		for _, format := range []string{"table", "wide"} {
			text := renderList(t, listOf(names...), format, width)
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				require.True(t, twwidth.Width(line) <= width || strings.HasPrefix(line, "more: "), "%s at %d: %s", format, width, line)
			}
			require.Equal(t, len(names), strings.Count(text, "team-a/")+strings.Count(text, "payments/"), "%s at %d\n%s", format, width, text)
		}
	}
	require.NotContains(t, renderList(t, listOf(names...), "table", 80), "…")
}

// TestCaseListIsInert: what a cluster says does nothing in a browser.
func TestCaseListIsInert(t *testing.T) {
	page := renderList(t, listOf("hostile"), "html", 0)
	require.Equal(t, 1, strings.Count(page, "<script>"), "the page's own")
	require.Contains(t, page, "&lt;script&gt;")
	require.NotContains(t, page, "\x1b")
}
