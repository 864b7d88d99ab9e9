package report

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// FixCommand is what repairs findings of one check, empty if nothing does. What was read from files may not be what the
// cluster of the current context has.
func (r *Report) FixCommand(items []Item) string {
	flags, fixable := fixFlags(items)
	if !fixable || r.Sources[0].Type != "cluster" {
		return ""
	}
	if len(r.Sources) > 1 {
		if slices.ContainsFunc(items, func(i Item) bool { return i.Source != items[0].Source }) {
			return "kubectl sparkdoctor fix " + items[0].Check + flags + " --context CONTEXT"
		}
		if flags += " --context " + items[0].Source; Escape(flags) != flags || strings.ContainsAny(items[0].Source, " '\"$`\\;&|<>()*?!#~") {
			return "" // not to be copied into a shell
		}
	}
	return "kubectl sparkdoctor fix " + items[0].Check + flags
}

// fixFlags are those that a repair of findings of one check takes, by the least risk of any; not fixable if none has one.
func fixFlags(items []Item) (flags string, fixable bool) {
	least := fix.Destructive
	for _, item := range items {
		for _, f := range item.Fixes {
			var r fix.Risk
			if item.Suppression == nil && r.UnmarshalText([]byte(f.Risk)) == nil {
				least, fixable = min(least, r), true
			}
		}
	}
	if least == fix.Safe {
		return "", fixable
	}
	return " --max-risk " + least.String(), fixable
}

// Text says what a fix does and what it costs.
func (f Fix) Text() string {
	text := f.Title + ": " + f.Risk
	if f.Undo == "exact" {
		return text + ", can be undone"
	}
	return text + ", cannot be undone"
}
