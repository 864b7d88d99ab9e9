package catalog

import (
	"errors"
	"fmt"
	"regexp/syntax"
)

const (
	// maxSteps bounds what an expression is compiled to: its repetitions multiply, and each step may be asked for each byte of a line.
	maxSteps = 3000
	// minLiteral is how long a text must be that tells which lines an expression is compared with.
	minLiteral = 3
)

// compiles reports what is wrong with an expression: it is none, or compiles to too much.
func compiles(expression string) error {
	tree, err := syntax.Parse(expression, syntax.Perl)
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s: `%s`", wrong.Code, wrong.Expr)
	}
	if err != nil {
		return err
	}
	if n := steps(tree); n > maxSteps {
		return fmt.Errorf("the expression is too large: its repetitions multiply to %d steps, of %d that are allowed", n, maxSteps)
	}
	return nil
}

// steps is what the expressions of a signature compile to; both do compile.
func (s *Signature) steps() int {
	n := 0
	for _, expression := range []string{s.Exception, s.Message} {
		if tree, err := syntax.Parse(expression, syntax.Perl); err == nil {
			n += steps(tree)
		}
	}
	return n
}

// steps is about how many instructions an expression compiles to; it does not compile it.
func steps(node *syntax.Regexp) int {
	n := 1
	if node.Op == syntax.OpLiteral {
		n = len(node.Rune)
	}
	for _, sub := range node.Sub {
		n += steps(sub)
	}
	if node.Op == syntax.OpRepeat {
		n *= max(node.Min, node.Max, 1)
	}
	return min(n, 1<<30)
}
