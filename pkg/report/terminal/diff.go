package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Diff writes a unified diff with what is added, removed and named in colours, and what a cluster supplied made harmless. What stands
// before the diff is prose, which is wrapped.
func Diff(w io.Writer, text string, style Style) error {
	const begins = "\n--- "
	if head, _, _ := strings.Cut(text, begins); style.Width > 0 {
		if err := Prose(w, strings.TrimSuffix(head, "\n")+"\n", style); err != nil {
			return err
		}
		text = text[min(len(head)+1, len(text)):]
	}
	colors := map[byte]color.Attribute{'+': color.FgGreen, '-': color.FgRed, '@': color.FgCyan}
	for line := range strings.Lines(text) {
		shown := report.Escape(strings.TrimSuffix(line, "\n"))
		if attribute, is := colors[line[0]]; is {
			shown = style.paint(shown, attribute)
		}
		if _, err := fmt.Fprintln(w, shown); err != nil {
			return err
		}
	}
	return nil
}

// Prose writes lines, each wrapped below its own indentation, and what a cluster supplied made harmless.
func Prose(w io.Writer, text string, style Style) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		words := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(words)]
		wrapped := []string{report.Escape(words)}
		if !isCommand(words) { // which is to be copied
			wrapped = Wrap(wrapped[0], style.width()-len(indent)-len(hanging))
		}
		if _, err := fmt.Fprintln(w, indent+strings.Join(wrapped, "\n"+indent+hanging)); err != nil {
			return err
		}
	}
	return nil
}

// isCommand reports whether a line is a command alone.
func isCommand(line string) bool {
	return slices.ContainsFunc([]string{"kubectl ", "helm ", "aws "}, func(program string) bool { return strings.HasPrefix(line, program) })
}

// hanging is how much further the later lines of a wrapped one are indented.
const hanging = "  "
