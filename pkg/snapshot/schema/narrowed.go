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
	asked := func(name string) bool {
		return !slices.Contains(was.Required, name) && r[join(path, name)].Default == ""
	}
	switch {
	case otherType(now, was), fewerValues(now, was), slices.ContainsFunc(now.Required, asked):
		return true
	case higher(number(now.Minimum), number(was.Minimum), now.Above, was.Above):
		return true
	case higher(-number(now.Maximum), -number(was.Maximum), now.Below, was.Below):
		return true
	default:
		return stricterText(now, was) || stricterList(now, was)
	}
}

func otherType(now, was Rule) bool {
	widened := now.Type == "number" && was.Type == "integer"
	return now.Type != "" && now.Type != was.Type && !widened
}

func fewerValues(now, was Rule) bool {
	if len(now.Enum) == 0 {
		return false
	}
	lost := func(value string) bool { return !slices.Contains(now.Enum, value) }
	return len(was.Enum) == 0 || slices.ContainsFunc(was.Enum, lost)
}

func higher(now, was float64, excludes, excluded bool) bool {
	if math.IsNaN(now) {
		return false
	}
	sharper := now == was && excludes && !excluded
	return math.IsNaN(was) || now > was || sharper
}

func stricterText(now, was Rule) bool {
	otherPattern := now.Pattern != "" && now.Pattern != was.Pattern
	shorter := now.Longest != nil && (was.Longest == nil || *now.Longest < *was.Longest)
	return otherPattern || shorter || now.Shortest > was.Shortest
}

func stricterList(now, was Rule) bool {
	unique := now.Set && !was.Set
	otherKeys := len(now.Keys) > 0 && !slices.Equal(now.Keys, was.Keys)
	return unique || otherKeys
}
