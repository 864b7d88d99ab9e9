package words

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// quotes are the words of others that stand in a sentence: exceptions, lines of logs, names, places. What they name is not said once more.
// Of what a sentence puts around them nothing is kept.
type quotes struct {
	words  []string
	places []logs.Place
}

// quoting are the words of others alone.
func quoting(words ...string) quotes { return quotes{words: words} }

// raised are those of an exception: its class, and what it says as far as the sentence has it.
func raised(t logs.Throwable) quotes {
	class, message := parts(t)
	return quoting(class, logs.Shortened(message, mostSaid))
}

// add takes the words of others, and returns them for the sentence.
func (q *quotes) add(said string) string {
	q.words = append(q.words, said)
	return said
}

// throw takes an exception, and returns it for the sentence.
func (q *quotes) throw(t logs.Throwable) string {
	q.join(raised(t))
	return throwable(t)
}

// place takes a place, and returns it for the sentence.
func (q *quotes) place(p logs.Place) string {
	q.places = append(q.places, p)
	return p.String()
}

// join takes over what other quotes name.
func (q *quotes) join(o quotes) {
	q.words, q.places = append(q.words, o.words...), append(q.places, o.places...)
}

// holds reports whether one of them names something.
func (q *quotes) holds(name string) bool {
	return slices.ContainsFunc(q.words, func(said string) bool { return strings.Contains(said, name) })
}

// at reports whether one of them is a place, or names it as interpreters do.
func (q *quotes) at(p logs.Place) bool { return slices.Contains(q.places, p) || q.holds(p.String()) }
