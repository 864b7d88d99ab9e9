package installation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func knownDefects() check.Check {
	return check.Check{
		ID: "SD5009", Slug: "known-defects-of-release", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:    "the operator's release has a known defect that this cluster runs into",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.SparkConnects, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{Breaks: []check.Part{check.Release}},
		Requires:  []check.Requirement{facts.Controllers()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			k, newer := facts.Controllers().Of(p), ""
			for _, in := range k.List {
				if in.Controller.Replicas == 0 || !facts.Applied(&in.Controller.Object) {
					continue
				}
				if in.Newer() {
					newer = fmt.Sprintf("release %s is newer than what this build knows (%s)", in.Version, operator.Known())
					continue
				}
				a.Judged++
				var mine facts.Subjects
				for _, app := range list {
					if yes, known := in.Reconciles(app.Namespace, k.Namespaces[app.Namespace]); yes && known && in.Picks(app.Labels) &&
						!app.Terminating() {
						mine.Apps = append(mine.Apps, app)
					}
				}
				connects := p.SparkConnects()
				for i := range connects {
					c := &connects[i]
					if yes, known := in.Reconciles(c.Namespace, k.Namespaces[c.Namespace]); yes && known && !in.Down() &&
						c.Malformed == "" && !c.Terminating() {
						mine.Connects = append(mine.Connects, c)
					}
				}
				for _, d := range operator.DefectsOf(in.Judged()) {
					if d.Check != "" {
						continue // that finds what it did
					}
					if f, shows := facts.DefectOf(in, d, mine, p.Snapshot, p.Params); shows {
						f.Then(avoid(&f, in, &d)...)
						if f.Severity == check.Error && slices.Contains(endsController(), d.ID) {
							f.Breaks = []check.Part{check.ControllerStart}
						}
						a.Findings = append(a.Findings, f)
					}
				}
			}
			if a.Judged == 0 {
				a.NotApplicable = newer
			}
			return a
		},
	}
}

// avoid takes the release that mends a defect, or leaves out what triggers it: the first thing that the finding shows beside releases and
// what a status says.
func avoid(f *check.Finding, in *operator.Installation, d *operator.Defect) []check.Command {
	var out []check.Command
	or := ""
	if d.Mended() {
		up := command.Upgrade(in, d.Until, "")
		if named := d.FixedIn(); strings.HasPrefix(named, "chart ") {
			named, _, _ = strings.Cut(named, " (")
			up.Text = "upgrade to " + named + " or newer"
		}
		out, or = append(out, up), "or "
	}
	uses := slices.DeleteFunc(slices.Clone(f.Evidence[2:]), func(e check.Evidence) bool { return strings.HasPrefix(e.Field, "status.") })
	switch {
	case len(uses) == 0:
	case uses[0].Object.Kind == "Deployment":
		out = append(out, command.Do("%schange %s of %s, which triggers it", or, uses[0].Field, uses[0].Object.Name))
	case uses[0].Value == "not set":
		out = append(out, command.Do("%sset %s: it only shows without it", or, uses[0].Field))
	default:
		out = append(out, command.Do("%sstop using %s, which triggers it", or, uses[0].Field))
	}
	if len(out) == 0 {
		return []check.Command{command.Do("read what is known of the defect").With("kubectl sparkdoctor explain %s", "SD5009")}
	}
	return out
}

// endsController names the defects that end the controller's process, or keep it from starting. The panic is caught since
// controller-runtime v0.19, which came with 2.1.1 (go.mod@v2.1.0 and @v2.1.1).
func endsController() []string { return []string{"lock-identity-empty", "gang-of-unknown-size"} }
