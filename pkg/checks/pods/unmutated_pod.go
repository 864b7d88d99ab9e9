package pods

import (
	"iter"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func unmutatedPod() check.Check {
	return check.Check{
		ID: "SD4002", Slug: "unmutated-pod", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title: "a Spark pod lacks fields that only the operator's webhook adds",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
			facts.LogNeed(),
		},
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.AdmissionPath, Where: lacksBecauseOf},
			{Breaks: check.Mutation, Where: lacksBecauseOf}}, Fold: lackingForOneCause()},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			edited, unruled := 0, 0
			installations, logs := facts.Installations().Of(p), p.OperatorLogs()
			areas := map[string]*area{}
			judged := make([]jobPods, 0, len(list))
			for _, app := range list {
				job := jobPods{app: app, operator: operator.For(installations, app.Namespace)}
				var j judgement // of the pod before: executors are alike
				looked := len(spark.WebhookNeeds(app, facts.DriverRole))+len(spark.WebhookNeeds(app, facts.ExecutorRole)) == 0
				for pod := range currentPods(p.Snapshot, app) {
					if j.pod == nil || j.pod.Role() != pod.Role() || j.pod.Features != pod.Features {
						j = job.judge(pod, p.Excerpt())
					}
					j.pod = pod
					switch {
					case j.verdict == disputed:
						unruled++
					case !app.SpecChanged.After(pod.Created):
						looked = true
						job.add(j)
					case j.verdict == hardly || j.verdict == ranNot:
						edited++ // the spec does not say what it asked for when the pod was made
					}
				}
				if looked {
					a.Judged++
				}
				if areas[app.Namespace] == nil {
					areas[app.Namespace] = &area{}
				}
				areas[app.Namespace].add(&job)
				judged = append(judged, job)
			}
			for i := range judged {
				job := &judged[i]
				if len(job.without) > 0 {
					f := unmutated(job, areas[job.app.Namespace])
					job.explain(&f, logs)
					mend(&f, facts.OrOnly(job.operator, installations))
					a.Findings = append(a.Findings, f)
				}
				if len(job.dropped) > 0 {
					a.Findings = append(a.Findings, droppedEnv(job))
				}
			}
			if unruled > 0 {
				a.Unjudged = append(a.Unjudged, phrase.Counted(unruled, "pod")+
					" without a field that only some releases add, and the operator was not seen")
			}
			if edited > 0 {
				a.Unjudged = append(a.Unjudged, phrase.Counted(edited, "pod")+" without a field of the spec, but older than the spec")
			}
			return a
		},
	}
}

// currentPods yields the pods of an application's current submission, if it asks for anything. An application that is being
// deleted takes its pods along; pods of another submission were made from another spec.
func currentPods(s *snapshot.Snapshot, app *snapshot.SparkApplication) iter.Seq[*snapshot.Pod] {
	return func(yield func(*snapshot.Pod) bool) {
		needs := len(spark.WebhookNeeds(app, facts.DriverRole)) + len(spark.WebhookNeeds(app, facts.ExecutorRole))
		if needs == 0 || app.Terminating() || app.SubmissionID == "" {
			return
		}
		for _, pod := range s.PodsOf(app.Namespace, app.Name) {
			if pod.SubmissionID() == app.SubmissionID && !pod.Terminating() && !yield(pod) {
				return
			}
		}
	}
}

// jobPods are the judged pods of one application.
type jobPods struct {
	app      *snapshot.SparkApplication
	operator *operator.Installation // nil: none was found
	with     []*snapshot.Pod        // that the webhook mutated
	without  []judgement
	dropped  []judgement
}

func (job *jobPods) add(j judgement) {
	switch j.verdict {
	case ran:
		job.with = append(job.with, j.pod)
	case hardly, ranNot:
		job.without = append(job.without, j)
		return
	default:
	}
	if len(j.dropped) > 0 {
		job.dropped = append(job.dropped, j)
	}
}

// judge judges a pod by the release. In files that may not be everything an operator that was not seen may be of any: a pod
// lacks something only if it does by all of them.
func (job *jobPods) judge(pod *snapshot.Pod, excerpt bool) judgement {
	if job.operator != nil || !excerpt {
		return judge(job.release(), job.app, pod)
	}
	var out judgement
	for i, v := range operator.MutatorVersions() {
		j := judge(v, job.app, pod)
		j.dropped = nil // the fault of some releases
		switch {
		case i == 0:
			out = j
		case j.lacks() != out.lacks():
			return judgement{pod: pod, verdict: disputed}
		case j.lacks():
			out.verdict = min(out.verdict, j.verdict)
			out.missing = slices.DeleteFunc(out.missing, func(f snapshot.Feature) bool { return !slices.Contains(j.missing, f) })
		}
	}
	if out.lacks() && len(out.missing) == 0 {
		out.verdict = disputed
	}
	return out
}

// release is the version as which the webhook is judged.
func (job *jobPods) release() operator.Version {
	if job.operator == nil {
		return operator.Newest()
	}
	return job.operator.Judged()
}

// area counts what was judged in a namespace.
type area struct{ apps, with, without int }

func (a *area) add(job *jobPods) {
	if len(job.with)+len(job.without) == 0 {
		return
	}
	a.apps++
	a.with += len(job.with)
	a.without += len(job.without)
}
