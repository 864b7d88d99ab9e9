package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPatternsLookALimitedTime: a text may consist of the words of all patterns, on one line or on many. Once they have looked at what they
// may, a line that holds a word loses what follows; others stay.
func TestPatternsLookALimitedTime(t *testing.T) {
	var words strings.Builder
	for _, p := range append(append(ours(), ofCommands()...), gitleaks()...) {
		words.WriteString(strings.Join(p.words, " ") + " ")
	}
	const plain, secret = "\nINFO Utils: Successfully started service\n", "ghp_0123456789abcdefghij0123456789abcdef"
	for name, unit := range map[string]string{"words": words.String(), "lines": words.String() + "\n", "beginnings": "SG."} {
		text := strings.Repeat(unit, (2<<20)/len(unit)) + plain + secret + plain
		m := newMeter(text)
		found := tokens(text, lowered(text), m)
		require.Greater(t, m.tokens, -40*len(words.String())-len(text), name) // one line more, at most
		require.NotEmpty(t, found, name)
		clean := Log(text)
		require.NotContains(t, clean, secret, name)
		require.Equal(t, 2, strings.Count(clean, plain), name)
		require.Less(t, len(clean), len(text)*3/4, name)
		require.Equal(t, clean, Log(clean), name)
	}
	usual := strings.Repeat("26/01/02 03:04:05 INFO BlockManagerInfo: Added broadcast_1_piece0 on disk on 10.0.0.1:7079\n", 20_000)
	m := newMeter(usual)
	require.Empty(t, tokens(usual, lowered(usual), m))
	require.Greater(t, m.tokens, newMeter(usual).tokens-len(usual), "a block is no command oc: patterns look at less than the text")
}
