package lifecycle

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func scheduleStopped() check.Check {
	return check.Check{
		ID: "SD6007", Slug: "schedule-stopped", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "a schedule starts no runs",
		Needs: []snapshot.Need{
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkApplications, Role: snapshot.Consulted},
			{View: snapshot.Deployments, Role: snapshot.Optional, Scope: snapshot.Everywhere}, facts.LogNeed(),
		},
		Relations: check.Relations{CausedBy: inaction(
			check.Cause{Where: waitsForRun}, check.Cause{Breaks: check.AdmissionPath, Where: runsRefused},
		)},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			var unread, unwatched, idle int
			installations, runs := facts.Installations().Of(p), runsBySchedule(p.SparkApplications())
			schedules := p.ScheduledSparkApplications()
			a.Judged = len(schedules)
			for i := range schedules {
				schedule := &schedules[i]
				if schedule.Malformed != "" {
					unread++
					continue
				}
				t := timing{
					schedule: schedule, runs: runs[check.AppKey(schedule.Namespace, schedule.Name)],
					in: operator.For(installations, schedule.Namespace), now: p.TakenAt, p: p.Params, excerpt: p.Excerpt(),
					logs: p.OperatorLogs(),
					all:  p.Covers(snapshot.SparkApplications, schedule.Namespace),
				}
				t.adviser = facts.OrOnly(t.in, installations)
				a.Findings = append(a.Findings, t.written()...)
				f, why := t.judge()
				switch why {
				case stopped:
					a.Findings = append(a.Findings, f)
				case nobodyLooks:
					unwatched++
				case controllerNotReady:
					idle++
				default:
				}
			}
			a.Findings = foldOverdue(a.Findings)
			for _, u := range []struct {
				n    int
				what string
			}{{unread, "could not be decoded"}, {unwatched, "no operator was seen that watches its namespace"},
				{idle, "wait for a controller that is not ready"}} {
				a.PassOver(u.n, phrase.Counted(u.n, "schedule")+": "+u.what)
			}
			return a
		},
	}
}

// runsBySchedule groups applications as the operator does: by the label, in the schedule's own namespace
// (internal/controller/scheduledsparkapplication/controller.go@v2.5.2, listSparkApplications).
func runsBySchedule(list []*snapshot.SparkApplication) map[snapshot.Key][]*snapshot.SparkApplication {
	out := map[snapshot.Key][]*snapshot.SparkApplication{}
	for _, app := range list {
		if name := app.Labels.Get(snapshot.ScheduledAppLabel); name != "" {
			key := check.AppKey(app.Namespace, name)
			out[key] = append(out[key], app)
		}
	}
	return out
}

// foldOverdue joins the schedules of a namespace that are due for no reason of their own: whatever keeps one keeps all.
func foldOverdue(list []check.Finding) []check.Finding {
	return check.Join(list,
		func(f *check.Finding) string {
			if f.Kind != overdue && f.Kind != notTakenUp {
				return ""
			}
			return f.Object.Namespace + " " + string(f.Kind)
		},
		(*check.Finding).Absorb,
		func(f *check.Finding, n int) {
			if n == 1 {
				return
			}
			f.Message = phrase.Counted(len(f.Objects), "schedule") + " of namespace " + f.Object.Namespace + ", such as " +
				f.Object.Name + ": " + f.Message
		})
}
