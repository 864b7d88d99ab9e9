package leftovers

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func finishedPileUp() check.Check {
	return check.Check{
		ID: "SD6008", Slug: "finished-pile-up", Since: "0.1.0", Consequence: check.Wastes,
		Title: "finished applications are not deleted",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Consulted},
		},
		Repairs: []fix.Intent{fix.DeleteObject{Object: facts.KindOf(snapshot.SparkApplications)}},
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.Controller, Where: notDeleted},
			{Breaks: check.NamespaceWatch, Where: watchedByNone}}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			installations := facts.Installations().Of(p)
			undated, unkept := 0, 0
			var piles pileUps
			for _, app := range list {
				kind := remains(app, operator.For(installations, app.Namespace), p.TakenAt, p.Params)
				if kind == endUnknown {
					undated++
					continue
				}
				piles.add(app, kind)
			}
			a.PassOver(undated, phrase.Counted(undated, "SparkApplication")+" that finished without status.terminationTime")
			piles.countDrivers(p.SparkPods())
			for _, h := range piles.list {
				if h.kind == noTimeToLive && len(h.apps) < p.PileUp {
					continue
				}
				in := operator.For(installations, h.namespace)
				if h.kind == noTimeToLive && in == nil && p.Excerpt() {
					unkept += len(h.apps)
					continue
				}
				f := h.finding(p.TakenAt, p.Params, in)
				h.advise(&f, facts.OrOnly(in, installations))
				if in == nil && !p.CoversAll(snapshot.Deployments) {
					f.Certainty = check.Likely // an operator that was not seen may have a time to live for all
				}
				a.Findings = append(a.Findings, f)
			}
			a.PassOver(unkept, phrase.Counted(unkept, "application")+" without a time to live: an operator that was not seen may have one for all")
			return a
		},
	}
}

// Why an application that ended is still there; the words tell findings about one namespace apart.
const (
	noTimeToLive check.Kind = "no-time-to-live"
	outlived     check.Kind = "expired"
	neverExpires check.Kind = "never-expires"
	endUnknown   check.Kind = "undated"
)

// remains says why an application that ended is still there, empty if that is as it should be. The operator deletes what
// is COMPLETED or FAILED once status.terminationTime is longer ago than spec.timeToLiveSeconds, and never without that
// time (pkg/util/sparkapplication.go@v2.0.0 to @v2.5.2, IsExpired; pkg/controller/sparkapplication/controller.go@
// v1beta2-1.6.2-3.5.0, hasApplicationExpired). Runs of a schedule are kept by its history limits (internal/controller/
// scheduledsparkapplication/controller.go@v2.5.2, checkAndUpdatePastRuns), those of a workflow by the workflow's own.
func remains(app *snapshot.SparkApplication, in *operator.Installation, now time.Time, p check.Params) check.Kind {
	life := app.Lifetime
	if in != nil && !life.Limited && in.DefaultTimeToLive() > 0 {
		life = snapshot.Lifetime{Limited: true, Seconds: int64(in.DefaultTimeToLive() / time.Second)}
	}
	ended := app.Terminated
	switch {
	case !app.Ended() || app.Terminating():
		return ""
	case life.Limited && ended.IsZero():
		// It may have ended just now; that the time is written later than the state was never seen.
		if now.Sub(app.LastSubmissionAttempt) < p.NewAfter {
			return ""
		}
		return neverExpires
	case life.Limited:
		// The controller asks for another look exactly when the time is over, 1.x every 30 seconds.
		if now.Sub(ended) > life.Span()+p.NewAfter {
			return outlived
		}
		return ""
	case len(app.Owners) > 0:
		return "" // it goes with its owner
	case ended.IsZero():
		return endUnknown
	case now.Sub(ended) >= p.FinishedAfter:
		return noTimeToLive
	default:
		return ""
	}
}

// notDeleted reports whether the controller is the one that does not delete what outlives its time.
func notDeleted(f, controller *check.Finding) bool {
	return f.Kind == outlived && check.RelatedObject(f, controller)
}

// watchedByNone reports whether no operator looks at a namespace with applications that outlive their time.
func watchedByNone(f, namespace *check.Finding) bool {
	return f.Kind == outlived && namespace.Object.Kind == "Namespace" && namespace.Object.Name == check.NamespaceOf(f.Object)
}
