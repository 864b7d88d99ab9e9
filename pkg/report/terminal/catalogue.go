package terminal

import (
	"bytes"
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

// Catalogue writes one line a check. Titles that reach beyond so many columns are wrapped; 0: none is.
func Catalogue(w io.Writer, list []check.Check, columns int) error {
	rows := make([][]string, 0, len(list))
	before := 0
	for i := range list {
		before = max(before, len(list[i].ID)+len(list[i].Slug)+2*len(between))
	}
	for i := range list {
		c := &list[i]
		lines := []string{c.Title}
		if room := columns - before; columns > 0 {
			lines = Wrap(c.Title, max(room, leastTitle))
		}
		rows = append(rows, []string{c.ID, c.Slug, lines[0]})
		for _, line := range lines[1:] {
			rows = append(rows, []string{"", "", line})
		}
	}
	return grid(w, []string{"ID", "SLUG", "FINDING WHEN"}, rows)
}

const (
	between    = "   " // columns
	leastTitle = 24    // columns, on a terminal that is too narrow
)

// grid writes rows the way kubectl does: no borders, no wrapping, columns apart by blanks.
func grid(w io.Writer, header []string, rows [][]string) error {
	none := tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off}
	lines := tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowHeaderLine: tw.Off, ShowFooterLine: tw.Off}
	separators := tw.Separators{ShowHeader: tw.Off, ShowFooter: tw.Off, BetweenRows: tw.Off, BetweenColumns: tw.Off}
	var b bytes.Buffer
	t := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{Borders: none, Settings: tw.Settings{Lines: lines, Separators: separators}})),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAlignment(tw.AlignLeft), tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithRowAutoWrap(tw.WrapNone), tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithPadding(tw.Padding{Left: tw.Empty, Right: between, Overwrite: true}),
		tablewriter.WithTrimSpace(tw.Off),
	)
	t.Header(header)
	if err := t.Bulk(rows); err != nil {
		return err
	}
	if err := t.Render(); err != nil {
		return err
	}
	for line := range bytes.Lines(b.Bytes()) {
		// The last column is padded too; blanks at the end of a line help nobody.
		if _, err := w.Write(append(bytes.TrimRight(line, " \n"), '\n')); err != nil {
			return err
		}
	}
	return nil
}
