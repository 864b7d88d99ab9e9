package terminal_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// crowded has more roots, with longer sentences, names and commands, than a verdict has room for.
func crowded(roots, words int) *report.Report {
	var results []check.Result
	for i := range roots {
		c := check.Check{ID: fmt.Sprintf("SD20%02d", i+10), Slug: "generated-" + strings.Repeat("x", 3*i), Title: "generated",
			Consequence: check.LosesWork}
		result := check.Result{Check: c, Status: check.Failed}
		for k := range i%3 + 1 {
			name := fmt.Sprintf("application-%d-%s", i, strings.Repeat("n", i+k))
			o := reporttest.Spark(fmt.Sprintf("namespace-%d%s", i, strings.Repeat("s", 4*k)), name)
			f := reporttest.Finding(c, o, check.Error, strings.TrimSpace(strings.Repeat(fmt.Sprintf("word%d ", i), words*(i+1))))
			f.Then(command.Do("%s", strings.TrimSpace(strings.Repeat("do this ", words))).On("describe", o),
				command.Do("then").With("kubectl sparkdoctor fix %s", c.ID))
			result.Findings = append(result.Findings, f)
		}
		results = append(results, result)
	}
	return reporttest.Build(reporttest.Cluster(), results...)
}

func samples() map[string]*report.Report {
	all := reporttest.All()
	for roots := 1; roots < 8; roots++ {
		for _, words := range []int{1, 7, 40} {
			all[fmt.Sprintf("%d roots of %d words", roots, words)] = crowded(roots, words)
		}
	}
	return all
}

// theCommand is a line that is copied: a command, behind its label, or behind the sentence that needs it.
var theCommand = regexp.MustCompile(`(^ *|^  (?:run|fix: |more:) |: )((?:kubectl|helm|test) \S+.*)$`)

func commandsIn(text string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(text) {
		if m := theCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			found[m[2]] = true
		}
	}
	return found
}

func tableOf(t *testing.T, r *report.Report, style terminal.Style) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, terminal.Table(&b, r, style))
	return b.String()
}

// TestTableFits: at each width a line is as wide as the terminal at most, but for a word or a command that is wider, and every command
// is there.
func TestTableFits(t *testing.T) {
	for name, r := range samples() {
		commands := commandsIn(tableOf(t, r, terminal.Style{Width: 200}))
		for width := 40; width <= 200; width += 3 {
			text := tableOf(t, r, terminal.Style{Width: width})
			require.Subset(t, commandsIn(text), commands, "%s at %d: commands", name, width)
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				require.Equal(t, strings.TrimRight(line, " "), line, "%s at %d: blanks at the end", name, width)
				require.True(t, twwidth.Width(line) <= width || ofOneWord(line, width) || theCommand.MatchString(line), "%s at %d: %q", name, width,
					line)
			}
		}
	}
}

// ofOneWord reports whether a line is as wide as it is because of a word that has no room behind an indentation.
func ofOneWord(line string, width int) bool {
	words := strings.Fields(strings.TrimSuffix(line, "…"))
	return len(words) < 2 || slices.ContainsFunc(words, func(word string) bool { return twwidth.Width(word)+2 > width })
}

// atTheRight are the checks behind a line of a verdict.
var atTheRight = regexp.MustCompile(` +SD\d{4}(?: SD\d{4})*$`)

// TestVerdictCutsVisibly: of a text that the verdict begins, either all of it is there, or an ellipsis; and below each sentence are its
// commands.
func TestVerdictCutsVisibly(t *testing.T) {
	for name, r := range samples() {
		if r.Verdict == nil || len(r.Blocks()) == 0 || len(r.Items) == 1 {
			continue
		}
		for width := 40; width <= 200; width += 3 {
			text := strings.TrimSuffix(tableOf(t, r, terminal.Style{Width: width}), "\n")
			lines := strings.Split(text[strings.LastIndex(text, "\n\n")+2:], "\n")
			require.LessOrEqual(t, len(lines), 12, "%s at %d", name, width)
			verdict := ""
			for _, line := range lines {
				verdict += " " + strings.Join(strings.Fields(atTheRight.ReplaceAllString(line, "")), " ")
			}
			verdict, _, counted := strings.Cut(verdict+" ", " also")
			for i, b := range r.Blocks() {
				begins := whole(verdict, b.Text, b.Short)
				if begins == "" {
					require.True(t, counted, "%s at %d: %s", name, width, b.Text)
					continue
				}
				like := func(other report.Block) bool {
					return whole(" "+report.Escape(other.Text+" "+other.Short)+" ", begins) != ""
				}
				if others := slices.Delete(r.Blocks(), i, i+1); slices.ContainsFunc(others, like) {
					continue // what is shown may be another one
				}
				for _, row := range b.Rows {
					own := row.Command && strings.HasPrefix(row.Text, "kubectl sparkdoctor ")
					require.True(t, !own || slices.Contains(lines, "  run "+report.Escape(row.Text)), "%s at %d: %s", name, width, b.Text)
				}
			}
		}
	}
}

// whole returns what another text has of the first of some texts that is in it, or begins in it with an ellipsis behind; empty: nothing.
// In a narrow terminal words are broken, so that blanks do not count.
func whole(in string, texts ...string) string {
	in = strings.ReplaceAll(in, " ", "")
	for _, text := range texts {
		text = strings.Join(strings.Fields(report.Escape(text)), "")
		if strings.Contains(in, text) {
			return text
		}
		for n := len(text); n > 5; n-- {
			for before := range strings.SplitSeq(in, "…") {
				if strings.HasSuffix(before, text[:n]) && !strings.HasSuffix(in, before) {
					return text[:n]
				}
			}
		}
	}
	return ""
}
