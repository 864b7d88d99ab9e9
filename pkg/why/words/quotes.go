package words

import (
	"slices"
	"strings"
)

// quotes are the words of others that stand in a sentence: exceptions, lines of logs, names, places. What they name is not said once more.
type quotes []string

// add takes the words of others, and returns them for the sentence.
func (q *quotes) add(said string) string {
	*q = append(*q, said)
	return said
}

// holds reports whether one of them names something.
func (q *quotes) holds(name string) bool {
	return slices.ContainsFunc(*q, func(said string) bool { return strings.Contains(said, name) })
}
