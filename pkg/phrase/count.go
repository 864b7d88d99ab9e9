package phrase

import (
	"fmt"
	"strings"
)

// Counted returns "1 pod", "2 pods", "2 fixes" or "2 info".
func Counted(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

func plural(n int, noun string) string {
	switch {
	case n == 1 || noun == "info":
		return noun
	case strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "s"):
		return noun + "es"
	default:
		return noun + "s"
	}
}

// Verb returns the form that goes with a number.
func Verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// CountedAre returns "1 pod is" or "2 pods are".
func CountedAre(n int, noun string) string {
	return Counted(n, noun) + Verb(n, " is", " are")
}

// firstOf is how many of a long list FirstOf names.
const firstOf = 10

// FirstOf joins the first of a long list and says how many more there are.
func FirstOf(list []string) string {
	if extra := len(list) - firstOf; extra > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:firstOf], ", "), extra)
	}
	return strings.Join(list, ", ")
}
