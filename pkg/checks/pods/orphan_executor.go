package pods

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func orphanExecutor() check.Check {
	return check.Check{
		ID: "SD4003", Slug: "orphan-executor", Since: "0.1.0", Consequence: check.Wastes,
		Title:   "an executor outlived its driver",
		Absence: true,
		Needs: []snapshot.Need{
			{View: snapshot.SparkPods, Role: snapshot.Subject},
			{View: snapshot.SparkApplications, Role: snapshot.Compared},
		},
		Requires:  []check.Requirement{allApplications()},
		Repairs:   deletesPods(),
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.SingleSubmission, Where: ofOneApplication}}},
		Run: func(p *check.Pass) check.Answer {
			var found groups
			lineage := newLineage(p)
			pods := p.SparkPods()
			for _, pod := range pods {
				if pod.Role() != facts.ExecutorRole || !pod.Alive() || pod.Terminating() || pod.Created.IsZero() ||
					p.TakenAt.Sub(pod.Created) < p.NewAfter {
					continue
				}
				app := lineage.app(pod)
				if app == nil || app.Malformed != "" || unsettled(p.Snapshot, p.Params, app) || lineage.orphan(pod, p.Params) {
					continue
				}
				if why := lineage.lost(pod, app); why != "" {
					found.add(pod, why)
				}
			}
			a := check.Answer{Judged: len(pods)}
			for _, g := range found.list {
				a.Findings = append(a.Findings, lostExecutors(p.Snapshot, p.Params, lineage, g))
			}
			return a
		},
	}
}

// unsettled reports whether the executors of an application may be without a driver just now: it is being deleted, or
// its driver is being replaced, or has just ended, and what it started follows. The states are those in which the
// operator itself removes the driver (internal/controller/sparkapplication/controller.go@v2.5.2).
func unsettled(s *snapshot.Snapshot, p check.Params, app *snapshot.SparkApplication) bool {
	switch app.State {
	case "", "INVALIDATING", "PENDING_RERUN", "SUCCEEDING", "FAILING", "SUSPENDING", "RESUMING":
		return true
	}
	recent := func(at time.Time) bool { return !at.IsZero() && s.TakenAt.Sub(at) < p.NewAfter }
	return app.Terminating() || app.SubmissionID == "" || recent(app.LastSubmissionAttempt) || recent(app.Terminated)
}

// The plights of an executor, which tell findings of one application apart.
const (
	otherSubmission = "other-submission"
	driverGone      = "driver-gone"
	driverEnded     = "driver-ended"
)

// lost says why nothing uses what an executor computes, or nothing. A driver that terminates takes it along.
func (l *lineage) lost(pod *snapshot.Pod, app *snapshot.SparkApplication) string {
	why := driverGone
	for _, driver := range l.driversOf(pod) {
		if driver.Terminating() {
			return ""
		}
		if driver.Alive() {
			why = ""
			break
		}
		why = driverEnded
	}
	if pod.SubmissionID() != "" && pod.SubmissionID() != app.SubmissionID {
		return otherSubmission
	}
	return why
}

// driversOf returns the driver that an executor refers to, else those of its submission. The list is good until the next call.
func (l *lineage) driversOf(pod *snapshot.Pod) []*snapshot.Pod {
	if driver := l.driverOf(pod); driver != nil {
		l.only[0] = driver
		return l.only[:]
	}
	return l.drivers(pod.Namespace, pod.App(), pod.SubmissionID())
}

// driverName names the driver that an executor had: its own reference does, until the garbage collector drops it
// because another owner holds the executor.
func driverName(pod *snapshot.Pod, app *snapshot.SparkApplication) snapshot.Ref {
	driver := facts.DriverRef(app)
	if own := ownerPod(pod); own.Name != "" {
		driver.Name, driver.UID = own.Name, own.UID
	}
	return driver
}

// lostExecutors states the finding. On 2.4.0 to 2.5.2 the application is a second owner of its executors, so that the
// garbage collector leaves them when the driver goes (kubeflow/spark-operator#2961).
func lostExecutors(s *snapshot.Snapshot, p check.Params, l *lineage, g *group) check.Finding {
	pod := g.pods[0]
	app := l.app(pod)
	why := l.lost(pod, app)
	f := check.Finding{
		About: check.Of(pod).PartOf(pod.App()).Among(g.refs()), Severity: check.Warning, Identity: check.Identity{What: why},
		Field: "metadata.ownerReferences", Related: []snapshot.Ref{app.Ref},
		Evidence: []check.Evidence{
			{Object: pod.Ref, Field: "status.phase", Value: phaseOf(pod)},
			{Object: pod.Ref, Field: "metadata.creationTimestamp", Value: pod.Created.Format(time.RFC3339)},
			{Object: app.Ref, Field: "status.applicationState.state", Value: app.State},
		},
	}
	var cause string
	driver := driverName(pod, app)
	switch why {
	case otherSubmission:
		f.Field = "metadata.labels[" + snapshot.SubmissionIDLabel + "]"
		cause = fmt.Sprintf("belongs to submission %s, and the current one is %s", pod.SubmissionID(), app.SubmissionID)
		f.Saw(pod.Ref, f.Field, pod.SubmissionID())
		f.Saw(app.Ref, "status.submissionID", app.SubmissionID)
	case driverEnded:
		ended := l.driversOf(pod)[0]
		cause = fmt.Sprintf("outlived its driver %q, which has exited", ended.Name)
		f.Related = append(f.Related, ended.Ref)
		f.Saw(ended.Ref, "status.phase", ended.Phase)
	default:
		cause = fmt.Sprintf("outlived its driver %q, which does not exist", driver.Name)
		f.Saw(driver, "metadata.name", "not found")
	}
	if why == driverGone {
		f.Fixes = deletePods(g, []snapshot.Ref{driver}, "it "+cause, s.TakenAt)
	} else {
		f.Fixes = deletePods(g, nil, "it "+cause, s.TakenAt)
	}
	if why == driverGone {
		f.Absent = []check.Absent{{View: snapshot.SparkPods, Ref: driver}}
	}
	if s.Live {
		f.Settles = p.SettleAfter
	}
	others := ""
	if n := len(g.pods) - 1; n > 0 {
		others = phrase.Counted(n, "other executor")
		f.ThenRepair("delete the executors: nothing uses what they compute")
	} else {
		f.ThenRepair("delete the executor: nothing uses what it computes")
	}
	f.Message = fmt.Sprintf("%s executor of SparkApplication %q, created %s ago, %s%s", strings.ToLower(phaseOf(pod)), app.Name,
		g.since(s.TakenAt), cause, facts.Holding(others, g.requests()))
	if why != driverEnded && facts.RefTo(pod).UID != "" { // a pod that has exited still exists, and would hold it by itself
		f.Message += "; the application, its second owner, keeps it from the garbage collector"
	}
	return f
}

// ofOneApplication reports whether two findings are about one application.
func ofOneApplication(f, other *check.Finding) bool {
	return f.Object.Namespace == other.Object.Namespace && f.App == other.App
}
