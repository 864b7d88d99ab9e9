package screen

import (
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/require"
)

// TestCut: at every width a line takes one row, and says so where it is cut.
func TestCut(t *testing.T) {
	const line = "reading: 14 of 57 lists, 日本 objects"
	for columns := range 60 {
		got := cut(line, columns)
		require.LessOrEqual(t, twwidth.Width(got), columns)
		if columns > 0 && got != line {
			require.Regexp(t, "…$", got)
		}
	}
	require.Equal(t, "reading: 14 of 57 lists…", cut(line, 24))
	require.Equal(t, line, cut(line, twwidth.Width(line)))
}
