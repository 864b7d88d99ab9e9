package rank

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRelationsSayWhy holds that each relation has a name of its own and one sentence that says why it holds.
func TestRelationsSayWhy(t *testing.T) {
	seen := map[string]bool{}
	said := func(name, why string) {
		require.False(t, seen[name], name)
		seen[name] = true
		require.Regexp(t, regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`), name)
		require.Regexp(t, regexp.MustCompile(`^\S.{20,160}[^.]$`), why)
	}
	for _, r := range relations() {
		said(r.name, r.why)
	}
	for _, c := range completions() {
		said(c.name, c.why)
	}
}
