package wire

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAliasesAreBounded holds that aliases cannot make a short document long: what it would become is known before it is.
func TestAliasesAreBounded(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	for name, c := range map[string]struct {
		text string
		fits bool
	}{
		"no alias":                     {"a: '&'\nb: '*'\nc: " + strings.Repeat(long, 10), true},
		"many aliases of little":       {"a: &a x\nb:\n" + strings.Repeat("- *a\n", 20_000), true},
		"few aliases of much":          {"a: &a " + long + "\nb:\n" + strings.Repeat("- *a\n", 50), true},
		"many aliases of a string":     {"a: &a " + long + "\nb:\n" + strings.Repeat("- *a\n", 20_000), false},
		"many aliases of a map":        {"a: &a {b: " + long + "}\nb:\n" + strings.Repeat("- *a\n", 20_000), false},
		"many aliases that are merged": {"a: &a {b: " + long + "}\nb:\n" + strings.Repeat("- {<<: *a}\n", 20_000), false},
		"many aliases of a key":        {"a: &a " + long + "\nb:\n" + strings.Repeat("- {*a : x}\n", 20_000), false},
		"aliases of aliases": {"a: &a [" + strings.Repeat("x", 1000) + "]\nb: &b [" + strings.Repeat("*a,", 99) + "*a]\nc: &c [" +
			strings.Repeat("*b,", 99) + "*b]\nd: *c\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := YAMLToJSON([]byte(c.text))
			runtime.ReadMemStats(&after)
			if c.fits {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "alias")
			}
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(150<<20))
		})
	}
}
