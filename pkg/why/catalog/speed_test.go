package catalog_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// BenchmarkLine reads 4 MiB of healthy lines, which is what is kept of a log.
func BenchmarkLine(b *testing.B) {
	text, err := os.ReadFile("testdata/healthy.log")
	require.NoError(b, err)
	lines := strings.Split(strings.Repeat(string(text), 4<<20/len(text)), "\n")
	b.SetBytes(4 << 20)
	for b.Loop() {
		for _, line := range lines {
			catalog.Line(line)
		}
	}
}
