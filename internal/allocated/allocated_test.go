package allocated_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
)

// failing counts errors instead of failing.
type failing struct {
	testing.TB
	errors int
}

func (f *failing) Errorf(string, ...any) { f.errors++ }

func TestBound(t *testing.T) {
	if sampling.Raced() {
		t.Skip("the race detector takes memory of its own; make test runs this without it")
	}
	var kept []byte
	for size, want := range map[int]int{10: 1, 20_000: 0} {
		f := &failing{TB: t}
		end := allocated.Bound(f, size)
		kept = make([]byte, 32<<20)
		end()
		require.Equal(t, want, f.errors, size)
	}
	require.NotEmpty(t, kept)
}
