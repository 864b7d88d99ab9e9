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

// refusedByTarget states the finding. What is over can wait until somebody deletes it, which no webhook sees unless a
// finalizer is to be removed.
func refusedByTarget(o *snapshot.Object, u *check.Upgrade, over bool) check.Finding {
	f := check.Finding{
		About: check.OfApp(o), Severity: check.Error, Field: "metadata.name",
		Message:  fmt.Sprintf("operator %s will reject its name at every update, even of labels and finalizers", u.To),
		Evidence: []check.Evidence{{Object: o.Ref, Field: "metadata.name", Value: o.Name}},
		Next: []check.Step{{When: check.Before,
			Do: fmt.Sprintf("re-create the %s under a name that starts with a letter and uses only a-z, 0-9 and '-' (max %d)", o.Kind,
				operator.LongestName(o.Kind, u.Installation))}},
	}
	if over {
		f.Severity = check.Warning
		f.Message += "; it has finished"
		f.Next = []check.Step{{When: check.Before, Do: "delete finished applications that you do not need",
			Command: command.Line("kubectl delete sparkapplication %s -n %s", o.Name, o.Namespace)}}
	}
	return f
}
