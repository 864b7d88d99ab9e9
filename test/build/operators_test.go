package build

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOperators(t *testing.T) {
	all := OperatorVersions()
	require.Contains(t, all, BaseOperator)
	require.Equal(t, "2.2.1", all[0], "the first whose tag is a version of a module")
	for list, want := range map[string][]string{
		"": {BaseOperator}, "all": all, "ends": {"2.2.1", all[len(all)-1]}, "2.4.0": {"2.4.0"}, "2.4.0,2.5.2": {"2.4.0", "2.5.2"},
	} {
		t.Setenv("SPARKDOCTOR_OPERATORS", list)
		require.Equal(t, want, Operators(BaseOperator), list)
	}
}
