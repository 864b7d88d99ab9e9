package pods

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func deletesPods() []fix.Intent {
	return []fix.Intent{fix.DeleteObject{Object: facts.KindOf(snapshot.SparkPods),
		Absent: []snapshot.Ref{facts.KindOf(snapshot.SparkApplications)}}}
}

// minOrphanAge is how old a finished pod must be before it is deleted: somebody may be about to read its log.
const minOrphanAge = time.Hour

// deletePods is the intent to delete pods that nobody manages. Finished ones must have been there for an hour; a running
// driver takes its executors along, which it owns.
func deletePods(g *group, absent []snapshot.Ref, why string, now time.Time) []fix.Intent {
	var out []fix.Intent
	for _, pod := range g.pods {
		one := fix.DeleteObject{Object: pod.Ref, Why: why, Absent: absent, Turn: fix.Removal, Running: pod.Alive()}
		if !pod.Alive() {
			one.MadeBefore = now.Add(-minOrphanAge)
			if pod.Created.After(one.MadeBefore) {
				continue
			}
		}
		out = append(out, one)
		if pod.Alive() && pod.Role() == facts.DriverRole {
			break
		}
	}
	return out
}
