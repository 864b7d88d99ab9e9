package changes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func featuresLost() check.Check {
	return check.Check{
		ID: "SD7023", Slug: "features-lost", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title:    "the target switches off batch scheduling or the Ingress of UIs, or rejects a batch scheduler that applications name",
		Unscoped: true,
		Needs: append(upgrade.RunsNeeds(snapshot.Everywhere),
			snapshot.Need{View: snapshot.Deployments, Role: snapshot.Consulted, Scope: snapshot.Everywhere}),
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			u, in := p.Upgrade, upgrade.Installed(p)
			list, unjudged := upgrade.Runs(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			if in == nil {
				a.Unjudged = append(a.Unjudged, "which features are on now, since no operator was seen")
				return a
			}
			a.Judged++
			var mine []*snapshot.SparkApplication
			for _, app := range list {
				if facts.LooksAfter(in, app) && !app.Terminating() && !app.Ended() {
					mine = append(mine, app)
				}
			}
			a.Findings = append(schedulersLost(u, in, mine), ingressLost(u, in, mine)...)
			return a
		},
	}
}

// flagsAfter returns the flags to come; kept: they are those of now. Values of 1.x do not carry over to 2.x, whose defaults switch both off
// (controller.batchScheduler.enable and controller.uiIngress.enable in charts/spark-operator-chart/values.yaml@v2.0.0 to @v2.5.2).
func flagsAfter(u *check.Upgrade, in *operator.Installation) (to *operator.Installation, kept bool) {
	if coming := u.Coming(); coming != nil {
		return coming, false
	}
	if _, restarts := u.Restarts(); restarts {
		return &operator.Installation{}, false
	}
	return in, true
}

// schedulersLost groups the applications by the scheduler that they name, or the default names.
func schedulersLost(u *check.Upgrade, in *operator.Installation, mine []*snapshot.SparkApplication) []check.Finding {
	now := in.BatchSchedulers()
	if !now.Enabled {
		return nil
	}
	to, kept := flagsAfter(u, in)
	then := to.BatchSchedulers()
	byName := map[string][]*snapshot.SparkApplication{}
	for _, app := range mine {
		if name := cmp.Or(spark.BatchScheduler(app), then.Default, now.Default); name != "" {
			byName[name] = append(byName[name], app)
		}
	}
	var out []check.Finding
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		f := featureLost(u, in, byName[name], "spec.batchScheduler", name)
		switch {
		case !then.Enabled:
			f.Severity = check.Warning
			f.Kind = "batch"
			f.What = name
			f.Message = fmt.Sprintf("batch scheduling will be off in %s: the pods of %s are no longer scheduled as a gang by %s", u.To,
				facts.RunsText(f.Related), name)
			f.Saw(in.Controller.Ref, "-enable-batch-scheduler", "true")
			f.Next = []check.Step{{When: check.Before, Do: "set controller.batchScheduler.enable=true in the values"}}
		case !then.Knows(name) && operator.RefusesSchedulers(u.To) && !operator.RefusesSchedulers(u.From):
			f.Severity = check.Error
			f.Kind = "scheduler"
			f.What = name
			f.Hop = u.FirstHop(operator.RefusesSchedulers)
			f.Message = fmt.Sprintf("operator %s will fail every submission of %s: it knows no batch scheduler %q, which %s ignores", u.To,
				facts.RunsText(f.Related), name, u.Installed())
			f.Saw(in.Controller.Ref, "--kube-scheduler-names", cmp.Or(strings.Join(then.Names, ","), "not set"))
			f.Next = []check.Step{{When: check.Before,
				Do: "add " + name + " to controller.batchScheduler.kubeSchedulerNames in the values, or take spec.batchScheduler out of the " +
					"applications"}}
			f.Certainty = check.Proven
			if kept {
				f.Certainty = check.Likely
			}
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

// ingressLost is about the Ingresses of UIs, which are made where there is a format.
func ingressLost(u *check.Upgrade, in *operator.Installation, mine []*snapshot.SparkApplication) []check.Finding {
	to, kept := flagsAfter(u, in)
	format := in.IngressFormat()
	if kept || format == "" || to.IngressFormat() != "" || len(mine) == 0 {
		return nil
	}
	f := featureLost(u, in, mine, "metadata.name", "")
	f.Severity, f.Kind = check.Warning, "ingress"
	f.Message = fmt.Sprintf("operator %s will make no Ingress for the UI of %s: it was given no --ingress-url-format", u.To,
		facts.RunsText(f.Related))
	f.Evidence = []check.Evidence{{Object: in.Controller.Ref, Field: "--ingress-url-format", Value: format}}
	f.Next = []check.Step{{When: check.Before, Do: "set controller.uiIngress.enable and controller.uiIngress.urlFormat in the values"}}
	return []check.Finding{f}
}

// featureLost starts a finding.
func featureLost(u *check.Upgrade, in *operator.Installation, using []*snapshot.SparkApplication, field, value string) check.Finding {
	d := in.Controller
	f := check.Finding{About: check.Of(d), Field: "spec.template.spec.containers"}
	if u.Coming() == nil {
		f.Certainty = check.Likely
		f.Hop, _ = u.Restarts()
	}
	for i, app := range using {
		f.Related = append(f.Related, app.Ref)
		if i < facts.ShownApps {
			f.Saw(app.Ref, app.Path(field), value)
		}
	}
	return f
}
