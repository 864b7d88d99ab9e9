package sampling_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
)

// TestTenthsAreAllOfAList: the ten tenths together are the list, each item once, and none of them is empty.
func TestTenthsAreAllOfAList(t *testing.T) {
	t.Setenv("SPARKDOCTOR_WHOLE", "")
	for _, size := range []int{10, 11, 828} {
		list, seen := make([]int, size), []int{}
		for i := range list {
			list[i] = i
		}
		for n := range 10 {
			t.Setenv("SPARKDOCTOR_TENTH", strconv.Itoa(n))
			part := sampling.NightlyOf(list)
			require.NotEmpty(t, part)
			require.LessOrEqual(t, len(part), size/10+1)
			seen = append(seen, part...)
		}
		slices.Sort(seen)
		require.Equal(t, list, seen)
	}
	require.Len(t, sampling.NightlyOf([]int{7}), 1, "a short list is not left out")
	require.Empty(t, sampling.NightlyOf([]int(nil)))
}

// TestNightRunsAll: what make test-nightly sets lets everything run, whatever tenth is asked for.
func TestNightRunsAll(t *testing.T) {
	t.Setenv("SPARKDOCTOR_WHOLE", "1")
	t.Setenv("SPARKDOCTOR_TENTH", "3")
	list := []int{1, 2, 3}
	require.True(t, sampling.Whole())
	require.Equal(t, list, sampling.Of(list))
	require.Equal(t, list, sampling.NightlyOf(list))
}
