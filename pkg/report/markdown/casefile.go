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
	fmt.Fprintf(&b, "# %s %s\n\n", inert(d.Name()), inert(d.Headline()))
	writeAnswer(&b, d)
	b.WriteString("\n")
	_, err := w.Write(b.Bytes())
	return err
}

// writeAnswer writes the few statements that answer why.
func writeAnswer(b *bytes.Buffer, d *casefile.Document) {
	for _, s := range d.Answer() {
		switch {
		case s.Verdict:
			fmt.Fprintf(b, "**%s** (%s)\n\n", inert(s.Text), s.Label)
		case s.Proof:
			fmt.Fprintf(b, "> %s\n\n", inert(s.Text))
		case s.Command != "":
			writeCommands(b, []string{s.Command}, 1)
			b.WriteString("\n")
		case s.Label != casefile.MoreLabel:
			fmt.Fprintf(b, "- %s: %s\n", s.Label, inert(s.Text))
			if s.Beneath != "" {
				fmt.Fprintf(b, "  - %s\n", inert(s.Beneath))
			}
		}
	}
}

// CaseFile writes the case file of one application, all of it: an incident's page holds what the cluster forgets.
func CaseFile(w io.Writer, d *casefile.Document) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s %s\n\n", inert(d.Name()), inert(d.Headline()))
	writeAnswer(&b, d)
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
