package lazyregexp

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLiterals(t *testing.T) {
	for expression, want := range map[string][]string{
		`a+bcd\d*`:          {"bcd"},
		`(?:abc|defg)x?`:    {"abc", "defg"},
		`(?:abc|\d+)`:       nil,
		`(?i)abc`:           nil,
		`(?i)=12:`:          {"=12:"},
		`abc(?:defgh)?`:     {"abc"},
		`(ab){2}`:           {"ab"},
		`(?:ab)*`:           nil,
		"caf\uFFFD":         nil,
		`(`:                 nil,
		`(?:ab|cd)(?:efg)`:  {"efg"},
		`(?:one|three) two`: {" two"},
	} {
		assert.Equal(t, want, Literals(expression), expression)
	}
}

func TestTheFirstCharacterOfAMatch(t *testing.T) {
	const all = "\x00\t aZ09[{~"
	for expression, want := range map[string]string{
		`^\[?\d`:     "09[",
		`^(?:a|\s)x`: "\t a",
		`^[^a]`:      "\x00\t Z09[{~",
		`^a*`:        all, // the empty text matches
		`^$|^Z`:      all,
		`\d`:         all, // anywhere
		`(?m)^\d`:    all, // at the beginning of a line
		`(?i)^z`:     "Z",
	} {
		n := needsOf(expression)
		n.one = nil
		var met strings.Builder
		for _, c := range all {
			if n.metBy(string(c)) {
				met.WriteRune(c)
			}
		}
		assert.Equal(t, want, met.String(), expression)
	}
}

// A text that matches has all that the expression needs.
func FuzzNeeds(f *testing.F) {
	for _, one := range [][2]string{
		{`^\[?(\d{2}|\d{4})([-/])`, "[26/01"},
		{`(?i)k`, "\u212A"}, // the sign of Kelvin
		{`(?i)^ſ`, "S"},
		{"\uFFFD", "\xff"},
		{"^\uFFFD", "\xff"},
		{`^(?:a|)$`, ""},
		{`(?m)^b$`, "a\nb"},
		{`^a|b`, "b"},
		{`\Ba{0}`, "xx"},
		{`(?U)(?:ab)+?c*`, "abab"},
		{`(?s)^.`, "\n"},
		{`[[:^ascii:]]é`, "éé"},
		{`(?:a|ab)(?:c|bcd)(?:d*)`, "abcd"},
		{`x{0,3}y{2,}z`, "yyz"},
	} {
		f.Add(one[0], one[1])
	}
	f.Fuzz(func(t *testing.T, expression, text string) {
		if len(expression) > 200 || len(text) > 1000 {
			return
		}
		r, err := regexp.Compile(expression)
		if err != nil || !r.MatchString(text) {
			return
		}
		if n := needsOf(expression); !n.metBy(text) {
			t.Errorf("%q matches %q, which lacks what it needs: %v", expression, text, n)
		}
	})
}
