package check

import (
	"fmt"
	"slices"
	"strings"
)

// Select returns the checks whose id or slug is in only (all if it is empty) and not in skip. A name that is no
// check is an error that suggests near ones.
func Select(all []Check, only, skip []string) ([]Check, error) {
	for _, name := range slices.Concat(only, skip) {
		if _, err := Lookup(all, name); err != nil {
			return nil, err
		}
	}
	var out []Check
	for _, c := range all {
		if len(only) > 0 && !slices.ContainsFunc(only, c.named) || slices.ContainsFunc(skip, c.named) {
			continue
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no check is left: every selected check is skipped")
	}
	return out, nil
}

// Lookup finds a check by id, in either case, or slug.
func Lookup(all []Check, name string) (Check, error) {
	for _, c := range all {
		if c.named(name) {
			return c, nil
		}
	}
	return Check{}, fmt.Errorf("unknown check %q%s", name, suggestion(all, name))
}

func (c Check) named(name string) bool {
	return strings.EqualFold(c.ID, name) || c.Slug == name
}

func suggestion(all []Check, name string) string {
	var near []string
	id, slug := strings.ToUpper(name), strings.ToLower(name)
	for _, c := range all {
		part := len(name) >= 3 && (strings.Contains(c.Slug, slug) || strings.HasPrefix(c.ID, id))
		if part || edits(c.ID, id) <= 1 || edits(c.Slug, slug) <= 3 {
			near = append(near, c.ID+" ("+c.Slug+")")
		}
	}
	if len(near) == 0 {
		return "; 'kubectl sparkdoctor checks' lists them"
	}
	return ", did you mean " + strings.Join(near, ", ") + "?"
}

// edits returns how many characters must be added, dropped or changed to make b of a.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
