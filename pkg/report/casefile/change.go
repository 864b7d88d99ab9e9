package casefile

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/change"
)

// Change is a field of the object that the user owns, as it is and as it should be.
type Change struct {
	Object  *snapshot.Ref `json:"object,omitempty"` // absent: there is none, and Field is a setting of Spark
	Field   string        `json:"field"`
	From    any           `json:"from,omitempty"`    // absent: not set
	Implied string        `json:"implied,omitempty"` // what holds while it is not set
	To      any           `json:"to"`                // a list is complete; null: the field goes
	Because string        `json:"because,omitempty"`

	path []string
	item *change.Item
}

func changeOf(c *why.Change) Change {
	out := Change{Field: c.Path[0], From: c.From, Implied: c.Implied, To: c.To, Because: c.Because, path: c.Path, item: c.Item}
	if c.Object.Name != "" {
		out.Object, out.Field = &c.Object, fieldText(c.Path)
	}
	return out
}

// fieldText is a path as kubectl writes it: keys that hold more than a name are in brackets.
func fieldText(path []string) string {
	var b strings.Builder
	for i, key := range path {
		switch {
		case strings.ContainsAny(key, "./"):
			fmt.Fprintf(&b, "[%q]", key)
		case i > 0:
			b.WriteString("." + key)
		default:
			b.WriteString(key)
		}
	}
	return b.String()
}

// Text is the change in a line: "spec.driver.memoryOverhead: unset (409m) → 1126m".
func (c *Change) Text() string {
	field := c.Field
	if c.Object != nil && c.Object.Group() == "" {
		field = c.Object.Kind + " " + c.Object.Name + " " + field // not of the application
	}
	if i := c.item; i != nil && i.From == "" {
		return field + ": add " + i.To
	} else if i != nil {
		return field + i.At + ": " + i.From + " → " + i.To
	}
	from := "unset"
	switch {
	case c.From != nil:
		from = valueText(c.From)
	case c.Implied != "":
		from += " (" + c.Implied + ")"
	}
	to := "removed"
	if c.To != nil {
		to = valueText(c.To)
	}
	return field + ": " + from + " → " + to
}

// valueText is a value as a manifest has it in one line.
func valueText(value any) string {
	if text, is := value.(string); is {
		return withoutPackage(text)
	}
	line, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(line)
}

// withoutPackage shortens the name of a Java class that would take most of a change: the patch has all of it.
func withoutPackage(text string) string {
	const longest = 45
	at := strings.LastIndexByte(text, '.')
	if len(text) <= longest || strings.Count(text, ".") < 3 || strings.ContainsAny(text, " /,:=") || text[at+1:] == "" ||
		!unicode.IsUpper(rune(text[at+1])) {
		return text
	}
	return text[at+1:]
}
