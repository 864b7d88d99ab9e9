package why_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// TestArchitectureFollowsACause holds the example in docs/architecture.md to what becomes of it.
func TestArchitectureFollowsACause(t *testing.T) {
	page := readText(t, "../../docs/architecture.md")
	c := numbered(t, "912")
	f := c.whole()
	require.Contains(t, page, "\n    "+f.Verdict().Message+"\n")
	require.Contains(t, page, "`never-arrived`")
	keyed := why.OpenByKeys(c.Evidence(c.objects))
	require.Equal(t, "never-arrived variable-unset", keyed.Verdict().Message)
	require.Equal(t, "exit-code", keyed.Causes[1].Message)
}
