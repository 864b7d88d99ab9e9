package terminal

import (
	"fmt"
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// Style says how a format may look. Colour never carries meaning alone: the word is always there.
type Style struct {
	Color bool
	Width int // columns; 0 means 80
	// PageOf is the address of the page of a check, to which its id leads on a terminal that opens links (OSC 8); nil: nothing is a link.
	PageOf func(id string) string
	// MinSeverity leaves out the findings below it where people read them; empty: none.
	MinSeverity string
	GroupBy     string // one of Groupings; empty: the first
	FailOn      string // severity from which a finding is a failure of junit: error, warning, info or none; empty means error
}

// maxWidth is as wide as text gets, however wide the terminal is: eyes lose the line on the way back. Commands are never wrapped.
const maxWidth = 120

func (s Style) width() int {
	if s.Width <= 0 {
		return 80
	}
	return min(s.Width, maxWidth)
}

func (s Style) paint(text string, attributes ...color.Attribute) string {
	c := color.New(attributes...)
	if s.Color {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(text)
}

// severity paints a word in the colour of a severity; what does not count has none.
func (s Style) severity(severity, word string) string {
	padded := pad(word)
	if word != strings.ToUpper(severity) {
		return padded
	}
	switch severity {
	case "error":
		return s.paint(padded, color.FgRed, color.Bold)
	case "warning":
		return s.paint(padded, color.FgYellow, color.Bold)
	default:
		return s.paint(padded, color.FgCyan)
	}
}

// pad makes the words at the start of a paragraph equally long.
func pad(word string) string { return fmt.Sprintf("%-*s", len("WARNING"), word) }

// longest is how many columns the longest word of a text takes.
func longest(text string) int {
	most := 0
	for word := range strings.FieldsSeq(text) {
		most = max(most, twwidth.Width(word))
	}
	return most
}
