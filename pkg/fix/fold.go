package fix

import (
	"fmt"
	"slices"
	"strings"
)

// folded are entries of one map that are not shown one by one.
type folded struct {
	parent Path
	verb   string
	count  int
}

// fold splits changes into those that are shown, and how many others there are.
func fold(changes []Change) ([]Change, []folded) {
	folds := foldable()
	shown := make([]Change, 0, min(len(changes), 2*maxShown))
	var rest []folded
	seen := map[string]int{}
	for _, c := range changes {
		if !folds(c) {
			shown = append(shown, c)
			continue
		}
		parent, verb := c.Path[:len(c.Path)-1], verbOf(c)
		key := parent.key() + "\x00" + verb
		if seen[key]++; seen[key] <= maxShown {
			shown = append(shown, c)
			continue
		}
		at := slices.IndexFunc(rest, func(r folded) bool { return r.verb == verb && slices.Equal(r.parent, parent) })
		if at < 0 {
			at, rest = len(rest), append(rest, folded{parent: parent, verb: verb})
		}
		rest[at].count++
	}
	return shown, rest
}

// foldable reports whether a change is of one of many entries that, as the table says, only their names tell apart.
func foldable() func(Change) bool {
	var list []field
	for _, r := range table() {
		list = append(list, slices.DeleteFunc(slices.Clone(r.fields), func(f field) bool { return !f.folds() })...)
	}
	return func(c Change) bool { return slices.ContainsFunc(list, func(f field) bool { return f.matches(c.Path) }) }
}

// FieldsOf names the fields of changes; entries of one map by their number.
func FieldsOf(changes []Change) string {
	folds := foldable()
	var names []string
	count := map[string]int{}
	for _, c := range changes {
		name, alike := c.Path.String(), folds(c)
		if alike {
			name = c.Path[:len(c.Path)-1].String()
		}
		if count[name]++; count[name] == 1 {
			names = append(names, name)
		}
	}
	for i, name := range names {
		if count[name] > 1 {
			names[i] = fmt.Sprintf("%s (%d entries)", name, count[name])
		}
	}
	return strings.Join(names, ", ")
}
