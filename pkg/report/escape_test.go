package report

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestEscape(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":                       {"spark-pi-driver", "spark-pi-driver"},
		"other scripts":               {"größe 火花 שלום", "größe 火花 שלום"},
		"escape sequence":             {"a\x1b[31mb", `a\x1b[31mb`},
		"title sequence":              {"\x1b]0;x\x07", `\x1b]0;x\x07`},
		"C1 control":                  {"a\u009b31mb", `a\x9b31mb`},
		"newline and return":          {"a\r\nb", `a\x0d\x0ab`},
		"tab and backspace":           {"a\tb\b", `a\x09b\x08`},
		"nul and delete":              {"\x00\x7f", `\x00\x7f`},
		"bidi override":               {"a\u202eb", `a\u202eb`},
		"bidi isolate":                {"\u2066x\u2069", `\u2066x\u2069`},
		"marks of direction":          {"\u200e\u200f\u061c", `\u200e\u200f\u061c`},
		"zero width":                  {"a\u200bb\ufeff", `a\u200bb\ufeff`},
		"line separators":             {"a\u2028b\u2029", `a\u2028b\u2029`},
		"tags":                        {"a\U000e0041", `a\U000e0041`},
		"private":                     {"a\ue000\U000f0000\U0010fffd", `a\ue000\U000f0000\U0010fffd`},
		"unassigned":                  {"a\u0378\U000e0fff\U00050000", `a\u0378\U000e0fff\U00050000`},
		"no characters":               {"a\ufdd0\uffff\U0001fffe", `a\ufdd0\uffff\U0001fffe`},
		"beyond the basic plane":      {"𝔸 🚀 𠀀", "𝔸 🚀 𠀀"},
		"no UTF-8":                    {"a\xffb\xc3", `a\xffb\xc3`},
		"half of a surrogate":         {"\xed\xa0\x80", `\xed\xa0\x80`},
		"a command of a log":          {"x ##[add-mask]y ##[", `x \x23#[add-mask]y \x23#[`},
		"a replacement that is meant": {"\ufffd", "\ufffd"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, Escape(c.in)) })
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "spark-pi", "a\x1b[31m", "\u202e\u2028\xff\xc3\u009b", "\U000e0001"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s)
		require.True(t, utf8.ValidString(got))
		require.False(t, strings.ContainsFunc(got, func(r rune) bool {
			return !unicode.IsGraphic(r)
		}))
		require.Equal(t, got, Escape(got), "escaping what is safe changes nothing")
	})
}
