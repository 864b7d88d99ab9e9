package checks

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Task is a step of an upgrade's runbook: one that findings ask for, or one that every upgrade has.
type Task struct {
	When     When
	Do       string           // imperative, lower case
	Because  string           // a fact: what the first finding says, or why every upgrade needs it
	Check    string           // that asks for it; empty: every upgrade does
	Hop      operator.Version // zero: it belongs to no one hop
	Objects  []snapshot.Ref   // that it is about
	Commands []string         // to copy, in order
}

// Runbook is what to do about an upgrade, in order: before it, during it, after it; at each time in order of hop, then
// of check. What somebody accepts asks for nothing.
func Runbook(u *Upgrade, results []Result) []Task {
	findings := asked(u, results)
	tasks := slices.Concat(opening(u), findings, closing(u, findings))
	slices.SortStableFunc(tasks, func(a, b Task) int { return cmp.Compare(a.When, b.When) })
	return tasks
}

// asked are the steps of findings. Findings of one check that ask for the same share a task.
func asked(u *Upgrade, results []Result) []Task {
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
			for _, step := range stepsOf(c, f) {
				out = addTask(out, Task{When: step.When, Do: step.Do, Because: because, Check: c.ID, Hop: f.Hop}, f, step.Command)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Task) int {
		return cmp.Or(slices.Index(u.Hops, a.Hop)-slices.Index(u.Hops, b.Hop), cmp.Compare(a.Check, b.Check))
	})
	return out
}

// stepsOf are the steps of a finding; of an area below 7, what its check says to do next.
func stepsOf(c Check, f *Finding) []Step {
	if len(f.Steps) > 0 || c.OfUpgrade() {
		return f.Steps
	}
	return []Step{{When: Before, Do: c.Next}}
}

func addTask(list []Task, t Task, f *Finding, command string) []Task {
	i := slices.IndexFunc(list, func(o Task) bool {
		return o.When == t.When && o.Check == t.Check && o.Do == t.Do && o.Hop == t.Hop
	})
	if i < 0 {
		list, i = append(list, t), len(list)
	}
	if !slices.Contains(list[i].Objects, f.Object) {
		list[i].Objects = append(list[i].Objects, f.Object)
	}
	if command != "" && !slices.Contains(list[i].Commands, command) {
		list[i].Commands = append(list[i].Commands, command)
	}
	return list
}

// opening are the first steps of every upgrade.
func opening(u *Upgrade) []Task {
	return []Task{{
		When: Before, Do: "keep what is there now, to compare with", Because: "what is new afterwards came with the upgrade",
		Commands: []string{"kubectl sparkdoctor scan --fail-on none -o json=before.json", "kubectl sparkdoctor snapshot -o before.tar.gz"},
	}}
}

// closing are the last steps: the CRDs unless a finding asks for them, the upgrade itself, and a look at what came of it.
func closing(u *Upgrade, asked []Task) []Task {
	release, namespace := "spark-operator", "spark-operator"
	if in := u.Installation; in != nil {
		release, namespace = helmRelease(in), in.Namespace
	}
	helm := commandf("helm upgrade %s spark-operator/spark-operator --version %s -n %s -f values.yaml", release, u.To.String(), namespace)
	out := []Task{
		{When: During, Do: "upgrade the release", Because: "both Deployments roll to the new image", Commands: nonEmpty(helm)},
		{
			When: After, Do: "wait until nothing is wrong that was not before", Because: "the rollout, the certificate and the first runs take a moment",
			Commands: []string{"kubectl sparkdoctor scan --baseline before.json --until=clean --timeout 15m"},
		},
	}
	if slices.ContainsFunc(asked, func(t Task) bool { return t.Check == crdsNotUpgradedID }) {
		return out
	}
	crds := applyCRDs(u)
	return slices.Insert(out, 0, Task{When: crds.When, Do: crds.Do, Because: "Helm creates CRDs and never changes them", Commands: []string{crds.Command}})
}

func nonEmpty(commands ...string) []string {
	return slices.DeleteFunc(commands, func(c string) bool { return c == "" })
}
