package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A signature without a literal text would look at each line of a log.
func TestEachSignatureIsFoundByALiteral(t *testing.T) {
	for _, n := range Builtin().literals.always {
		t.Errorf("%s has no literal text", Builtin().entries[n].ID)
	}
}

func TestRequiredLiterals(t *testing.T) {
	for expression, want := range map[string][]string{
		`a+bcd\d*`:       {"bcd"},
		`(?:abc|defg)x?`: {"abc", "defg"},
		`(?:abc|\d+)`:    nil,
		`(?i)abc`:        nil,
		`abc(?:defgh)?`:  {"abc"},
	} {
		require.Equal(t, want, required(expression), expression)
	}
}
