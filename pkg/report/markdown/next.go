package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// writeNext says what to do about findings, with commands to copy.
func writeNext(b *bytes.Buffer, items []report.Item) {
	steps := report.NextSteps(items)
	if len(steps) == 0 {
		return
	}
	b.WriteString("\nNext:\n")
	for _, s := range steps[:min(len(steps), report.ShownNext)] {
		fmt.Fprintf(b, "\n- %s\n", inert(s.Text))
		if len(s.Commands) > 0 {
			writeCommands(b, s.Commands, report.ShownNext)
		}
	}
	if more := len(steps) - report.ShownNext; more > 0 {
		fmt.Fprintf(b, "\n- %s\n", report.AndMore(more, "in the JSON report"))
	}
}

// writeCommands are a block of code within a list, whose fence is longer than any run of backticks in it.
func writeCommands(b *bytes.Buffer, list []string, most int) {
	shown := list[:min(len(list), most)]
	fence := "```"
	for _, run := range regexp.MustCompile("`+").FindAllString(strings.Join(shown, "\n"), -1) {
		fence = max(fence, strings.Repeat("`", len(run)+1)) // of backticks alone the longer one is the greater
	}
	fmt.Fprintf(b, "\n  %ssh\n", fence)
	for _, command := range shown {
		fmt.Fprintf(b, "  %s\n", report.Escape(command))
	}
	fmt.Fprintf(b, "  %s\n", fence)
	if more := len(list) - len(shown); more > 0 {
		fmt.Fprintf(b, "\n  %s\n", report.AndMore(more, "in the JSON report"))
	}
}
