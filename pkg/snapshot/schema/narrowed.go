package schema

import (
	"math"
	"slices"
)

// Narrowed returns the paths at which rules may refuse a value that others accept, sorted. A path that only one of them has is left out: no
// object has a value there.
func (r Rules) Narrowed(before Rules) []string {
	var out []string
	for path, now := range r {
		if was, known := before[path]; known && r.narrower(path, now, was) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

func (r Rules) narrower(path string, now, was Rule) bool {
	lost := func(value string) bool { return !slices.Contains(now.Enum, value) }
	asked := func(name string) bool {
		return !slices.Contains(was.Required, name) && r[join(path, name)].Default == ""
	}
	return now.Type != "" && now.Type != was.Type && (now.Type != "number" || was.Type != "integer") ||
		len(now.Enum) > 0 && (len(was.Enum) == 0 || slices.ContainsFunc(was.Enum, lost)) ||
		slices.ContainsFunc(now.Required, asked) ||
		higher(number(now.Minimum), number(was.Minimum), now.Above, was.Above) ||
		higher(-number(now.Maximum), -number(was.Maximum), now.Below, was.Below) ||
		now.Pattern != "" && now.Pattern != was.Pattern ||
		now.Shortest > was.Shortest ||
		now.Longest != nil && (was.Longest == nil || *now.Longest < *was.Longest) ||
		now.Set && !was.Set ||
		len(now.Keys) > 0 && !slices.Equal(now.Keys, was.Keys)
}

func higher(now, was float64, excludes, excluded bool) bool {
	return !math.IsNaN(now) && (math.IsNaN(was) || now > was || now == was && excludes && !excluded)
}
