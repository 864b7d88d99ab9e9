package catalog_test

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// TestGroupsThatMayBeMissing: a sentence names in the open only what each message that fits has. What some have stands in brackets,
// which fall away as a whole.
func TestGroupsThatMayBeMissing(t *testing.T) {
	named, bracketed := regexp.MustCompile(`\$\{(\w+)\}`), regexp.MustCompile(`\[[^\[\]]*\]`)
	for _, s := range catalog.Builtin().Signatures() {
		expression, err := syntax.Parse(s.Message, syntax.Perl)
		require.NoError(t, err, s.ID)
		has := always(expression)
		for _, text := range append([]string{s.Says}, s.Next...) {
			for _, group := range named.FindAllStringSubmatch(bracketed.ReplaceAllString(text, ""), -1) {
				if !has[group[1]] {
					t.Errorf("%s: %q: not every message has %s", s.ID, text, group[1])
				}
			}
		}
	}
}

// always returns the names of the groups that take part in every match, without the digits that tell alternatives apart.
func always(e *syntax.Regexp) map[string]bool {
	out := map[string]bool{}
	switch e.Op {
	case syntax.OpConcat, syntax.OpPlus, syntax.OpCapture:
		for _, sub := range e.Sub {
			for name := range always(sub) {
				out[name] = true
			}
		}
	case syntax.OpRepeat:
		if e.Min > 0 {
			return always(e.Sub[0])
		}
	case syntax.OpAlternate:
		out = always(e.Sub[0])
		for _, sub := range e.Sub[1:] {
			other := always(sub)
			for name := range out {
				if !other[name] {
					delete(out, name)
				}
			}
		}
	default:
	}
	if e.Op == syntax.OpCapture && e.Name != "" {
		out[strings.TrimRight(e.Name, "0123456789")] = true
	}
	return out
}
