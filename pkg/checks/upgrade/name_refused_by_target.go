package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func nameRefusedByTarget() check.Check {
	return check.Check{
		ID: "SD7006", Slug: "name-refused-by-target", Since: "0.1.0",
		Title: "an object has a name that the target release refuses, at each change of it",
		Next:  "make it anew under a name of lower case letters, digits and dashes, a letter first, before the upgrade",
		Needs: append([]snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
		}, facts.Consulted(facts.ControllerNeeds())...),
		Run: func(s *snapshot.Snapshot, p check.Params) check.Answer {
			u, mine := p.Upgrade, upgraded(s, p.Upgrade)
			var a check.Answer
			certainty, webhook := refuses(s, u)
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
			apps, schedules, connects := s.SparkApplications(), s.ScheduledSparkApplications(), s.SparkConnects()
			for _, app := range apps {
				ask(&app.Object, operator.AcceptsName, app.Malformed == "" && app.Ended())
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
		Object: o.Ref, Location: o.Location, Labels: o.Labels, App: o.Name, Severity: check.Error, Field: "metadata.name",
		Message:  fmt.Sprintf("operator %s refuses its name at every change: of its spec, its labels, its finalizers", u.To),
		Evidence: []check.Evidence{{Object: o.Ref, Field: "metadata.name", Value: o.Name}},
		Steps:    []check.Step{{When: check.Before, Do: "make it anew under a name that is a DNS-1035 label"}},
	}
	if over {
		f.Severity = check.Warning
		f.Message += "; it has ended"
		f.Steps = []check.Step{{When: check.Before, Do: "delete what has ended and is not needed",
			Command: Commandf("kubectl delete sparkapplication %s -n %s", o.Name, o.Namespace)}}
	}
	return f
}
