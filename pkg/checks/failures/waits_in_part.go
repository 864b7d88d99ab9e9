package failures

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	narrow "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func waitsInPart() check.Check {
	return check.Check{
		ID: "SD8002", Slug: "waits-in-part", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title: "a job runs, and a part of its executors waits for room",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Requires: []check.Requirement{facts.Pending()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			reasons := facts.Pending().Of(p)
			for _, app := range list {
				if app.State != "RUNNING" || app.Terminating() || facts.Allocates(app) {
					continue // dynamic allocation asks for more than there is
				}
				if w := waitingOf(p.Snapshot, p.Params, app); w != nil {
					if f := w.finding(p.Snapshot, reasons); f != nil {
						a.Findings = append(a.Findings, *f)
					}
				}
			}
			return a
		},
	}
}

// waiting is a job with executors at work and executors that have been pending for too long.
type waiting struct {
	app     *snapshot.SparkApplication
	running int
	late    []*snapshot.Pod // the oldest first
}

// waitingOf returns nil where a job has all its executors, or none: SD6002 is about those.
func waitingOf(s *snapshot.Snapshot, p check.Params, app *snapshot.SparkApplication) *waiting {
	w := waiting{app: app}
	for _, pod := range s.PodsOf(app.Namespace, app.Name) {
		if pod.Role() != facts.ExecutorRole || pod.SubmissionID() != app.SubmissionID || pod.Terminating() {
			continue
		}
		switch {
		case pod.Phase == "Running":
			w.running++
		case pod.Phase == "Pending" && !pod.Created.IsZero() && s.TakenAt.Sub(pod.Created) > p.SubmittedAfter:
			w.late = append(w.late, pod)
		}
	}
	driver := driverOf(s, app)
	if w.running == 0 || len(w.late) == 0 || driver == nil || driver.Terminating() || driver.Phase != "Running" {
		return nil
	}
	if mechanism.ExitOf(narrow.NarrowPod(driver)) != mechanism.NotEnded {
		return nil // SD6004's
	}
	slices.SortFunc(w.late, func(a, b *snapshot.Pod) int {
		return cmp.Or(a.Created.Compare(b.Created), a.Compare(b.Ref))
	})
	return &w
}

// finding is nil where a reason does not go away by itself, which SD6002 tells, or where the pods are held back on purpose. The status of a
// pod proves its reason; events may be those of a fault that is over.
func (w *waiting) finding(s *snapshot.Snapshot, reasons *facts.PendingReasons) *check.Finding {
	var first *snapshot.Pod
	var why facts.PendingReason
	n := 0
	for _, pod := range w.late {
		reason := reasons.Of(pod, w.app.BatchQueue)
		ofAnother := first != nil && reason.Shared != why.Shared
		if reason.Lasting != "" || reason.Gated || ofAnother {
			continue
		}
		if n++; first == nil {
			first, why = pod, reason
		}
	}
	if first == nil {
		return nil
	}
	all := max(w.app.ExecutorInstances, w.running+len(w.late))
	f := &check.Finding{
		About: check.OfApp(w.app), Severity: check.Info, Certainty: why.Certainty,
		Field: "status.executorState",
		Verdict: check.Verdict{Since: first.Created,
			Brief: fmt.Sprintf("%d of %d executors wait, and the job continues with %d: %s", n, all, w.running, why.Text)},
		Related: []snapshot.Ref{first.Ref},
		Message: fmt.Sprintf("%d of %d executors wait, the oldest Pending for %s, and the job continues with %d: %s", n, all,
			facts.Age(first.Created, s.TakenAt), w.running, why.Text),
		Evidence: append([]check.Evidence{
			{Object: w.app.Ref, Field: "spec.executor.instances", Value: fmt.Sprint(w.app.ExecutorInstances)},
			{Object: first.Ref, Field: "status.phase", Value: first.Phase},
		}, why.Evidence...),
	}
	f.Then(command.Do("see what the executor waits for").On("describe", first.Ref))
	askWhy(f)
	if why.Shared != "" {
		f.Shared = w.app.Namespace + " " + why.Shared
	}
	if first.Trouble == nil {
		f.Certainty = check.Likely
	}
	return f
}
