package corpus

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Result is how good a verdict is.
type Result string

// The results. No answer is not a wrong one.
const (
	Right      Result = "right"
	Incomplete Result = "incomplete" // right in class, without a fact that the case asks for
	Unknown    Result = "unknown"
	Wrong      Result = "wrong"
)

// Judge compares a verdict with the answer of the case, and says what is wrong with one that is not right.
func (c *Case) Judge(v *why.Cause) (Result, string) {
	if claim := c.Claims(v); claim != "" {
		return Wrong, claim
	}
	if !c.IsRight(v.Class) {
		if v.Class == cause.Unknown {
			return Unknown, "instead of " + string(c.Class)
		}
		return Wrong, fmt.Sprintf("%s instead of %s", v.Class, c.Class)
	}
	if found := Mentions(c.MustMention, Text(v)); found < len(c.MustMention) {
		return Incomplete, fmt.Sprintf("mentions %d of %q", found, c.MustMention)
	}
	return Right, ""
}

// IsRight reports whether a class is the right one, or as good.
func (c *Case) IsRight(class cause.Class) bool {
	return class == c.Class || slices.Contains(c.AlsoRight, class)
}

// Claims says which of the wrong verdicts that the case names a verdict is; empty: none.
func (c *Case) Claims(v *why.Cause) string {
	for _, not := range c.MustNotClaim {
		if slices.Contains(cause.Classes(), cause.Class(not)) {
			if string(v.Class) == not {
				return "claims " + not
			}
			continue
		}
		if regexp.MustCompile(`(?i)(^|\W)` + regexp.QuoteMeta(not) + `($|\W)`).MatchString(v.Message) {
			return "says " + not
		}
	}
	return ""
}

// Mentions counts the facts that have an alternative in a text.
func Mentions(facts []string, text string) int {
	found := 0
	text = strings.ToLower(text)
	for _, fact := range facts {
		if slices.ContainsFunc(strings.Split(strings.ToLower(fact), "|"), func(a string) bool { return strings.Contains(text, a) }) {
			found++
		}
	}
	return found
}

// Text is all that a verdict says: its message, its evidence and its next steps.
func Text(v *why.Cause) string {
	parts := []string{v.Message}
	for _, e := range v.Evidence {
		parts = append(parts, e.Object.String(), e.Field, e.Value)
	}
	for _, n := range v.Next {
		parts = append(parts, n.Text, n.Line)
	}
	return strings.Join(parts, "\n")
}
