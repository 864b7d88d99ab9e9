package catalog

import (
	"math"
	"regexp/syntax"
	"slices"
	"strings"
)

// required returns texts one of which is in whatever an expression matches; none if there is no telling. They spare most lines of a log
// a look by each of the expressions.
func required(expression string) []string {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil // the test of the catalogue compiles all of them
	}
	return requiredBy(tree.Simplify())
}

func requiredBy(node *syntax.Regexp) []string {
	switch node.Op {
	case syntax.OpLiteral:
		if node.Flags&syntax.FoldCase != 0 {
			return nil
		}
		return []string{string(node.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredBy(node.Sub[0])
	case syntax.OpRepeat:
		if node.Min > 0 {
			return requiredBy(node.Sub[0])
		}
		return nil
	case syntax.OpConcat:
		var best []string
		for _, sub := range node.Sub {
			best = better(best, requiredBy(sub))
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range node.Sub {
			one := requiredBy(sub)
			if one == nil {
				return nil
			}
			all = append(all, one...)
		}
		return all
	default:
		return nil
	}
}

// better returns those texts of two whose shortest is longer: the longer, the rarer.
func better(a, b []string) []string {
	if shortest(b) > shortest(a) {
		return b
	}
	return a
}

func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}

// literals finds which signatures have one of their texts in a text, reading it once.
type literals struct {
	always  []int           // without a text
	texts   [][]literal     // alike in their first two bytes
	byStart [1 << 16]uint16 // by these, which of texts; 0: none
}

type literal struct {
	text string
	of   int
}

const shortestLiteral = 2

func newLiterals(needed [][]string) literals {
	x := literals{texts: make([][]literal, 1)}
	for n, texts := range needed {
		if shortest(texts) < shortestLiteral || len(x.texts)+len(texts) > math.MaxUint16 {
			x.always = append(x.always, n)
			continue
		}
		for _, text := range texts {
			at := &x.byStart[int(text[0])<<8|int(text[1])]
			if *at == 0 {
				*at, x.texts = uint16(len(x.texts)), append(x.texts, nil) //nolint:gosec // not more than that, see above
			}
			x.texts[*at] = append(x.texts[*at], literal{text, n})
		}
	}
	return x
}

func (x *literals) in(text string) []int {
	found := slices.Clone(x.always)
	for i := 0; i+1 < len(text); i++ {
		for _, one := range x.texts[x.byStart[int(text[i])<<8|int(text[i+1])]] {
			if strings.HasPrefix(text[i:], one.text) {
				found = append(found, one.of)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
