package size

import (
	"fmt"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func executorsBeyondTrackingLimit() check.Check {
	return check.Check{
		ID: "SD3003", Slug: "executors-beyond-tracking-limit", Since: "0.1.0", Consequence: check.Wastes,
		Title: "an application has executors that the operator does not track",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			installations, unwatched := facts.Installations().Of(p), 0
			for _, app := range list {
				in := operator.For(installations, app.Namespace)
				x := executorsOf(app, p.PodsOf(app.Namespace, app.Name), in)
				switch {
				case x.highest == 0:
				case in == nil:
					unwatched++
				case x.untracked(app):
					a.Findings = append(a.Findings, beyondLimit(app, in, x, p.Covers(snapshot.SparkPods, app.Namespace)))
				}
			}
			a.PassOver(unwatched, "no operator found that watches "+phrase.Counted(unwatched, "SparkApplication")+" with executors")
			return a
		},
	}
}

// executors are those of the current submission, in pods and in the status.
type executors struct {
	limit   int  // highest id that the operator writes to the status
	limited bool // false: there is no limit, or tracking is switched off
	highest int
	pod     *snapshot.Pod // that has the highest id, nil if only the status tells
	beyond  int           // pods above the limit
	running int           // running pods above the limit
	within  int           // running pods that the limit covers
}

// executorsOf counts. The limit cuts off by the number in the label spark-exec-id: a pod above it is left out, what is
// in the map stays (internal/controller/sparkapplication/controller.go@v2.5.2, updateExecutorState; #2181, #2977).
// A limit of 0 or 1 is how people switch tracking off (#2374).
func executorsOf(app *snapshot.SparkApplication, pods []*snapshot.Pod, in *operator.Installation) executors {
	x := executors{highest: app.Executors.HighestID}
	if in != nil {
		x.limit, x.limited = in.TrackedExecutors()
		x.limited = x.limited && x.limit > 1
	}
	for _, pod := range pods {
		if pod.Role() != facts.ExecutorRole || app.SubmissionID != "" && pod.SubmissionID() != app.SubmissionID {
			continue
		}
		if pod.ExecutorID() > x.highest || pod.ExecutorID() == x.highest && x.pod == nil {
			x.highest, x.pod = pod.ExecutorID(), pod
		}
		running := pod.Phase == "Running" && !pod.Terminating()
		switch {
		case pod.ExecutorID() > x.limit:
			x.beyond++
			if running {
				x.running++
			}
		case running:
			x.within++
		}
	}
	return x
}

// untracked reports whether executors are left out of the status. Entries above the limit in an application that
// ended were written under another limit, and nothing follows them.
func (x executors) untracked(app *snapshot.SparkApplication) bool {
	stillLeftOut := x.beyond > 0 || !app.Ended()
	return x.limited && x.highest > x.limit && !app.Terminating() && stillLeftOut
}

// beyondLimit states the finding; whole says that all pods were seen.
func beyondLimit(app *snapshot.SparkApplication, in *operator.Installation, x executors, whole bool) check.Finding {
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Info, Field: facts.ExecutorStateField,
		Message:  fmt.Sprintf("executor ids reach %d, and operator %s tracks ids up to %d", x.highest, in.Stated, x.limit),
		Evidence: []check.Evidence{{Object: in.Controller.Ref, Field: "--max-tracked-executor-per-app", Value: strconv.Itoa(x.limit)}},
		Related:  []snapshot.Ref{in.Controller.Ref},
	}
	f.Then(command.Do("look at the executor pods instead of status.executorState").
		With("kubectl -n %s get pods -l sparkoperator.k8s.io/app-name=%s,spark-role=executor", app.Namespace, app.Name))
	if !in.Recognised || in.Narrowed() {
		f.Certainty = check.Likely
	}
	if x.beyond > 0 {
		f.Message += fmt.Sprintf(": %s above it", phrase.Counted(x.beyond, "executor pod"))
	}
	if x.pod != nil {
		f.Saw(x.pod.Ref, "metadata.labels."+snapshot.ExecutorIDLabel, strconv.Itoa(x.highest))
	}
	f.Saw(app.Ref, facts.ExecutorStateField, facts.EntriesText(app.Executors.Total())+facts.ByState(app.Executors))
	if !app.Ended() && app.Executors.Running == 0 && x.running > 0 && x.within == 0 && whole {
		f.Severity = check.Warning
		f.Message += fmt.Sprintf(", %d of them running while no entry of %s is RUNNING", x.running, facts.ExecutorStateField)
	}
	return f
}
