package checks

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func nameRefusedByTarget() Check {
	return Check{
		ID: "SD7006", Slug: "name-refused-by-target", Since: "0.1.0",
		Title: "an object has a name that the target release refuses, at each change of it",
		Next:  "make it anew under a name of lower case letters, digits and dashes, a letter first, before the upgrade",
		Needs: append([]snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
		}, consulted(keeperNeeds())...),
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			u, mine := p.Upgrade, upgraded(s, p.Upgrade)
			var a Answer
			certainty, webhook := refuses(s, u)
			if !webhook {
				return a
			}
			ask := func(o *snapshot.Object, accepts func(operator.Version, string) bool, over bool) {
				if mine(o.Namespace) && accepts(u.From, o.Name) && !accepts(u.To, o.Name) {
					f := refusedByTarget(o, u, over)
					f.Certainty = certainty
					f.Hop = u.first(func(v operator.Version) bool { return !accepts(v, o.Name) })
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
func refusedByTarget(o *snapshot.Object, u *Upgrade, over bool) Finding {
	f := Finding{
		Object: o.Ref, Location: o.Location, Labels: o.Labels, App: o.Name, Severity: Error, Field: "metadata.name",
		Message:  fmt.Sprintf("operator %s refuses its name at every change: of its spec, its labels, its finalizers", u.To),
		Evidence: []Evidence{{Object: o.Ref, Field: "metadata.name", Value: o.Name}},
		Steps:    []Step{{When: Before, Do: "make it anew under a name that is a DNS-1035 label"}},
	}
	if over {
		f.Severity = Warning
		f.Message += "; it has ended"
		f.Steps = []Step{{When: Before, Do: "delete what has ended and is not needed", Command: commandf("kubectl delete sparkapplication %s -n %s", o.Name, o.Namespace)}}
	}
	return f
}
