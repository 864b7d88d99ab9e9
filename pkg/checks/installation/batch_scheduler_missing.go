package installation

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func batchSchedulerMissing() check.Check {
	return check.Check{
		ID: "SD5010", Slug: "batch-scheduler-missing", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:    "applications use a batch scheduler that their operator does not serve",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.VolcanoPodGroups, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			{View: snapshot.SchedulerPodGroups, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			absent := func(v check.View) bool { return len(p.Dependents(v)) == 0 && p.Coverage(v).State == snapshot.NotServed }
			noVolcano, noPlugins := absent(snapshot.VolcanoPodGroups), absent(snapshot.SchedulerPodGroups)
			installations := facts.Installations().Of(p)
			for i := range installations {
				in := &installations[i]
				if !in.ScaledUp() {
					continue
				}
				if slices.ContainsFunc(list, func(app *snapshot.SparkApplication) bool { return facts.LooksAfter(in, app) }) {
					a.Judged++
				}
				for _, asked := range schedulersAsked(in, list) {
					if gap := gapOf(in, asked.name, noVolcano, noPlugins); gap.text != "" {
						a.Findings = append(a.Findings, withoutScheduler(in, asked, gap))
					}
				}
			}
			return a
		},
	}
}

// askedScheduler is a scheduler and the applications for which an installation should use it.
type askedScheduler struct {
	name string
	apps []*snapshot.SparkApplication
}

// schedulersAsked groups the applications that have not ended by the scheduler that they name, or the operator's default.
func schedulersAsked(in *operator.Installation, list []*snapshot.SparkApplication) []askedScheduler {
	var out []askedScheduler
	byDefault := in.BatchSchedulers().Default
	for _, app := range list {
		name := cmp.Or(spark.BatchScheduler(app), byDefault)
		if name == "" || app.Terminating() || app.Ended() || !in.Watches(app.Namespace) || !in.Picks(app.Labels) {
			continue
		}
		i := slices.IndexFunc(out, func(a askedScheduler) bool { return a.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, askedScheduler{name: name})
		}
		out[i].apps = append(out[i].apps, app)
	}
	slices.SortFunc(out, func(a, b askedScheduler) int { return cmp.Compare(a.name, b.name) })
	return out
}

// schedulerGap is what keeps an operator from using a scheduler, and whether it then refuses the application.
type schedulerGap struct {
	text, what string
	refuses    bool
}

// gapOf compares what is asked for with flags and CRDs. Up to 2.4.0 the operator logs what it cannot get and goes on
// without; since 2.5.0 the submission fails (shouldDoBatchScheduling, internal/controller/sparkapplication/
// controller.go@v2.4.0 and @v2.5.0). Where batch scheduling is off, the field is passed over in every release.
func gapOf(in *operator.Installation, name string, noVolcano, noPlugins bool) schedulerGap {
	have, strict := in.BatchSchedulers(), in.Facts().RefusesSchedulers
	switch {
	case !have.Enabled:
		return schedulerGap{"was started without --enable-batch-scheduler", "off", false}
	case in.Legacy():
		return schedulerGap{} // what else 1.x knows is not looked at
	case !have.Knows(name):
		return schedulerGap{fmt.Sprintf("does not know scheduler %q (--kube-scheduler-names)", name), "unknown", strict}
	case name == operator.Volcano && noVolcano:
		return schedulerGap{"does not find CRD podgroups.scheduling.volcano.sh", "volcano", strict}
	case name != operator.Volcano && name != operator.YuniKorn && noPlugins:
		return schedulerGap{"does not find CRD podgroups.scheduling.x-k8s.io", "plugins", true}
	default:
		return schedulerGap{}
	}
}

// fill gives the operator the scheduler.
func (g schedulerGap) fill(in *operator.Installation, name string) check.Command {
	switch {
	case g.what == "off" && (name == operator.Volcano || name == operator.YuniKorn):
		return command.Set(in, command.BatchScheduler(in)...)
	case g.what == "off":
		return command.Set(in, command.BatchScheduler(in, name)...)
	case g.what == "unknown":
		names := append(slices.Clone(in.BatchSchedulers().Names), name)
		return command.Set(in, command.BatchScheduler(in, names...)[1:]...)
	default:
		return command.Do("install scheduler %s with its CRDs", name)
	}
}

func withoutScheduler(in *operator.Installation, asked askedScheduler, gap schedulerGap) check.Finding {
	d := in.Controller
	f := check.Finding{
		About: check.Of(d), Severity: check.Warning, Certainty: facts.VersionCertainty(in),
		Field: "spec.template.spec.containers", Identity: check.Identity{What: gap.what + " " + asked.name},
		Evidence: []check.Evidence{{Object: d.Ref, Field: "version", Value: in.Stated}},
	}
	f.Then(gap.fill(in, asked.name), command.Do("or remove spec.batchScheduler from the applications"))
	so := "the default scheduler places the pods one by one"
	switch {
	case gap.refuses:
		f.Severity, so = check.Error, "the submission fails"
	case in.Webhook != nil && spark.BatchScheduler(asked.apps[0]) != "":
		// The webhook names the scheduler in the pods, whatever the controller's flags say (addSchedulerName in
		// internal/webhook/sparkpod_defaulter.go@v2.5.2, and in pkg/webhook/patch.go@v1beta2-1.6.2-3.5.0).
		so = fmt.Sprintf("%s schedules the pods one by one, not as a gang; they stay Pending if it does not run", asked.name)
	}
	for i, app := range asked.apps {
		f.Related = append(f.Related, app.Ref)
		if i < facts.ShownApps {
			f.Saw(app.Ref, "spec.batchScheduler", cmp.Or(spark.BatchScheduler(app), "not set"))
		}
	}
	f.Message = fmt.Sprintf("operator %s %s, which %s: %s", in.Stated, gap.text, need(asked.apps), so)
	return f
}

func need(apps []*snapshot.SparkApplication) string {
	first := apps[0].Namespace + "/" + apps[0].Name
	if len(apps) == 1 {
		return "application " + first + " needs"
	}
	return fmt.Sprintf("%d applications such as %s need", len(apps), first)
}
