package report

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// FixCommand is what repairs findings of one check, empty if nothing does. What was read from files may not be what the
// cluster of the current context has: of them it plans.
func (r *Report) FixCommand(items []Item) string {
	flags, fixable := fixFlags(items)
	line := "kubectl sparkdoctor fix " + items[0].Check + flags
	if !fixable || r.Sources[0].Type != "cluster" && !r.asked.Input.Plans(line) {
		return ""
	}
	if len(r.Sources) > 1 && slices.ContainsFunc(items, func(i Item) bool { return i.Source != items[0].Source }) {
		return line + " --context CONTEXT"
	}
	return r.saidAgain(line, &items[0])
}

// ExplainCommand is what explains a check: about the object of a finding, where that can be looked at again.
func (r *Report) ExplainCommand(item *Item) string {
	line, o := "kubectl sparkdoctor explain "+item.Check, item.Object
	if r.sourceOf(item).Type != "cluster" { // by the check alone: the files are to be named, too
		return r.saidAgain(line, item)
	}
	name := strings.ToLower(o.Kind) + "/" + o.Name
	if _, known := check.ParseObject(name, o.Namespace); !known || !command.ForShell(o.Name) {
		return r.saidAgain(line, item)
	}
	if o.Namespace != "" {
		name += " -n " + o.Namespace
	}
	return r.saidAgain(line+" "+name, item)
}

// saidAgain is a command with what the user asked for; of several clusters with that of the finding. Empty: not for a shell.
func (r *Report) saidAgain(line string, item *Item) string {
	asked := r.asked
	if len(r.Sources) > 1 {
		asked.Context = item.Source
		if !command.ForShell(asked.Context) {
			return ""
		}
	}
	return asked.In(line)
}

func (r *Report) sourceOf(item *Item) Source {
	i := slices.IndexFunc(r.Sources, func(s Source) bool { return s.Name == item.Source })
	if i < 0 {
		return Source{}
	}
	return r.Sources[i]
}

// fixFlags are those that a repair of findings of one check takes, by the least risk of any that is not blocked; not fixable if none has
// one.
func fixFlags(items []Item) (flags string, fixable bool) {
	least := fix.Destructive
	for _, item := range items {
		for _, f := range item.Fixes {
			var r fix.Risk
			if f.Blocked == "" && item.Suppression == nil && r.UnmarshalText([]byte(f.Risk)) == nil {
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
	text := f.Title + ": " + f.Risk + ", cannot be undone"
	if f.Undo == "exact" {
		text = f.Title + ": " + f.Risk + ", can be undone"
	}
	if f.Blocked != "" {
		text += "; fix refuses it: " + f.Blocked
	}
	return text
}
