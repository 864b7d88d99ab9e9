package signatures

import "slices"

// All returns the catalogue, the most specific first: of two that fit the same message, the first is meant.
func All() []Signature {
	return slices.Concat(
		memory(),
	)
}
