package lazyregexp

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needs is what every match has, so that most texts that do not match are known without a run of the expression: of the lines of a log,
// nearly each is asked about dozens of expressions, and matches none or one. A text that has all of it may still not match.
type needs struct {
	first *[utf8.RuneSelf]bool // the ASCII characters with which a match that begins the text may begin; nil: any
	one   []string             // texts of which each match contains one; nil: none is known
}

// mostTexts is how many texts are looked for before an expression is run: beyond it, one run costs as much.
const mostTexts = 64

// needsOf derives the needs of an expression. One that does not parse has none: regexp tells the error.
func needsOf(expression string) needs {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return needs{}
	}
	tree = tree.Simplify()
	var n needs
	if program, err := syntax.Compile(tree); err == nil {
		n.first = firstOf(program)
	}
	if one := contained(tree); len(one) <= mostTexts {
		n.one = one
	}
	return n
}

// Literals returns texts of which each text that matches the expression contains one; none if there is no telling, as for an expression
// that does not parse.
func Literals(expression string) []string {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	return contained(tree.Simplify())
}

// metBy reports whether a text may match.
func (n *needs) metBy(text string) bool {
	if n.first != nil && text != "" && text[0] < utf8.RuneSelf && !n.first[text[0]] {
		return false
	}
	return n.one == nil || slices.ContainsFunc(n.one, func(one string) bool { return strings.Contains(text, one) })
}

// firstOf walks the program from its start to the first characters that it reads. An expression that may match elsewhere has none.
func firstOf(program *syntax.Prog) *[utf8.RuneSelf]bool {
	if program.StartCond()&syntax.EmptyBeginText == 0 {
		return nil
	}
	var first [utf8.RuneSelf]bool
	seen := make([]bool, len(program.Inst))
	next := []uint32{uint32(program.Start)}
	for len(next) > 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		switch inst := &program.Inst[at]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			next = append(next, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			next = append(next, inst.Out)
		case syntax.InstMatch:
			return nil // it may match no character at all
		case syntax.InstFail:
		default:
			for c := range first {
				first[c] = first[c] || inst.MatchRune(rune(c))
			}
		}
	}
	return &first
}

// contained is a set of texts of which each match contains one; nil if none is known.
func contained(tree *syntax.Regexp) []string {
	switch tree.Op {
	case syntax.OpLiteral:
		return literal(tree)
	case syntax.OpCapture, syntax.OpPlus:
		return contained(tree.Sub[0])
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return contained(tree.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, part := range tree.Sub {
			if one := contained(part); Rarer(one, best) {
				best = one
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, branch := range tree.Sub {
			one := contained(branch)
			if one == nil {
				return nil
			}
			all = append(all, one...)
		}
		return all
	}
	return nil
}

// literal is a text that is matched as it stands: no other case, and no character that regexp takes bytes that are no UTF-8 for.
func literal(tree *syntax.Regexp) []string {
	folds := tree.Flags&syntax.FoldCase != 0 && slices.ContainsFunc(tree.Rune, func(r rune) bool { return unicode.SimpleFold(r) != r })
	if folds || slices.Contains(tree.Rune, utf8.RuneError) {
		return nil
	}
	return []string{string(tree.Rune)}
}

// Rarer reports whether fewer texts contain one of a than one of b, as far as lengths tell.
func Rarer(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) > 0
	}
	if x, y := Shortest(a), Shortest(b); x != y {
		return x > y
	}
	return len(a) < len(b)
}

// Shortest is the length of the shortest of the texts, in bytes; 0 of none.
func Shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}
