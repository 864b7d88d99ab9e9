// Package runbook puts into order what an upgrade of the operator takes: what findings ask for, what its hops have, and what every
// upgrade has.
package runbook

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Task is a step of an upgrade's runbook: one that findings ask for, one that a hop has, or one that every upgrade has.
type Task struct {
	When     check.When
	Do       string           // imperative, lower case
	Because  string           // a fact: what the first finding says, or why every upgrade needs it
	Check    string           // that asks for it; empty: every upgrade does
	Hop      operator.Version // zero: it belongs to no one hop
	Objects  []snapshot.Ref   // that it is about
	Lines    []string         // to write into a file, which the first one names
	Commands []string         // to copy, in order
	CRDs     bool             // it applies those of the target
}

// Of is what to do about an upgrade, in order: before it, during it, after it; at each time what findings ask for, in
// order of hop and check, then what the hops have. What somebody accepts asks for nothing. During an upgrade the old release
// is stopped and the CRDs are applied first, so that what a finding asks for comes right before the release changes.
func Of(u *check.Upgrade, results []check.Result) []Task {
	if u.Applications {
		return ofApplications(u, results)
	}
	during, others := noted(u)
	findings := asked(u, results)
	var tasks []Task
	if u.To.Unreleased {
		tasks = slices.Concat(during, findings, others, []Task{unreleased()})
	} else {
		first, last := usual(u)
		tasks = slices.Concat(first, during, crds(u, findings), findings, others, last)
	}
	slices.SortStableFunc(tasks, func(a, b Task) int { return cmp.Compare(a.When, b.When) })
	return once(tasks)
}

// unreleased takes the place of all steps that install a release: there is none, no chart and no tag.
func unreleased() Task {
	return Task{
		When: check.Before, Do: "wait for the release, and run gate again with a build of sparkdoctor that knows it",
		Because: operator.NextText() + " is no release: its chart and image are not published, and it may change",
	}
}

// ofApplications is what concerns those who write applications: the operator is upgraded by others, elsewhere.
func ofApplications(u *check.Upgrade, results []check.Result) []Task {
	tasks := slices.DeleteFunc(asked(u, results), func(t Task) bool { return t.CRDs })
	for _, n := range operator.NotesOf(u.From, u.To) {
		if n.Clients {
			tasks = append(tasks, note(u, n))
		}
	}
	if u.To.Unreleased {
		tasks = append(tasks, unreleased())
	}
	slices.SortStableFunc(tasks, func(a, b Task) int { return cmp.Compare(a.When, b.When) })
	return once(tasks)
}

// once leaves out commands that an earlier step of the same time has.
func once(tasks []Task) []Task {
	type line struct {
		when check.When
		text string
	}
	seen := map[line]bool{}
	for i := range tasks {
		var kept []string
		for _, c := range tasks[i].Commands {
			if key := (line{tasks[i].When, c}); !seen[key] {
				seen[key] = true
				kept = append(kept, c)
			}
		}
		tasks[i].Commands = kept
	}
	return tasks
}

// asked are the steps of findings. Findings of one check that ask for the same share a task.
func asked(u *check.Upgrade, results []check.Result) []Task {
	var out []Task
	for i := range results {
		c := results[i].Check
		for j := range results[i].Findings {
			f := &results[i].Findings[j]
			if f.Suppressed != nil {
				continue
			}
			because := f.Message
			if c.Worse != "" {
				because += "; " + c.Worse
			}
			for _, step := range f.Steps() {
				out = addTask(out, Task{When: step.When, Do: step.Do, Because: because, Check: c.ID, Hop: f.Hop, CRDs: step.CRDs}, f, step.Command)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Task) int {
		return cmp.Or(slices.Index(u.Hops, a.Hop)-slices.Index(u.Hops, b.Hop), cmp.Compare(a.Check, b.Check))
	})
	return out
}

func addTask(list []Task, t Task, f *check.Reported, command string) []Task {
	i := slices.IndexFunc(list, func(o Task) bool {
		return o.When == t.When && o.Check == t.Check && o.Do == t.Do && o.Hop == t.Hop
	})
	if i < 0 {
		list, i = append(list, t), len(list)
	}
	objects := f.Objects
	if len(objects) == 0 {
		objects = []snapshot.Ref{f.Object}
	}
	for _, o := range objects {
		if !slices.Contains(list[i].Objects, o) {
			list[i].Objects = append(list[i].Objects, o)
		}
	}
	if command != "" && !slices.Contains(list[i].Commands, command) {
		list[i].Commands = append(list[i].Commands, command)
	}
	return list
}

// noted is what the hops have that nothing in the cluster shows.
func noted(u *check.Upgrade) (during, others []Task) {
	for _, n := range operator.NotesOf(u.From, u.To) {
		t := note(u, n)
		if t.When == check.During {
			during = append(during, t)
		} else {
			others = append(others, t)
		}
	}
	return during, others
}

// note is the step of a note.
func note(u *check.Upgrade, n operator.Note) Task {
	t := Task{When: n.When, Do: n.Do, Because: n.Since.String() + " " + n.Why, Commands: nonEmpty(noteCommand(u, n))}
	t.Hop, _ = u.Brings(n.Since)
	return t
}

// noteCommand is the command of a note, if all that it names is known and harmless: Deployments are named one by one, since other
// Deployments have their labels as well where an umbrella chart installed them.
func noteCommand(u *check.Upgrade, n operator.Note) string {
	blanks := []string{"from", u.Installed().ChartOrApplication(), "to", u.To.String()}
	if !u.To.Unreleased {
		blanks = append(blanks, "chart", u.To.String())
	}
	if in := u.Installation; in != nil && command.ForShell(in.Namespace) {
		var names []string
		for _, d := range in.Deployments() {
			names = append(names, d.Name)
		}
		if !slices.ContainsFunc(names, func(name string) bool { return !command.ForShell(name) }) {
			blanks = append(blanks, "namespace", in.Namespace, "deployments", strings.Join(names, " "))
		}
	}
	command := n.Fill(blanks...)
	if strings.Contains(command, "{") {
		return ""
	}
	return command
}

func nonEmpty(commands ...string) []string {
	return slices.DeleteFunc(commands, func(c string) bool { return c == "" })
}
