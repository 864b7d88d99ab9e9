package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func kueueDoesNotManage() check.Check {
	return check.Check{
		ID: "SD6014", Slug: "kueue-does-not-manage", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "a suspended application names a Kueue queue and Kueue does not manage it",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.KueueWorkloads, Role: snapshot.Optional},
		},
		Absence: true,
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			workloads, unseen := p.KueueWorkloads(), 0
			for _, app := range list {
				since, waits := waitsForKueue(app)
				switch {
				case !waits || p.TakenAt.Sub(since) <= p.NewAfter || app.OwnsWorkload(workloads):
				case !p.Covers(snapshot.KueueWorkloads, app.Namespace):
					unseen++
				default:
					served := p.Coverage(snapshot.KueueWorkloads).State != snapshot.NotServed
					a.Findings = append(a.Findings, notManaged(app, served, since, p.TakenAt))
				}
			}
			if unseen > 0 {
				a.Unjudged = append(a.Unjudged, phrase.Counted(unseen, "suspended application")+" of a Kueue queue, whose Workloads were not seen")
			}
			return a
		},
	}
}

// Labels and owners by which another Workload stands for an application: one that was made ahead of it, as MultiKueue does,
// or that of an AppWrapper (kubernetes-sigs/kueue pkg/controller/constants/constants.go).
const (
	prebuiltWorkload = "kueue.x-k8s.io/prebuilt-workload-name"
	appWrapperGroup  = "workload.codeflare.dev"
)

// waitsForKueue reports whether an application is suspended until Kueue admits it, and since when at the latest. Releases
// before 2.4.0 have no spec.suspend, and a CRD of theirs drops it (api/v1beta2/sparkapplication_types.go@v2.4.0, #2387).
func waitsForKueue(app *snapshot.SparkApplication) (since time.Time, waits bool) {
	since = app.Created
	if app.SpecChanged.After(since) {
		since = app.SpecChanged
	}
	waits = app.Suspend && isOneOf(app.State, "", "SUSPENDED") && app.Labels.Get(snapshot.QueueOfKueue) != "" &&
		!app.Labels.Has(prebuiltWorkload) && !app.Terminating() && !since.IsZero() &&
		!slices.ContainsFunc(app.Owners, func(r snapshot.OwnerReference) bool { return r.GroupKind().Group == appWrapperGroup })
	return since, waits
}

// notManaged states that nothing will set spec.suspend to false. Kueue makes a Workload of every application with a queue
// as soon as it sees it, but looks at SparkApplications only since 0.17 and only with its feature gate
// SparkApplicationIntegration, which is off by default (kubernetes-sigs/kueue pkg/controller/jobs/sparkapplication/
// sparkapplication_controller.go, CanSupportIntegration). Likely, for a person may have suspended it.
func notManaged(app *snapshot.SparkApplication, served bool, since, now time.Time) check.Finding {
	queue := app.Labels.Get(snapshot.QueueOfKueue)
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Error, Certainty: check.Likely, Field: "spec.suspend",
		Identity: check.Identity{Shared: "kueue " + app.Namespace},
		Evidence: []check.Evidence{
			stateOf(app), {Object: app.Ref, Field: "spec.suspend", Value: "true"},
			{Object: app.Ref, Field: "metadata.labels[" + snapshot.QueueOfKueue + "]", Value: queue},
		},
	}
	why := "no Workload belongs to it: Kueue does not manage it and will never start it"
	resume := func(text string) check.Command {
		return command.Do("%s", text).On("patch", app.Ref,
			`--type merge -p '{"metadata":{"labels":{"`+snapshot.QueueOfKueue+`":null}},"spec":{"suspend":false}}'`)
	}
	if served {
		f.Then(command.Do("enable integration sparkoperator.k8s.io/sparkapplication and " +
			"feature gate SparkApplicationIntegration in Kueue"))
		f.ThenIf(check.Single, resume("or run it without a queue: drop the label and resume it"))
		f.ThenIf(check.Many, resume("or run each without a queue: drop the label and resume it"))
	} else {
		f.Then(resume("install Kueue, or drop the label and resume it"))
		why = "the cluster does not serve workloads.kueue.x-k8s.io: without Kueue nothing starts it"
	}
	briefly, _, _ := strings.Cut(why, ":")
	f.Since, f.Brief = since, fmt.Sprintf("suspended in Kueue queue %q, but %s", queue, briefly)
	f.Message = fmt.Sprintf("suspended for %s in Kueue queue %q, but %s", facts.Age(since, now), queue, why)
	f.Saw(app.Ref, "workloads.kueue.x-k8s.io", "none is owned by it")
	return f
}
