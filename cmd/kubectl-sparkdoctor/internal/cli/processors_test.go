package cli

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSpareProcessors(t *testing.T) {
	given := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(given) })
	for all, want := range map[int]int{1: 1, 2: 1, 3: 2, 8: 4} {
		runtime.GOMAXPROCS(all)
		restore := spareProcessors()
		require.Equal(t, want, runtime.GOMAXPROCS(0))
		restore()
		require.Equal(t, all, runtime.GOMAXPROCS(0))
	}
}
