package installation

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func batchSchedulerMissing() check.Check {
	return check.Check{
		ID: "SD5010", Slug: "batch-scheduler-missing", Since: "0.1.0",
		Title:    "applications ask for a batch scheduler that their operator does not serve",
		Unscoped: true,
		Next: "set controller.batchScheduler.enable (and kubeSchedulerNames) in the chart's values, install the scheduler's CRDs, or " +
			"take spec.batchScheduler out",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.VolcanoPodGroups, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			{View: snapshot.SchedulerPodGroups, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		},
		Run: func(s *snapshot.Snapshot, _ check.Params) check.Answer {
			list, unjudged := facts.Decoded(s)
			a := check.Answer{Unjudged: unjudged}
			absent := func(v check.View) bool { return len(s.Dependents(v)) == 0 && s.Coverage(v).State == snapshot.NotServed }
			noVolcano, noPlugins := absent(snapshot.VolcanoPodGroups), absent(snapshot.SchedulerPodGroups)
			installations := operator.Find(s.Deployments())
			for i := range installations {
				in := &installations[i]
				if in.Controller == nil || in.Controller.Replicas == 0 {
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
		return schedulerGap{fmt.Sprintf("knows no scheduler %q (--kube-scheduler-names)", name), "unknown", strict}
	case name == operator.Volcano && noVolcano:
		return schedulerGap{"finds no CRD podgroups.scheduling.volcano.sh", "volcano", strict}
	case name != operator.Volcano && name != operator.YuniKorn && noPlugins:
		return schedulerGap{"finds no CRD podgroups.scheduling.x-k8s.io", "plugins", true}
	default:
		return schedulerGap{}
	}
}

func withoutScheduler(in *operator.Installation, asked askedScheduler, gap schedulerGap) check.Finding {
	d := in.Controller
	f := check.Finding{
		Object: d.Ref, Location: d.Location, Labels: d.Labels, Severity: check.Warning, Certainty: facts.VersionCertainty(in),
		Field: "spec.template.spec.containers", What: gap.what + " " + asked.name,
		Evidence: []check.Evidence{{Object: d.Ref, Field: "version", Value: in.Stated}},
	}
	so := "their pods are scheduled one by one, by the cluster's default scheduler"
	switch {
	case gap.refuses:
		f.Severity, so = check.Error, "their submission fails"
	case in.Webhook != nil && spark.BatchScheduler(asked.apps[0]) != "":
		// The webhook names the scheduler in the pods, whatever the controller's flags say (addSchedulerName in
		// internal/webhook/sparkpod_defaulter.go@v2.5.2, and in pkg/webhook/patch.go@v1beta2-1.6.2-3.5.0).
		so = fmt.Sprintf("%s schedules their pods one by one, not as a gang, and they stay Pending where it does not run", asked.name)
	}
	for i, app := range asked.apps {
		f.Related = append(f.Related, app.Ref)
		if i < facts.ShownApps {
			f.Evidence = append(f.Evidence, check.Evidence{Object: app.Ref, Field: "spec.batchScheduler",
				Value: cmp.Or(spark.BatchScheduler(app), "not set")})
		}
	}
	first := asked.apps[0]
	f.Message = fmt.Sprintf("operator %s %s, for which %s such as %s/%s: %s", in.Stated, gap.text, asks(len(asked.apps)),
		first.Namespace, first.Name, so)
	return f
}

func asks(n int) string {
	if n == 1 {
		return "1 application asks"
	}
	return fmt.Sprintf("%d applications ask", n)
}
