package prose

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Comments returns the faults of the comments of a file of Go, in order. They are held to some of the words only: users do not
// read them, and hundreds have the others.
func Comments(source []byte) ([]Fault, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("reading Go: %w", err)
	}
	var list []Fault
	for _, group := range file.Comments {
		text := make([]string, 0, len(group.List))
		for _, c := range group.List {
			text = append(text, c.Text)
		}
		for _, r := range Words() {
			joined := strings.Join(text, "\n")
			for _, at := range r.Pattern.FindAllStringIndex(joined, -1) {
				if r.Comments {
					line := files.Position(group.Pos()).Line + strings.Count(joined[:at[0]], "\n")
					list = append(list, Fault{line, strings.TrimSpace(joined[at[0]:at[1]]), r.Instead})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Fault) int { return a.Line - b.Line })
	return list, nil
}
