package fix

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFoldsAlikeEntriesOnly: of every field that the table has, each change is shown by itself, however many there are, but for
// entries of one map that only their names tell apart.
func TestFoldsAlikeEntriesOnly(t *testing.T) {
	const many = 3 * maxShown
	folding := 0
	for _, r := range table() {
		for _, f := range r.fields {
			var changes []Change
			for i := range many {
				path := slices.Clone(f.path)
				for at := range path { // any key or element
					path[at] = strings.ReplaceAll(path[at], "*", fmt.Sprintf("etl-exec-%d", i))
				}
				changes = append(changes, Change{Path: path, New: "x"})
			}
			shown, rest := fold(changes)
			if !f.folds() {
				require.Len(t, shown, many, "%s: %s", r.name, f.path)
				require.Empty(t, rest)
				continue
			}
			folding++
			require.Len(t, shown, maxShown, "%s: %s", r.name, f.path)
			require.Equal(t, []folded{{parent: f.path[:len(f.path)-1], verb: verbOf(changes[0]), count: many - maxShown}}, rest)
		}
	}
	require.Equal(t, 1, folding, "only entries of executors are many and alike")
	beside := []Change{{Path: Path{"metadata", "labels", "x"}, New: "y"}}
	for i := range many {
		beside = append(beside, Change{Path: Path{"metadata", "labels", fmt.Sprint(i)}, New: "y"})
	}
	shown, rest := fold(beside)
	require.Len(t, shown, many+1, "labels are in no row")
	require.Empty(t, rest)
}
