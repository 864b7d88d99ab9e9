package check

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Command is command.Command.
type Command = command.Command

// Step is something to do about a finding.
type Step struct {
	When    When   // of an upgrade, before which all else is done
	Do      string // imperative, lower case
	Command string // to copy; empty: there is none
	If      Case   // in which it is said; zero: always
	// Manifest are what is done instead to a manifest that no API server has seen; none: the same.
	Manifest []string
	CRDs     bool // it applies the CRDs of an upgrade's target

	repair bool // Command are the flags of the repair, which the engine names
}

// Case is what becomes of a finding beside others.
type Case int

// The cases of a step. A finding is of one of the first two, and of one of the others.
const (
	Caused   Case = 1 << iota // findings of others explain it
	Uncaused                  // none does
	Single                    // it is about one object
	Many                      // it joins several, or names them
)

// Then adds what to do about the finding.
func (f *Finding) Then(list ...Command) { f.ThenIf(0, list...) }

// ThenIf adds what to do in a case only.
func (f *Finding) ThenIf(c Case, list ...Command) {
	for _, one := range list {
		f.Next = append(f.Next, Step{Do: one.Text, Command: one.Line, If: c})
	}
}

// ThenInManifest adds what to do about the finding, and what instead if its object is a manifest that no API server has seen, with
// command.Place and command.ApplyFile.
func (f *Finding) ThenInManifest(c Command, texts ...string) {
	f.Next = append(f.Next, Step{Do: c.Text, Command: c.Line, Manifest: texts})
}

// ApplyAgain is what remains to be done to a manifest whose object has to be created again, if a cluster has it.
const ApplyAgain = "if a cluster has it already, kubectl delete it there, then " + command.ApplyFile

// ThenRepair adds the command by which the program repairs the finding, with the risk that it takes.
func (f *Finding) ThenRepair(text string, flags ...string) { f.ThenRepairIf(0, text, flags...) }

// ThenRepairIf adds the same in a case only.
func (f *Finding) ThenRepairIf(c Case, text string, flags ...string) {
	f.Next = append(f.Next, Step{Do: text, Command: strings.Join(flags, " "), If: c, repair: true})
}

// is reports whether a finding is of a case.
func (f *Reported) is(c Case) bool {
	now := Uncaused | Single
	if len(f.CausedBy) > 0 {
		now ^= Uncaused | Caused
	}
	if len(f.Objects) > 1 {
		now ^= Single | Many
	}
	return c&^now == 0
}

// Commands returns what to do about a finding, in order: what others cause is repaired there first. asked is how the user named the
// cluster; elsewhere says that what was seen is not what the commands reach: files. Only what reads, or plans from them, is then a line to
// copy.
func (f *Reported) Commands(asked command.Asked, elsewhere bool) []Command {
	var out []Command
	for _, step := range f.Steps() {
		if written := elsewhere && f.Seen != nil && f.Seen.Written() && f.Seen.Location.File != ""; written && len(step.Manifest) > 0 {
			for _, text := range step.Manifest {
				out = append(out, Command{Text: text, InManifest: true})
			}
			continue
		}
		one := Command{Text: step.Do, Line: step.Command}
		if elsewhere && !command.Reads(one.Line) && !asked.Input.Plans(one.Line) {
			one.Line = ""
		}
		one.Line = asked.In(one.Line)
		out = append(out, one)
	}
	return out
}

// ByHand are the commands that are no repairs by the program.
func (f *Reported) ByHand(asked command.Asked) []Command {
	var out []Command
	for _, step := range f.Steps() {
		if !step.repair {
			out = append(out, Command{Text: step.Do, Line: asked.In(step.Command)})
		}
	}
	return out
}

// Steps are those of the case in which the finding is, behind the repair of what causes it.
func (f *Reported) Steps() []Step {
	var out []Step
	if causes := f.causeChecks(); len(causes) > 0 {
		out = append(out, Step{Do: "repair " + strings.Join(causes, " and ") + " first: it causes this"})
	}
	for _, step := range f.Next {
		switch {
		case !f.is(step.If):
		case step.repair:
			one := f.repair(step.Do, step.Command)
			out = append(out, Step{Do: one.Text, Command: one.Line, repair: true})
		default:
			out = append(out, step)
		}
	}
	return out
}

// causeChecks are the checks whose findings explain this one; fingerprints begin with them.
func (f *Reported) causeChecks() []string {
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
func (f *Reported) FirstOfMany() bool {
	if f.Cause != "" || f.Apps {
		return true
	}
	return f.Object.Kind != "Pod" && slices.ContainsFunc(f.Objects, func(o snapshot.Ref) bool {
		return o.Kind == f.Object.Kind && o.Key() != f.Object.Key()
	})
}

// Allowed are the repairs of a finding that fix would plan, and why it refuses the first of them where it refuses all.
func (f *Reported) Allowed() (list []fix.Intent, refused *fix.Refused) {
	for i, intent := range f.Fixes {
		switch {
		case i >= len(f.Barred) || f.Barred[i] == nil:
			list = append(list, intent)
		case refused == nil:
			refused = f.Barred[i]
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	return nil, refused
}

// repair is the command by which the program repairs a finding, with the risk that it takes. A finding whose object is only the first of
// many is named by its fingerprint. What fix would refuse is no command.
func (f *Reported) repair(text, flags string) Command {
	list, refused := f.Allowed()
	risk := fix.Safe
	for _, intent := range f.Fixes {
		risk = max(risk, fix.TraitsOf(intent).Risk)
	}
	if risk > fix.Safe {
		text += " (" + risk.String() + ")"
	}
	c := Command{Text: text}
	switch {
	case refused != nil:
		c.Text += "; fix refuses it: " + refused.Text()
		return c
	case len(list) == 0:
		return c
	case f.FirstOfMany():
		c = c.With("kubectl sparkdoctor fix %s", f.Fingerprint())
	case f.Object.Namespace == "":
		c = c.With("kubectl sparkdoctor fix %s", f.Check+"="+f.Object.Name)
	default:
		c = c.With("kubectl sparkdoctor fix %s", f.Check+"="+f.Object.Namespace+"/"+f.Object.Name)
	}
	if risk > fix.Safe {
		flags = strings.TrimSpace(flags + " --max-risk " + risk.String())
	}
	if c.Line != "" && flags != "" {
		c.Line += " " + flags
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
