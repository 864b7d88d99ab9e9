package catalog

import (
	"math"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// literals finds which signatures have one of their texts in a text, reading it once.
type literals struct {
	always  []int           // without a text
	texts   [][]literal     // alike in their first two bytes
	byStart [1 << 16]uint16 // by these, which of texts; 0: none
}

type literal struct {
	text string
	of   int
}

const shortestLiteral = 2

func newLiterals(needed [][]string) literals {
	x := literals{texts: make([][]literal, 1)}
	for n, texts := range needed {
		if lazyregexp.Shortest(texts) < shortestLiteral || len(x.texts)+len(texts) > math.MaxUint16 {
			x.always = append(x.always, n)
			continue
		}
		for _, text := range texts {
			at := &x.byStart[int(text[0])<<8|int(text[1])]
			if *at == 0 {
				*at, x.texts = uint16(len(x.texts)), append(x.texts, nil) //nolint:gosec // not more than that, see above
			}
			x.texts[*at] = append(x.texts[*at], literal{text, n})
		}
	}
	return x
}

func (x *literals) in(text string) []int {
	found := slices.Clone(x.always)
	for i := 0; i+1 < len(text); i++ {
		for _, one := range x.texts[x.byStart[int(text[i])<<8|int(text[i+1])]] {
			if strings.HasPrefix(text[i:], one.text) {
				found = append(found, one.of)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
