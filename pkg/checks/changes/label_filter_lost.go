package changes

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func labelFilterLost() check.Check {
	return check.Check{
		ID: "SD7022", Slug: "label-filter-lost", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:    "the operator leaves out applications by label today, and the target will not",
		Unscoped: true,
		Gate:     check.Gate{Break: operator.Version{Major: 2}},
		Needs:    upgrade.RunsNeeds(snapshot.Everywhere),
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			u, in := p.Upgrade, upgrade.Installed(p)
			list, unjudged := upgrade.Runs(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			if in == nil {
				a.Unjudged = append(a.Unjudged, "whether applications are left out by label now, since no operator was seen")
				return a
			}
			a.Judged++
			if in.LabelFilter() == "" {
				return a
			}
			coming, seen := u.Coming(), facts.Controllers().Of(p).Namespaces
			var taken []*snapshot.SparkApplication
			for _, app := range list {
				if in.Picks(app.Labels) || app.Terminating() || app.Ended() || !in.Watches(app.Namespace) {
					continue
				}
				if coming != nil {
					if yes, known := coming.Told(app.Namespace, seen[app.Namespace]); known && !yes {
						continue
					}
				}
				taken = append(taken, app)
			}
			a.Findings = []check.Finding{filterIgnored(p, u, in, taken)}
			if coming == nil && len(taken) > 0 {
				a.DependsOn("whether the target runs applications that the filter leaves out", "spark.jobNamespaces")
			}
			return a
		},
	}
}

// filterIgnored: no release of 2.x has a flag in its place (main.go@v1beta2-1.6.2-3.5.0, cmd/operator/controller/start.go@v2.0.0 to
// @v2.5.2). The controllers of two releases compete for different leases, so that both submit.
func filterIgnored(p *check.Pass, u *check.Upgrade, in *operator.Installation, taken []*snapshot.SparkApplication) check.Finding {
	d := in.Controller
	f := check.Finding{
		About: check.Of(d), Severity: check.Warning, Field: "spec.template.spec.containers",
		Message:  fmt.Sprintf("operator %s has no label filter: it runs every application of its namespaces, whatever its labels", u.To),
		Evidence: []check.Evidence{{Object: d.Ref, Field: "-label-selector-filter", Value: in.LabelFilter()}},
		Next: []check.Step{{When: check.Before,
			Do: "give each operator namespaces of its own with spark.jobNamespaces, and move the applications that the filter leaves out"}},
	}
	f.Hop, _ = u.Restarts()
	if len(taken) == 0 {
		return f
	}
	for i, app := range taken {
		f.Related = append(f.Related, app.Ref)
		if i < facts.ShownApps {
			f.Saw(app.Ref, "metadata.labels", "not matched by the filter")
		}
	}
	what := "which this operator leaves out today"
	if other := anotherFor(facts.Installations().Of(p), in, taken); other != nil {
		f.Related = append(f.Related, other.Controller.Ref)
		what = fmt.Sprintf("which %s/%s runs, so that both submit them", other.Controller.Namespace, other.Controller.Name)
	}
	f.Message = fmt.Sprintf("operator %s has no label filter: it will also run %s such as %s/%s, %s", u.To,
		facts.RunsText(f.Related[:len(taken)]), taken[0].Namespace, taken[0].Name, what)
	if u.Coming() == nil {
		f.Certainty = check.Likely
	} else {
		f.Severity = check.Error
	}
	return f
}

// anotherFor returns another operator that looks after one of the applications.
func anotherFor(found []operator.Installation, in *operator.Installation, list []*snapshot.SparkApplication) *operator.Installation {
	for i := range found {
		o := &found[i]
		if o.Controller != nil && o.Controller.Ref != in.Controller.Ref &&
			slices.ContainsFunc(list, func(app *snapshot.SparkApplication) bool { return facts.LooksAfter(o, app) }) {
			return o
		}
	}
	return nil
}
