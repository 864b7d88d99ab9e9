package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"
)

// frozen is what is kept of an output.
type frozen struct{ hash, projection string }

// changes collects the outputs: all to rewrite them, else those that differ from what is frozen.
type changes struct {
	want   map[output]frozen
	update bool
	mu     sync.Mutex
	found  map[output]frozen
}

// add says how an output differs from what is frozen; it returns nothing where it is the same, or is about to be frozen.
func (c *changes) add(o output, got frozen) string {
	want, known := c.want[o]
	if !c.update && want == got {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found[o] = got
	switch {
	case c.update:
		return ""
	case !known:
		return o.path() + " is not frozen"
	case want.hash == got.hash:
		return o.path() + " is as frozen, and its projection is not that of " + textFile(o)
	case want.projection == got.projection && c.shownFor(o.key):
		return o.path() + " differs, where a projection of this input differs, too"
	case want.projection == got.projection:
		return o.path() + " differs from testdata/frozen.txt, where its projection is the same"
	}
	return o.path() + " differs from " + textFile(o)
}

// shownFor reports whether a projection of an input differs: others, which leave out what it says, then may be the same.
func (c *changes) shownFor(key string) bool {
	return slices.ContainsFunc(frozenCommands(), func(command frozenCommand) bool {
		o := output{command.name, key}
		got, found := c.found[o]
		return found && got.projection != c.want[o].projection
	})
}

// shown are the first few differences between projections, as the rest is usually the same again, and what to do about them.
func (c *changes) shown() string {
	const few, readable = 3, 80
	var b strings.Builder
	var alike []output
	differ := 0
	for _, o := range sorted(c.found) {
		want, got := c.want[o].projection, c.found[o].projection
		if want == got && !c.shownFor(o.key) {
			alike = append(alike, o)
		}
		if want == got {
			continue
		}
		if differ++; differ <= few {
			lines := strings.SplitAfter(string(diff.Diff("frozen/"+o.path(), []byte(want), "now/"+o.path(), []byte(got))), "\n")
			b.WriteString("\n" + strings.Join(lines[:min(len(lines), readable)], ""))
		}
	}
	if differ > 0 {
		fmt.Fprintf(&b, "\n%d projections differ; these are the first %d. Where that is meant, UPDATE_FROZEN=1 go test -run TestFrozen, "+
			"and git diff shows all.\n", differ, min(differ, few))
	}
	if len(alike) > 0 {
		fmt.Fprintf(&b, "\n%d outputs differ only in what the projection leaves out, the first is %[2]s. To see it, run this here and in a "+
			"checkout of HEAD, each with a directory of its own, and diff these:\n"+
			"FROZEN_DUMP=/tmp/now go test -count=1 -run 'TestFrozen/inputs/%[3]s$' ./cmd/kubectl-sparkdoctor\n",
			len(alike), alike[0].path(), alike[0].key)
	}
	return b.String()
}

// TestChanges holds that a difference is told from a difference that no projection shows, and the latter says how to see it.
func TestChanges(t *testing.T) {
	o := output{"scan", "SD2001/x"}
	was := frozen{"1", "exit 0\n  verdict: healthy\n"}
	for name, test := range map[string]struct {
		got          frozen
		update       bool
		says, differ string
	}{
		"same":            {was, false, "", ""},
		"only the hash":   {frozen{"2", was.projection}, false, "where its projection is the same", "inputs/SD2001/x$"},
		"both":            {frozen{"2", "exit 1\n"}, false, "differs from testdata/frozen/SD2001.txt", "-exit 0\n-  verdict: healthy\n+exit 1\n"},
		"only the text":   {frozen{"1", "exit 1\n"}, false, "is not that of testdata/frozen/SD2001.txt", "+exit 1"},
		"to be rewritten": {frozen{"2", "exit 1\n"}, true, "", "+exit 1"},
	} {
		c := changes{want: map[output]frozen{o: was}, found: map[output]frozen{}, update: test.update}
		says := c.add(o, test.got)
		require.Contains(t, says, test.says, name)
		require.Equal(t, test.says == "", says == "", name)
		require.Contains(t, c.shown(), test.differ, name)
		require.Equal(t, test.differ == "", c.shown() == "", name)
	}
	c := changes{want: map[output]frozen{{"live", "SD2001/x"}: was}, found: map[output]frozen{}}
	require.Contains(t, c.add(o, was), "not frozen")
	require.Contains(t, c.add(output{"live", "SD2001/x"}, frozen{"2", was.projection}), "where a projection of this input differs, too")
	require.NotContains(t, c.shown(), "FROZEN_DUMP")
}
