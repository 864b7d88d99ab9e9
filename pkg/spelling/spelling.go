// Package spelling finds the name that was meant by one that does not exist.
package spelling

import (
	"cmp"
	"slices"
	"strings"
)

// shortestPart is how much of a name must be typed before names that contain it are offered.
const shortestPart = 3

// How far apart a name and its beginning count, and a name and another part of it.
const (
	ofBeginning = 1
	ofPart      = 2
)

// Few is how many names are offered for one that does not exist.
const Few = 3

// Choose is the end of an error about a word that is none of a few: the nearest ones, or all where none is like it.
func Choose(typed string, all []string) string {
	if near := Nearest(typed, all, Few); typed != "" && len(near) > 0 {
		return Meant(near)
	}
	return ", use one of " + strings.Join(all, ", ")
}

// Meant is the end of an error about a name that does not exist: ", did you mean checks?"; empty where none is like it.
func Meant(near []string) string {
	if len(near) == 0 {
		return ""
	}
	last := len(near) - 1
	if last > 0 {
		return ", did you mean " + strings.Join(near[:last], ", ") + " or " + near[last] + "?"
	}
	return ", did you mean " + near[0] + "?"
}

// Near returns the names that are like a typed one, the nearest first, at most a number of them.
func Near(typed string, all []string, most int) []string {
	near := alike(typed, all)
	return near[:min(len(near), most)]
}

// Nearest returns the names that none is nearer to a typed one than, at most a number of them.
func Nearest(typed string, all []string, most int) []string {
	near := alike(typed, all)
	if len(near) == 0 {
		return nil
	}
	end := slices.IndexFunc(near, func(name string) bool { return apart(typed, name) > apart(typed, near[0]) })
	if end < 0 {
		end = len(near)
	}
	return near[:min(end, most)]
}

// alike returns the names that may be meant, the nearest first, each once: a third of the characters may be wrong, or missing.
func alike(typed string, all []string) []string {
	near := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return apart(typed, name) > max(1, len(typed)/3) && !partOf(typed, name)
	})
	slices.SortFunc(near, func(a, b string) int { return cmp.Or(cmp.Compare(apart(typed, a), apart(typed, b)), cmp.Compare(a, b)) })
	return slices.Compact(near)
}

// apart is how far a name is from what was typed: case is no difference, and a part of a name is near it.
func apart(typed, name string) int {
	typed, name = strings.ToLower(typed), strings.ToLower(name)
	d := distance(typed, name)
	switch {
	case !partOf(typed, name):
		return d
	case strings.HasPrefix(name, typed):
		return min(d, ofBeginning)
	}
	return min(d, ofPart)
}

// ofSlip is how many characters a slip of the pen changes.
const ofSlip = 2

// Slip reports whether one name is most likely meant by the other, so that it may be put in its place: few characters differ, or one is the
// other with something before or behind it. Names that are only alike, such as cache and archive, may each be meant.
func Slip(a, b string) bool {
	return partOf(a, b) || distance(strings.ToLower(a), strings.ToLower(b)) <= ofSlip
}

// partOf reports whether one contains the other.
func partOf(typed, name string) bool {
	typed, name = strings.ToLower(typed), strings.ToLower(name)
	return len(typed) >= shortestPart && (strings.Contains(name, typed) || strings.Contains(typed, name))
}

// distance returns how many characters must be added, dropped, changed or swapped with the next to make b of a (the optimal string
// alignment distance).
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, next[j]+1, row[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
