package markdown

import (
	"bytes"
	"fmt"
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
)

// CaseFileHead writes what a scan of one application begins with.
func CaseFileHead(w io.Writer, d *casefile.Document) error {
	var b bytes.Buffer
	writeRuling(&b, d)
	b.WriteString("\n")
	for _, row := range d.Brief() {
		fmt.Fprintf(&b, "- %s: %s\n", inert(row.Label), inert(row.Text))
		if len(row.Commands) > 0 {
			writeCommands(&b, row.Commands, len(row.Commands))
			b.WriteString("\n")
		}
	}
	b.WriteString("\n")
	_, err := w.Write(b.Bytes())
	return err
}

// writeRuling says how the application stands, and the verdict.
func writeRuling(b *bytes.Buffer, d *casefile.Document) {
	fmt.Fprintf(b, "# %s\n\n", inert(d.Head()))
	fmt.Fprintf(b, "**%s**", inert(d.Verdict.Sentence()))
	if sure := d.Verdict.Sure(); sure != "" {
		fmt.Fprintf(b, " (%s)", sure)
	}
	b.WriteString("\n")
}

// CaseFile writes the case file of one application, all of it: an incident's page holds what the cluster forgets.
func CaseFile(w io.Writer, d *casefile.Document) error {
	var b bytes.Buffer
	writeRuling(&b, d)
	for _, g := range d.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n", g.Heading)
		rows := casefile.Fold(g.Rows)
		for i, row := range rows {
			if i > 0 && len(rows[i-1].Commands) > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "- %s\n", inert(row.Text))
			for _, line := range row.Lines {
				fmt.Fprintf(&b, "  - %s\n", inert(line))
			}
			if len(row.Commands) > 0 {
				writeCommands(&b, row.Commands, len(row.Commands))
			}
		}
	}
	fmt.Fprintf(&b, "\nkubectl sparkdoctor %s, as of %s\n", inert(d.Tool.Version),
		d.Metadata.CreationTimestamp.UTC().Format("2006-01-02 15:04:05 UTC"))
	_, err := w.Write(b.Bytes())
	return err
}
