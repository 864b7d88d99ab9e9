package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Diff writes a unified diff with what is added, removed and named in colours, and what a cluster supplied made harmless.
func Diff(w io.Writer, text string, style Style) error {
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
