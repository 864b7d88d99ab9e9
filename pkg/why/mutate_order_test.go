package why_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// TestOrderOfObjectsDoesNotMatter shuffles, by turning the list around.
func TestOrderOfObjectsDoesNotMatter(t *testing.T) {
	t.Parallel()
	for _, of := range sampling.NightlyOf(shown(t)) {
		c := decoded(t, of)
		turned := slices.Clone(c.objects)
		slices.Reverse(turned)
		require.Equal(t, c.whole(), why.Open(c.Evidence(turned)), c.ID)
	}
}
