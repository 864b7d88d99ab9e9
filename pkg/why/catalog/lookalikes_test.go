package catalog

import "testing"

func TestLookAlikesAreNotMatched(t *testing.T) {
	for _, e := range Builtin().entries {
		if len(e.LookAlikes) == 0 {
			t.Errorf("%s has no look-alike", e.ID)
		}
		for _, line := range e.LookAlikes {
			if e.fits(line) {
				t.Errorf("%s: look-alike %q matches", e.ID, line)
			}
		}
		for _, line := range e.Examples {
			if !e.fits(line) {
				t.Errorf("%s: example %q does not match", e.ID, line)
			}
		}
	}
}
