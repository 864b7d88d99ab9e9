package terminal_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// TestChecksLeadToTheirPages: links change nothing of what a table looks like, and lead nowhere but to the pages of checks, whatever a
// report says that comes from a file.
func TestChecksLeadToTheirPages(t *testing.T) {
	linked := regexp.MustCompile(`\x1b\]8;;([^\x1b]*)\x1b\\(.*?)\x1b\]8;;\x1b\\`)
	all := samples()
	all["forged"] = reporttest.Forged(t)
	links := 0
	for name, r := range all {
		for width := 40; width <= 200; width += 20 {
			for _, grouping := range terminal.Groupings() {
				style := terminal.Style{Width: width, GroupBy: grouping}
				plain := tableOf(t, r, style)
				require.NotContains(t, plain, "\x1b", name)
				style.PageOf = checks.PageURL
				text := tableOf(t, r, style)
				for _, found := range linked.FindAllStringSubmatch(text, -1) {
					links++
					require.Regexp(t, `^SD\d{4}$`, found[2], name)
					require.Equal(t, checks.PageURL(found[2]), found[1], name)
				}
				require.Equal(t, plain, linked.ReplaceAllString(text, "$2"), "%s at %d", name, width)
			}
		}
	}
	require.Positive(t, links)
	require.Contains(t, tableOf(t, reporttest.Scanned(check.Error, "a", "b"), terminal.Style{PageOf: checks.PageURL}),
		"\x1b]8;;https://github.com/sparkdoctor/kubectl-sparkdoctor/blob/main/docs/checks/SD2001.md\x1b\\SD2001\x1b]8;;\x1b\\")
}
