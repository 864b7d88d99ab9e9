package main

import (
	"fmt"
	"slices"
	"strings"
)

// entry is one fact of an output: a line that names it, and lines below with what belongs to it.
type entry struct {
	name   string // unique in an output, and the same in another output about the same
	says   string
	fields []field
}

// field is a line of an entry. Several may have one label.
type field struct{ label, value string }

func (e *entry) add(label string, values ...string) {
	for _, v := range values {
		if v != "" {
			e.fields = append(e.fields, field{label, v})
		}
	}
}

func (e entry) line() string {
	if e.says == "" {
		return e.name
	}
	return e.name + ": " + e.says
}

// values are the fields of one label.
func (e entry) values(label string) []string {
	var list []string
	for _, f := range e.fields {
		if f.label == label {
			list = append(list, f.value)
		}
	}
	return list
}

// whole writes all entries.
func whole(list []entry) string {
	var b strings.Builder
	for _, e := range list {
		writeEntry(&b, e.line(), e.fields)
	}
	return b.String()
}

// since writes what an output says in another way than an earlier one, and the names of what it does not say. It returns nothing where
// both say the same.
func since(list []entry, name string, earlier []entry) string {
	var b strings.Builder
	index := byName(list)
	known := byName(earlier)
	for _, e := range list {
		if o, seen := known[e.name]; !seen {
			writeEntry(&b, e.line(), e.fields)
		} else if !e.equal(o) {
			writeEntry(&b, e.line()+" (else as "+name+")", differing(e, o))
		}
	}
	for _, o := range earlier {
		if _, said := index[o.name]; !said {
			writeEntry(&b, "without "+o.name, nil)
		}
	}
	return b.String()
}

// beside writes all that an output says, in short where another one says the same.
func beside(list []entry, name string, other []entry) string {
	var b strings.Builder
	known := byName(other)
	for _, e := range list {
		o, seen := known[e.name]
		switch {
		case !seen:
			writeEntry(&b, e.line(), e.fields)
		case e.equal(o):
			writeEntry(&b, e.line()+" (as "+name+")", nil)
		default:
			writeEntry(&b, e.line()+" (else as "+name+")", differing(e, o))
		}
	}
	return b.String()
}

func byName(list []entry) map[string]entry {
	index := map[string]entry{}
	for _, e := range list {
		index[e.name] = e
	}
	return index
}

func (e entry) equal(o entry) bool {
	return e.name == o.name && e.says == o.says && slices.Equal(e.fields, o.fields)
}

// differing are the fields of an entry whose label has other values in another entry; "none" stands for a label that is only there.
func differing(e, other entry) []field {
	var list []field
	for _, f := range e.fields {
		if !slices.Equal(e.values(f.label), other.values(f.label)) {
			list = append(list, f)
		}
	}
	gone := map[string]bool{}
	for _, f := range other.fields {
		if !gone[f.label] && len(e.values(f.label)) == 0 {
			gone[f.label] = true
			list = append(list, field{f.label, "none"})
		}
	}
	return list
}

func writeEntry(b *strings.Builder, line string, fields []field) {
	fmt.Fprintf(b, "  %s\n", singleLine(line))
	for _, f := range fields {
		fmt.Fprintf(b, "    %s: %s\n", f.label, singleLine(f.value))
	}
}

func singleLine(text string) string { return strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(text) }

// cut shortens a value to a length at which a line stays readable.
func cut(text string, length int) string {
	runes := []rune(text)
	if len(runes) <= length {
		return text
	}
	return fmt.Sprintf("%s… (%d characters)", string(runes[:length]), len(runes))
}

// joined appends an entry, or only a further name to the one that says the same.
func joined(list []entry, e entry, name string) []entry {
	i := slices.IndexFunc(list, func(o entry) bool { return o.says == e.says && slices.Equal(o.fields, e.fields) })
	if i < 0 {
		return append(list, e)
	}
	list[i].name += name
	return list
}

// unique numbers what has the name of something before it.
func unique(seen map[string]int, name string) string {
	seen[name]++
	if n := seen[name]; n > 1 {
		return fmt.Sprintf("%s #%d", name, n)
	}
	return name
}
