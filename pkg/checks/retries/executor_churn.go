package retries

import (
	"cmp"
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

func executorChurn() check.Check {
	return check.Check{
		ID: "SD6010", Slug: "executor-churn", Since: "0.1.0", Consequence: check.Wastes,
		Title: "executors of an application fail again and again",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Consulted},
		},
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.ExecutorPods, Where: losesToCluster}}},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			for _, app := range list {
				if app.Terminating() || app.State != "RUNNING" || app.LastSubmissionAttempt.IsZero() {
					continue
				}
				c := churnOf(app, p.PodsOf(app.Namespace, app.Name), p.Covers(snapshot.SparkPods, app.Namespace), p.TakenAt)
				if c.notable(p.Params) {
					a.Findings = append(a.Findings, c.finding(p.TakenAt, p.Params))
				}
			}
			return a
		},
	}
}

// churn is what became of the executors of a run.
type churn struct {
	app     *snapshot.SparkApplication
	hours   float64 // since the submission
	size    int     // executors at a time
	failed  int     // as the operator wrote them, or pods that failed, whichever are more
	highest int
	ends    map[string]int // how pods that failed and are still there ended
	pod     *snapshot.Pod  // one of them

	outOfMemory int // how many of them exceeded their memory limit
	oom         *snapshot.Pod
}

// churnOf counts. The operator writes FAILED for a pod that failed while the driver runs, and UNKNOWN for one that is gone,
// which an idle executor may just be (internal/controller/sparkapplication/controller.go@v2.5.2, updateExecutorState).
// Where not all pods were seen, their numbers do not say how many went.
func churnOf(app *snapshot.SparkApplication, pods []*snapshot.Pod, whole bool, now time.Time) churn {
	c := churn{
		app: app, hours: max(now.Sub(app.LastSubmissionAttempt), time.Minute).Hours(), failed: app.Executors.Failed,
		highest: app.Executors.HighestID, ends: map[string]int{},
	}
	alive, failed := 0, 0
	for _, pod := range pods {
		if pod.Role() != facts.ExecutorRole || app.SubmissionID != "" && pod.SubmissionID() != app.SubmissionID {
			continue
		}
		if whole {
			c.highest = max(c.highest, pod.ExecutorID())
		}
		switch {
		case pod.Alive():
			alive++
		case pod.Phase == "Failed":
			failed++
			main := executorContainer(pod)
			c.ends[facts.PodEnd(pod, main)]++
			if c.pod == nil {
				c.pod = pod
			}
			if main != nil && main.Reason == snapshot.OOMKilled {
				if c.outOfMemory++; c.oom == nil {
					c.oom = pod
				}
			}
		}
	}
	c.failed = max(c.failed, failed)
	c.size = max(app.ExecutorInstances, app.Executors.Running+app.Executors.Pending, alive, 1)
	return c
}

func executorContainer(pod *snapshot.Pod) *snapshot.ContainerProblem {
	return pod.Trouble.Container(snapshot.SparkContainers(facts.ExecutorRole)...)
}

// lost is how many executors were lost: those that failed, and with a fixed number of executors all that were replaced, for
// each has an id of its own (#1704). With dynamic allocation new ids are ordinary (#2025).
func (c churn) lost() int {
	if facts.Allocates(c.app) {
		return c.failed
	}
	return max(c.failed, c.highest-c.size)
}

// fast reports whether every place for an executor loses one an hour.
func (c churn) fast(p check.Params) bool {
	return c.lost() >= p.LostExecutors && float64(c.lost())/c.hours >= float64(c.size)
}

func (c churn) notable(p check.Params) bool { return c.fast(p) || c.outOfMemory >= p.OOMExecutors }

func (c churn) finding(now time.Time, p check.Params) check.Finding {
	app := c.app
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Warning, Field: facts.ExecutorStateField,
		Evidence: []check.Evidence{
			{Object: app.Ref, Field: facts.ExecutorStateField, Value: facts.EntriesText(app.Executors.Total()) + facts.ByState(app.Executors)},
			{Object: app.Ref, Field: "status.lastSubmissionAttemptTime", Value: app.LastSubmissionAttempt.Format(time.RFC3339)},
		},
	}
	if facts.Allocates(app) {
		f.Certainty = check.Likely // the nodes may be taken away as planned
	}
	span := facts.Age(app.LastSubmissionAttempt, now)
	switch oom := c.outOfMemory; {
	case c.fast(p):
		f.Kind = "lost"
		f.Message = fmt.Sprintf("%s lost within %s, %.0f an hour, with %d at a time", phrase.Counted(c.lost(), "executor"), span,
			float64(c.lost())/c.hours, c.size)
		if c.lost() > c.failed {
			f.Saw(app.Ref, "highest executor id", fmt.Sprint(c.highest))
		}
	default:
		f.Kind, f.Certainty = "out-of-memory", check.Proven
		f.Message = fmt.Sprintf("%s ran out of memory within %s", phrase.Counted(oom, "executor"), span)
	}
	if ends := c.how(); ends != "" {
		f.Message += "; among the remaining pods: " + ends
	}
	for _, pod := range []*snapshot.Pod{c.oom, c.pod} {
		if pod != nil {
			f.Related = append(f.Related, pod.Ref)
			f.Saw(pod.Ref, "status.containerStatuses", facts.PodEnd(pod, executorContainer(pod))+"; requests "+facts.RequestsText(pod.Requests))
			f.Then(check.Logs("read what an executor logged before it failed", pod.Ref, "", false))
			break
		}
	}
	switch {
	case len(f.Related) == 0:
		f.Then(command.Do("watch how executors exit").With("kubectl -n %s get pods -l %s=%s,%s=executor -w", app.Namespace,
			snapshot.AppNameLabel, app.Name, snapshot.RoleLabel))
	case c.oom != nil:
		f.Then(command.Do("raise spec.executor.memoryOverhead or spec.executor.memory in the manifest of the application"))
	}
	return f
}

// how lists how the pods ended that are still there, the most frequent first.
func (c churn) how() string {
	type end struct {
		how string
		n   int
	}
	var list []end
	for how, n := range c.ends {
		list = append(list, end{how, n})
	}
	slices.SortFunc(list, func(a, b end) int { return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(a.how, b.how)) })
	var parts []string
	for _, e := range list[:min(len(list), 3)] {
		parts = append(parts, fmt.Sprintf("%d %s", e.n, e.how))
	}
	return strings.Join(parts, ", ")
}

// losesToCluster reports whether the cluster takes the executors of the application away.
func losesToCluster(churn, loss *check.Finding) bool { return loss.IsAbout(churn.Object) }
