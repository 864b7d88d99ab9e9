package redact

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTokensAreFoundWhereTheyBegin: looking at the words of a pattern finds what going over the line finds, whatever stands around a token
// of it, and most patterns are looked for so.
func TestTokensAreFoundWhereTheyBegin(t *testing.T) {
	all, anchored, found := slices.Concat(ours(), ofCommands(), gitleaks()), 0, 0
	for _, p := range all {
		f := newFinder(p)
		if f.line != nil {
			continue
		}
		anchored++
		tree, err := syntax.Parse(p.text, syntax.Perl)
		require.NoError(t, err)
		tree, regex := tree.Simplify(), regexp.MustCompile(p.text)
		for n := range 4 {
			token := sample(tree, n)
			for _, before := range []string{"", " ", "x", "é", "=", "_", token + " "} {
				for _, behind := range []string{"", " ", "x", "é", `"`, ".a", token, strings.Repeat("a", 400)} {
					line := before + token + behind
					want := matches(regex, line, span{0, len(line)})
					found += len(want)
					assert.Equal(t, want, foundAt(&f, p, line), "%s: %s", p.text, line)
				}
			}
		}
	}
	require.Greater(t, anchored, len(all)*6/10)
	require.Greater(t, found, 100*anchored)
}

// foundAt looks at each of the words.
func foundAt(f *finder, p pattern, line string) []span {
	var out []span
	lower, to := lowered(line), 0
	for i := range line {
		is := func(word string) bool { return strings.HasPrefix(lower[i:], word) }
		if i < to || !slices.ContainsFunc(p.words, is) {
			continue
		}
		if secret, found := f.at(line, span{0, len(line)}, i); found {
			out, to = append(out, secret), secret.to
		}
	}
	return out
}

// sample returns a text that an expression matches, with the choices that a number stands for, without what may stand behind it.
func sample(re *syntax.Regexp, n int) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		if len(re.Rune) > 2 && re.Rune[0] == 0 {
			return "" // of what is behind
		}
		return string(re.Rune[2*(n%(len(re.Rune)/2))])
	case syntax.OpPlus, syntax.OpCapture:
		return sample(re.Sub[0], n)
	case syntax.OpStar, syntax.OpQuest:
		return strings.Repeat(sample(re.Sub[0], n), n%2)
	case syntax.OpConcat:
		text := ""
		for _, sub := range re.Sub {
			text += sample(sub, n)
		}
		return text
	case syntax.OpAlternate:
		return sample(re.Sub[n%len(re.Sub)], n)
	default:
		return ""
	}
}

// TestTokensWithinTokens: what repeats the beginning of a token within a token is not looked at again.
func TestTokensWithinTokens(t *testing.T) {
	require.Equal(t, "[redacted] [redacted].x", Text(strings.Repeat("glpat-", 100)+" "+strings.Repeat("glpat-", 100)+".x"))
}
