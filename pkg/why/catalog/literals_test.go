package catalog

import "testing"

// A signature without a literal text would look at each line of a log.
func TestEachSignatureIsFoundByALiteral(t *testing.T) {
	for _, n := range Builtin().literals.always {
		t.Errorf("%s has no literal text", Builtin().entries[n].ID)
	}
}
