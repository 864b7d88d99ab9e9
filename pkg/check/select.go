package check

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// Select returns the checks that a name in only means (all if it is empty) and none in skip: see Matching. A name that means no
// check is an error that suggests near ones.
func Select(all []Check, only, skip []string) ([]Check, error) {
	for _, name := range slices.Concat(only, skip) {
		if _, err := Matching(all, name); err != nil {
			return nil, err
		}
	}
	var out []Check
	for _, c := range all {
		if len(only) > 0 && !slices.ContainsFunc(only, c.Matches) || slices.ContainsFunc(skip, c.Matches) {
			continue
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no check is left: every selected check is skipped")
	}
	return out, nil
}

// Areas are the names of the areas of checks, by the first digit of their ids.
func Areas() []string {
	return []string{"suppression", "webhook", "ownership", "size", "pods", "installation", "lifecycle", "upgrade", "failures", "connect"}
}

// Area is the name of the area that the check is in.
func (c Check) Area() string {
	if digit := int(c.ID[len("SD")] - '0'); digit >= 0 && digit < len(Areas()) {
		return Areas()[digit]
	}
	return ""
}

// Matching returns the checks that a name means: one by id, in either case, or slug; those that match a pattern of path.Match, as
// SD2* or *-finalizer; or those of an area.
func Matching(all []Check, name string) ([]Check, error) {
	var out []Check
	for _, c := range all {
		if c.Matches(name) {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if slices.Contains(Areas(), name) || strings.ContainsAny(name, "*?[") {
		return nil, fmt.Errorf("no check matches %q; 'kubectl sparkdoctor checks' lists them", name)
	}
	return nil, fmt.Errorf("unknown check %q%s", name, suggestion(all, name, Areas()...))
}

// Matches reports whether a name means the check: see Matching.
func (c Check) Matches(name string) bool {
	byID, _ := path.Match(strings.ToUpper(name), c.ID) // a bad pattern matches nothing
	bySlug, _ := path.Match(name, c.Slug)
	return c.named(name) || byID || bySlug || c.Area() == name
}

// Holding returns the checks that a search for some words finds. Each of these must begin a word, in either case, of the check's id, slug,
// title, area or symptom; symptom returns that of a check. Without words it returns all checks.
func Holding(all []Check, words []string, symptom func(id string) string) []Check {
	asked := strings.Fields(strings.ToLower(strings.Join(words, " ")))
	return slices.DeleteFunc(slices.Clone(all), func(c Check) bool {
		if len(asked) == 0 {
			return false
		}
		text := strings.ToLower(strings.Join([]string{c.ID, c.Slug, c.Title, c.Area(), symptom(c.ID)}, " "))
		held := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' })
		for _, part := range held {
			held = append(held, strings.Split(part, "-")...)
		}
		return slices.ContainsFunc(asked, func(word string) bool {
			return !slices.ContainsFunc(held, func(one string) bool { return strings.HasPrefix(one, word) })
		})
	})
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
	former := c.Former != "" && c.Former == name
	return strings.EqualFold(c.ID, name) || c.Slug == name || former
}

// suggestion offers checks, and other names that can stand in the place of one.
func suggestion(all []Check, name string, others ...string) string {
	names := slices.Clone(others)
	for _, c := range all {
		names = append(names, c.ID, c.Slug)
	}
	var near []string
	for _, known := range spelling.Nearest(name, names, spelling.Few) {
		if slices.Contains(others, known) {
			near = append(near, known)
			continue
		}
		c, _ := Lookup(all, known)
		near = append(near, c.ID+" ("+c.Slug+")")
	}
	if len(near) == 0 {
		return "; 'kubectl sparkdoctor checks' lists them"
	}
	return spelling.Meant(near)
}
