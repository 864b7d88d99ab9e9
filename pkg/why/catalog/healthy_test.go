package catalog_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// The lines are such as jobs print that run well, with warnings and the harmless errors of logging.
func TestHealthyLinesMatchNothing(t *testing.T) {
	text, err := os.ReadFile("testdata/healthy.log")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.GreaterOrEqual(t, len(lines), 50)
	for _, line := range lines {
		if m, ok := catalog.Line(line); ok {
			t.Errorf("%s matches %q", m.Signature.ID, line)
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	m, ok := catalog.Exception("java.lang.ClassNotFoundException", strings.Repeat("a.", 5000)+"B")
	require.True(t, ok)
	require.Less(t, len(m.Signature.Meaning(m.Groups)), 400)
	_, ok = catalog.Line(strings.Repeat("x", 1<<20) + "No space left on device")
	require.False(t, ok)
}

func TestAnExceptionIsMatchedByItsClass(t *testing.T) {
	_, ok := catalog.Exception("org.example.Refused", "Connection to the queue refused")
	require.False(t, ok)
	_, ok = catalog.Exception("java.lang.IllegalStateException", "the order is void")
	require.False(t, ok)
}
