package failures

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	narrow "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

func executorsLostToCluster() check.Check {
	return check.Check{
		ID: "SD8003", Slug: "executors-lost-to-cluster", Since: "0.1.0", Consequence: check.Wastes,
		Title: "the cluster takes executors away from a job",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Relations: check.Relations{Breaks: []check.Part{check.ExecutorPods}},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			for _, app := range list {
				over := failed(app, p.Params, p.TakenAt) && lately(app, p.Params, p.TakenAt)
				if app.Terminating() || app.State != "RUNNING" && !over {
					continue
				}
				if f := lostBy(app, lossesOf(p.Snapshot, app)); f != nil {
					a.Findings = append(a.Findings, *f)
				}
			}
			return a
		},
	}
}

// fewestLost is how many executors a job loses before that is said: it recovers from one that goes with its node.
const fewestLost = 3

// loss is an executor that something outside ended.
type loss struct {
	mechanism.End

	pod *snapshot.Pod
}

// lossesOf returns the executors of the last submission that the cluster ended, by their own status: the operator calls executors FAILED
// that end with their driver, too (#671, #2277). What ended with the application did so because of that. An executor that exceeds its
// memory limit is SD6010's.
func lossesOf(s *snapshot.Snapshot, app *snapshot.SparkApplication) []loss {
	var out []loss
	for _, pod := range s.PodsOf(app.Namespace, app.Name) {
		if pod.Role() != facts.ExecutorRole || pod.SubmissionID() != app.SubmissionID || pod.Phase != "Failed" || !tellsWhy(pod) {
			continue
		}
		main := pod.Trouble.Container(snapshot.SparkContainers(facts.ExecutorRole)...)
		if main != nil && main.Ended && app.State != "RUNNING" && !main.Finished.IsZero() && !main.Finished.Before(app.Terminated) {
			continue
		}
		end, _ := mechanism.PodEnd(narrow.NarrowPod(pod))
		switch end.Why.Kind {
		case mechanism.Evicted, mechanism.Preempted, mechanism.Drained, mechanism.NodeLost, mechanism.Rejected:
			out = append(out, loss{end, pod})
		}
	}
	return out
}

// tellsWhy reports whether the status of the pod itself, not of its containers, says why it failed.
func tellsWhy(pod *snapshot.Pod) bool {
	return pod.Trouble != nil && (pod.Trouble.Reason != "" || pod.Trouble.Disruption != "")
}

// lostBy states how most of them went.
func lostBy(app *snapshot.SparkApplication, list []loss) *check.Finding {
	if len(list) < fewestLost {
		return nil
	}
	count := map[mechanism.EndReason]int{}
	for _, one := range list {
		count[one.Why]++
	}
	slices.SortFunc(list, func(a, b loss) int {
		return cmp.Or(cmp.Compare(count[b.Why], count[a.Why]), strings.Compare(words.OfEnd(a.Why), words.OfEnd(b.Why)), a.pod.Compare(b.pod.Ref))
	})
	parts := make([]string, 0, len(count))
	for i, one := range list {
		if i == 0 || list[i-1].Why != one.Why {
			parts = append(parts, fmt.Sprintf("%d %s", count[one.Why], words.OfEnd(one.Why))+detail(one))
		}
	}
	first, why := list[0], words.OfEnd(list[0].Why)
	f := &check.Finding{
		About: check.OfApp(app), Severity: check.Info, Field: facts.ExecutorStateField,
		Identity: check.Identity{Shared: app.Namespace + " lost " + why}, Related: []snapshot.Ref{first.pod.Ref},
		Message: fmt.Sprintf("%s lost to the cluster: %s", phrase.Counted(len(list), "executor"), strings.Join(parts, ", ")),
	}
	if m := first.pod.Trouble.Message; m != "" {
		f.Message += ": " + phrase.OneLine(m, keptText)
	}
	for i := range list[:min(len(list), facts.ShownApps)] {
		pod := list[i].pod
		f.Evidence = append(f.Evidence, facts.PodEndEvidence(pod, pod.Trouble.Container(snapshot.SparkContainers(facts.ExecutorRole)...))...)
	}
	f.Then(first.keep())
	askWhy(f)
	return f
}

// detail is the cluster's own word, where ours is another.
func detail(one loss) string {
	if one.Why.Kind == mechanism.Evicted {
		return ""
	}
	return " (" + one.Reason + ")"
}

// keep is what keeps executors, or their work.
func (l loss) keep() check.Command {
	switch l.Why.Kind {
	case mechanism.Evicted:
		return words.Terms{}.EvictionNext(cause.ExecutorRole, mechanism.ShortageOf(l.pod.Trouble.Message))
	case mechanism.Preempted:
		return words.Terms{}.PriorityNext(cause.ExecutorRole)
	case mechanism.Rejected:
		return command.Do("leave room on the nodes: they fill up between scheduling and start")
	default:
		return command.Do("set spark.decommission.enabled and spark.storage.decommission.shuffleBlocks.enabled, so that work survives")
	}
}
