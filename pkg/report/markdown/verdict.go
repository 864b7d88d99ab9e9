package markdown

import (
	"bytes"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// writeVerdict begins the report: what is broken, why, and what to do.
func writeVerdict(b *bytes.Buffer, r *report.Report) {
	if r.Verdict == nil {
		return
	}
	if text := r.Verdict.Wellness(); text != "" {
		fmt.Fprintf(b, "**%s**\n\n", inert(text))
	}
	blocks, also := r.Shown()
	for i, block := range blocks {
		fmt.Fprintf(b, "%d. **%s** (%s)\n", i+1, inert(block.Text), block.Check)
		for _, row := range block.Rows {
			switch {
			case row.Command:
				fmt.Fprintf(b, "   - %s: %s\n", row.Label, code(row.Text))
			case row.Checks != "":
				fmt.Fprintf(b, "   - %s: %s (%s)\n", row.Label, inert(row.Text), row.Checks)
			default:
				fmt.Fprintf(b, "   - %s: %s\n", row.Label, inert(row.Text))
			}
		}
	}
	if len(blocks) > 0 {
		b.WriteString("\n")
	}
	if also != "" {
		fmt.Fprintf(b, "%s\n\n", inert(also))
	}
}
