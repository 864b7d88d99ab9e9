package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func nameRefusedByTarget() check.Check {
	return check.Check{
		ID: "SD7006", Slug: "name-refused-by-target", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "the target release rejects the name of an object, at every update",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
		},
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			u, mine := p.Upgrade, upgraded(p)
			var a check.Answer
			certainty, webhook := refuses(p.Snapshot, u)
			if !webhook {
				return a
			}
			ask := func(o *snapshot.Object, accepts func(operator.Version, string) bool, over bool) {
				if mine(o.Namespace) && accepts(u.From, o.Name) && !accepts(u.To, o.Name) {
					f := refusedByTarget(o, u, over)
					f.Certainty = certainty
					f.Hop = u.FirstHop(func(v operator.Version) bool { return !accepts(v, o.Name) })
					a.Findings = append(a.Findings, f)
				}
			}
			apps := p.SparkApplications()
			schedules := p.ScheduledSparkApplications()
			connects := p.SparkConnects()
			for _, app := range apps {
				ask(&app.Object, operator.AcceptsName, knownToHaveEnded(app))
			}
			for i := range schedules {
				ask(&schedules[i].Object, operator.AcceptsName, false)
			}
			for i := range connects {
				ask(&connects[i].Object, operator.AcceptsConnectName, false)
			}
			return a
		},
	}
}

// refusedByTarget states the finding. What is over can wait until it is deleted, which no webhook sees unless a
// finalizer is to be removed.
func refusedByTarget(o *snapshot.Object, u *check.Upgrade, over bool) check.Finding {
	f := check.Finding{
		About: check.OfApp(o), Severity: check.Error, Field: "metadata.name",
		Message:  fmt.Sprintf("operator %s will reject its name at every update, even of labels and finalizers", u.To),
		Evidence: []check.Evidence{{Object: o.Ref, Field: "metadata.name", Value: o.Name}},
	}
	if !over {
		f.Next = underAnotherName(o, u)
		return f
	}
	f.Severity = check.Warning
	f.Message += "; it has finished"
	do := "delete the finished SparkApplication, or leave it: it can still be deleted after the upgrade"
	if len(o.Finalizers()) > 0 {
		do = "delete the finished SparkApplication: its finalizers cannot be removed after the upgrade"
	}
	f.Next = []check.Step{{When: check.Before, Do: do, Command: command.Line("kubectl delete sparkapplication %s -n %s", o.Name, o.Namespace)}}
	return f
}

// underAnotherName takes the place of a rename, which no API server does. Two schedules would both start runs, and the runs of one are
// deleted with it, as it owns them (internal/controller/scheduledsparkapplication/controller.go@v2.5.2). Clients of a SparkConnect know the
// name of its Service, NAME-server (internal/webhook/sparkconnect_validator.go@v2.5.0).
func underAnotherName(o *snapshot.Object, u *check.Upgrade) []check.Step {
	good := fmt.Sprintf("a name that starts with a letter and uses only a-z, 0-9 and '-' (max %d)",
		operator.LongestName(o.Kind, u.Installation))
	switch {
	case o.Written():
		return []check.Step{{When: check.Before, Do: "change metadata.name in the manifest to " + good}}
	case o.Kind == "ScheduledSparkApplication":
		return []check.Step{
			{When: check.Before, Do: "suspend the ScheduledSparkApplication, and create it under " + good,
				Command: command.Line(`kubectl patch scheduledsparkapplication %s -n %s --type merge -p '{"spec":{"suspend":true}}'`,
					o.Name, o.Namespace)},
			{When: check.Before, Do: "when its last run is over, delete the old ScheduledSparkApplication: this deletes its runs, too"},
		}
	case o.Kind == "SparkConnect":
		return []check.Step{
			{When: check.Before, Do: "create the SparkConnect under " + good},
			{When: check.Before, Do: "point its clients to the new Service, and delete the old SparkConnect"},
		}
	case o.Labels.Get(snapshot.ScheduledAppLabel) != "":
		return []check.Step{{When: check.Before, Do: "when its run is over, delete the SparkApplication; its schedule names the next one"}}
	default:
		return []check.Step{
			{When: check.Before, Do: "when its run is over, delete the SparkApplication"},
			{When: check.Before, Do: "create the next one under " + good},
		}
	}
}
