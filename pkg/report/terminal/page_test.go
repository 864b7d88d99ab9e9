package terminal_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

func paged(t *testing.T, markdown string, style terminal.Style) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, terminal.Page(&b, []byte(markdown), style))
	return b.String()
}

func TestPage(t *testing.T) {
	const source = "# SD1 title\n\nA `code span` and\na *word*.\n\n## Next\n\n1. first item that is long\n2. second\n   - inner\n\n" +
		"    kubectl get pods \\\n      -A\n\n" +
		"| a | b |\n|---|---|\n| 1 | 2 |\n\nkubeflow/spark-operator#12\n"
	require.Equal(t, `SD1 title

A code span
and a word.

Next

1. first item
   that is
   long
2. second
   - inner

    kubectl get pods \
      -A

a  |  b
1  |  2

kubeflow/spark-operator#12

`, paged(t, strings.Replace(source, "\n\n    kubectl", "\n\n<!-- -->\n\n    kubectl", 1), terminal.Style{Width: 14}))
	require.Contains(t, paged(t, source, terminal.Style{Color: true, Width: 80, PageOf: checks.PageURL}),
		"\x1b]8;;https://github.com/kubeflow/spark-operator/issues/12\x1b\\kubeflow/spark-operator#12\x1b]8;;\x1b\\")
}

// TestPagesOfChecks: with colours no word of a page is lost, and nothing but code and single words is wider than the terminal.
func TestPagesOfChecks(t *testing.T) {
	controls := regexp.MustCompile(`\x1b\[[0-9;]*m|\x1b]8;;[^\x1b]*\x1b\\`)
	for _, c := range checks.Catalogue() {
		markdown, err := checks.Docs(c.ID)
		require.NoError(t, err)
		plain := paged(t, string(markdown), terminal.Style{Width: 80})
		painted := controls.ReplaceAllString(paged(t, string(markdown), terminal.Style{Width: 80, Color: true, PageOf: checks.PageURL}), "")
		require.Equal(t, strings.Fields(plain), strings.Fields(painted), c.ID)
		require.NotContains(t, plain, "\x1b", c.ID)
		require.NotContains(t, plain, "## ", c.ID)
		for line := range strings.Lines(plain) {
			line = strings.TrimRight(line, "\n")
			text := strings.TrimLeft(line, " -0123456789.")
			if !strings.HasPrefix(line, "    ") && strings.Contains(text, " ") && !strings.Contains(line, "  |  ") {
				require.LessOrEqual(t, twwidth.Width(line), 80, "%s: %s", c.ID, line)
			}
		}
	}
}
