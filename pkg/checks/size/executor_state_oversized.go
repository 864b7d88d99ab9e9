package size

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func executorStateOversized() check.Check {
	return check.Check{
		ID: "SD3001", Slug: "executor-state-oversized", Since: "0.1.0", Consequence: check.WillStop,
		Title:     "status.executorState takes a large share of etcd's limit for one object",
		Needs:     []snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Subject}, facts.LogNeed()},
		Repairs:   []fix.Intent{fix.PruneExecutorState{Application: facts.KindOf(snapshot.SparkApplications)}},
		Relations: check.Relations{Breaks: []check.Part{check.StatusUpdate}},
		Requires:  []check.Requirement{check.As(snapshot.Advised, facts.Installations())},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			logs, installations := p.OperatorLogs(), facts.Installations().Of(p)
			for _, app := range list {
				severity, big := oversized(app.Sizes.Object, p.MaxObjectSize)
				if big && largestPart(app.Sizes).field == facts.ExecutorStateField {
					f := oversizedState(app, severity, p.TakenAt, p.Params)
					refusedForSize(&f, app, logs, p.TakenAt)
					f.ThenRepair("remove the entries of executors that exited")
					limitTracking(&f, facts.OrOnly(operator.For(installations, app.Namespace), installations))
					a.Findings = append(a.Findings, f)
				}
			}
			return a
		},
	}
}

// oversizedState states the finding. The operator never removes an entry during a run
// (internal/controller/sparkapplication/controller.go@v2.5.2, updateExecutorState; #2025). The API server drops
// managedFields when a write is too large, so the object counts without them: measured on Kubernetes 1.36 with
// etcd 3.6, 20,000 entries (1.51 MB) were stored and 22,000 refused.
func oversizedState(app *snapshot.SparkApplication, severity check.Severity, now time.Time, p check.Params) check.Finding {
	f := check.Finding{
		About: check.OfApp(app), Severity: severity, Field: facts.ExecutorStateField,
		Message: fmt.Sprintf("%s with %s takes up %s of %s, %s of etcd's limit of %s", facts.ExecutorStateField,
			facts.EntriesText(app.Executors.Total()),
			facts.BytesText(app.Sizes.ExecutorState), facts.BytesText(app.Sizes.Object), share(app.Sizes.Object, p.MaxObjectSize),
			facts.BytesText(p.MaxObjectSize)),
		Evidence: []check.Evidence{
			sizeEvidence(app, p.MaxObjectSize),
			{Object: app.Ref, Field: facts.ExecutorStateField, Value: fmt.Sprintf("%d bytes", app.Sizes.ExecutorState)},
			{Object: app.Ref, Field: facts.ExecutorStateField, Value: facts.EntriesText(app.Executors.Total()) + facts.ByState(app.Executors)},
		},
	}
	f.Fixes = []fix.Intent{fix.PruneExecutorState{Application: app.Ref, Submission: app.SubmissionID, Keep: p.KeepExecutors}}
	if id := app.Executors.HighestID; id > 0 {
		f.Saw(app.Ref, facts.ExecutorStateField, fmt.Sprintf("highest executor id %d", id))
	}
	rate, full := facts.Growth(app, now, p.NewAfter, p.MaxObjectSize)
	if rate == 0 {
		return f
	}
	value := fmt.Sprintf("%.1f entries per hour since %s", rate, app.LastSubmissionAttempt.Format(time.RFC3339))
	if !full.IsZero() {
		f.Severity = facts.InTime(f.Severity, full.Sub(now))
		f.Brief = fmt.Sprintf("%s is full %s, then neither its status nor its finalizers can be written",
			facts.ExecutorStateField, facts.When(full, now))
		value += ", at that rate full at " + full.Format(time.RFC3339)
		f.Message += fmt.Sprintf("; at %.1f entries per hour the object is full %s", rate, facts.When(full, now))
	}
	f.Saw(app.Ref, "status.lastSubmissionAttemptTime", value)
	return f
}
