package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// TestFrozenFiles holds that testdata is what UPDATE_FROZEN writes of it: each output has a hash and a projection, in its place.
func TestFrozenFiles(t *testing.T) {
	outputs := readFrozen(t)
	texts := formatTexts(outputs)
	require.ElementsMatch(t, slices.Collect(maps.Keys(texts)), frozenFiles(t))
	for name, text := range texts {
		is, err := os.ReadFile(name) // #nosec G304 -- a test
		require.NoError(t, err)
		require.True(t, string(is) == text, "%s is not what UPDATE_FROZEN=1 writes", name)
	}
	list, err := os.ReadFile(frozenList)
	require.NoError(t, err)
	require.True(t, string(list) == formatHashes(outputs), "%s is not what UPDATE_FROZEN=1 writes", frozenList)
}

// TestEntries holds what is left out beside another output: only what that one says, too.
func TestEntries(t *testing.T) {
	a := entry{"A", "error", []field{{"message", "m"}, {"next", "n"}, {"next", "o"}}}
	says := entry{"A", "info", a.fields}
	line := entry{"A", "error", []field{{"message", "m"}, {"next", "n"}, {"next", "p"}}}
	less := entry{"A", "error", []field{{"message", "m"}}}
	more := entry{"A", "error", append(slices.Clone(a.fields), field{"fix", "f"})}
	b := entry{name: "B"}
	full := "  A: error\n    message: m\n    next: n\n    next: o\n"
	require.Equal(t, full+"  B\n", whole([]entry{a, b}))
	for name, test := range map[string]struct {
		list, earlier []entry
		since, beside string
	}{
		"the same":       {[]entry{a}, []entry{a}, "", "  A: error (as scan)\n"},
		"another word":   {[]entry{says}, []entry{a}, "  A: info (else as scan)\n", "  A: info (else as scan)\n"},
		"another line":   {[]entry{line}, []entry{a}, "  A: error (else as scan)\n    next: n\n    next: p\n", ""},
		"without a line": {[]entry{less}, []entry{a}, "  A: error (else as scan)\n    next: none\n", ""},
		"a line more":    {[]entry{more}, []entry{a}, "  A: error (else as scan)\n    fix: f\n", ""},
		"one more":       {[]entry{a, b}, []entry{b}, full, full + "  B (as scan)\n"},
		"one less":       {[]entry{b}, []entry{a, b}, "  without A\n", "  B (as scan)\n"},
	} {
		require.Equal(t, test.since, since(test.list, "scan", test.earlier), name)
		if test.beside == "" {
			test.beside = test.since
		}
		require.Equal(t, test.beside, beside(test.list, "scan", test.earlier), name)
	}
}

// TestLinesOfProjections holds that an output takes the lines that it has, of the length that is said, and that they are read back.
func TestLinesOfProjections(t *testing.T) {
	e := entry{name: "A\nscan x/y: exit 0"}
	e.add("value", cut(strings.Repeat("ä", 160), 160), cut(strings.Repeat("ä", 161), 160), "", "a\r\nb")
	require.Equal(t, `  A\nscan x/y: exit 0`+"\n    value: "+strings.Repeat("ä", 160)+"\n    value: "+strings.Repeat("ä", 160)+
		"… (161 characters)\n"+`    value: a\r\nb`+"\n", whole([]entry{e}))
	var s fix.Step
	for range 7 {
		s.Changes = append(s.Changes, fix.Change{Path: fix.Path{"a"}, New: strings.Repeat("x", 200)})
	}
	var steps entry
	step(&steps, s, fix.Undo{})
	require.Len(t, steps.values("add"), 5)
	require.Len(t, steps.values("add")[0], len(`a = `)+120+len("… (202 characters)"))
	require.Equal(t, []string{"2 more changes"}, steps.values("and"))

	seen := map[string]int{}
	require.Equal(t, []string{"A", "A #2", "B"}, []string{unique(seen, "A"), unique(seen, "A"), unique(seen, "B")})
	outputs := map[output]frozen{
		{"scan", "SD1/a"}: {"1", "exit 0\n" + whole([]entry{e})}, {"fix", "SD1/a"}: {"2", "exit 0\n"}, {"live", "hops/2/b"}: {"3", "exit 2\n"},
	}
	texts := formatTexts(outputs)
	require.Equal(t, "scan SD1/a: "+outputs[output{"scan", "SD1/a"}].projection+"fix SD1/a: exit 0\n", texts["testdata/frozen/SD1.txt"])
	require.Equal(t, "live hops/2/b: exit 2\n", texts["testdata/frozen/hops-2.txt"])
	for _, text := range texts {
		read, err := parseText(text)
		require.NoError(t, err)
		for o, projection := range read {
			require.Equal(t, outputs[o].projection, projection, o)
		}
	}
	for _, wrong := range []string{"<<<<<<< HEAD\n", "scan: exit 0\n", "scan a/b: exit 0\nscan a/b: exit 0\n"} {
		_, err := parseText(wrong)
		require.Error(t, err, wrong)
	}
	_, err := parseHashes("=======\n")
	require.Error(t, err)
}
