package check

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Commands returns what to do about a finding of the check, in order: what others cause is repaired there first.
func (c Check) Commands(f *Finding, x *Context) []Command {
	var out []Command
	if causes := f.causeChecks(); len(causes) > 0 {
		out = append(out, command.Do("repair %s first: it causes this", strings.Join(causes, " and ")))
	}
	if c.Next != nil {
		out = append(out, c.Next(f, x)...)
	}
	for i := range out {
		if x.Elsewhere && !command.Reads(out[i].Line) {
			out[i].Line = ""
		}
		out[i].Line = x.Asked.In(out[i].Line)
	}
	return out
}

// causeChecks are the checks whose findings explain this one; fingerprints begin with them.
func (f *Finding) causeChecks() []string {
	var out []string
	for _, name := range f.CausedBy {
		id, _, _ := strings.Cut(name, "-")
		if id = strings.ToUpper(id); id != f.Check && !slices.Contains(out, id) { // of its own check, it names the object below
			out = append(out, id)
		}
	}
	return out
}

// FirstOfMany reports whether the object of a finding stands for others of its kind, and not for its parts: applications that have
// something in common. Pods of one application are parts of it.
func (f *Finding) FirstOfMany() bool {
	return f.Cause != "" || f.Apps || f.Object.Kind != "Pod" && slices.ContainsFunc(f.Objects, func(o snapshot.Ref) bool {
		return o.Kind == f.Object.Kind && o.Key() != f.Object.Key()
	})
}

// Repair is the command by which the program repairs a finding, with the risk that it takes. A finding whose object is only the first of
// many is named by its fingerprint.
func (f *Finding) Repair(text string, flags ...string) Command {
	c := Command{Text: text}
	switch {
	case len(f.Fixes) == 0:
		return c
	case f.FirstOfMany():
		c = c.With("kubectl sparkdoctor fix %s", f.Fingerprint())
	case f.Object.Namespace == "":
		c = c.With("kubectl sparkdoctor fix %s", f.Check+"="+f.Object.Name)
	default:
		c = c.With("kubectl sparkdoctor fix %s", f.Check+"="+f.Object.Namespace+"/"+f.Object.Name)
	}
	risk := fix.Safe
	for _, intent := range f.Fixes {
		risk = max(risk, fix.TraitsOf(intent).Risk)
	}
	if risk > fix.Safe {
		flags = append(flags, "--max-risk "+risk.String())
	}
	if c.Line != "" && len(flags) > 0 {
		c.Line += " " + strings.Join(flags, " ")
	}
	return c
}

// First returns the first of the objects that a finding names which is of a kind.
func (f *Finding) First(kind string) (snapshot.Ref, bool) {
	all := slices.Concat([]snapshot.Ref{f.Object}, f.Related, f.Objects)
	i := slices.IndexFunc(all, func(r snapshot.Ref) bool { return r.Kind == kind })
	if i < 0 {
		return snapshot.Ref{}, false
	}
	return all[i], true
}

// Logs is the command that shows what a container logged; previous: before it was restarted.
func Logs(text string, pod snapshot.Ref, container string, previous bool) Command {
	c := Command{Text: text}.With("kubectl -n %s logs %s", pod.Namespace, pod.Name)
	if c.Line != "" && command.ForShell(container) {
		c.Line += " -c " + container
	}
	if c.Line != "" && previous {
		c.Line += " --previous"
	}
	return c
}

// Steps are the steps of a finding about an upgrade as commands.
func Steps(f *Finding, _ *Context) []Command {
	var out []Command
	for _, s := range f.Steps {
		out = append(out, Command{Text: s.Do, Line: s.Command})
	}
	return out
}
