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

const manyTracked = 5000 // a limit above it lets status.executorState reach a quarter of etcd's limit and more

const manyEntries = 1000 // the default limit since 2.1.0: what no application needs to exceed

func executorTrackingUnbounded() check.Check {
	return check.Check{
		ID: "SD3002", Slug: "executor-tracking-unbounded", Since: "0.1.0", Consequence: check.WillStop,
		Title:    "an operator records every executor of an application in its status, without a useful limit",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			installations := facts.Installations().Of(p)
			for i := range installations {
				in := &installations[i]
				if !in.ScaledUp() {
					continue
				}
				a.Judged++
				if !unbounded(in) {
					continue
				}
				if growing := growingUnder(in, list); len(growing) > 0 {
					f := unboundedTracking(in, growing)
					limitTracking(&f, in)
					a.Findings = append(a.Findings, f)
				}
			}
			return a
		},
	}
}

// unbounded reports whether an installation keeps more executors than an object can well hold: the limit came with
// 2.1.0 (#2181).
func unbounded(in *operator.Installation) bool {
	limit, limited := in.TrackedExecutors()
	return !limited || limit > manyTracked
}

// limitTracking bounds the executors that an installation tracks: the value came with 2.1.0
// (charts/spark-operator-chart/values.yaml@v2.1.0).
func limitTracking(f *check.Finding, in *operator.Installation) {
	if in == nil {
		return
	}
	switch limit, limited := in.TrackedExecutors(); {
	case !limited:
		since := operator.Since(func(facts *operator.Facts) bool { return facts.TrackedExecutors > 0 })
		f.Then(command.Upgrade(in, since, ": before, nothing limits the executors that it tracks"))
	case limit > manyTracked:
		f.Then(command.Set(in, command.Value{
			Path: "controller.maxTrackedExecutorPerApp", To: strconv.Itoa(manyEntries), Flag: "max-tracked-executor-per-app",
		}))
	}
}

// growingUnder returns the applications of an installation whose list of executors is long, or may get long: with
// dynamic allocation every executor that is given back and asked for again has a new id (#2025). An application that
// ended with a short list shows that its runs are short.
func growingUnder(in *operator.Installation, list []*snapshot.SparkApplication) []*snapshot.SparkApplication {
	var out []*snapshot.SparkApplication
	for _, app := range list {
		if app.Terminating() || !in.Watches(app.Namespace) {
			continue
		}
		if app.Executors.Total() > manyEntries || facts.Allocates(app) && !app.Ended() {
			out = append(out, app)
		}
	}
	return out
}

func unboundedTracking(in *operator.Installation, growing []*snapshot.SparkApplication) check.Finding {
	d := in.Controller
	f := check.Finding{
		About: check.Of(d), Severity: check.Warning, Field: "spec.template.spec.containers",
		Evidence: []check.Evidence{{Object: d.Ref, Field: "version", Value: in.Stated}},
	}
	if !in.Recognised || in.Narrowed() {
		f.Certainty = check.Likely
	}
	kept := fmt.Sprintf("operator %s records executors in %s without a limit", in.Stated, facts.ExecutorStateField)
	if limit, limited := in.TrackedExecutors(); limited {
		kept = fmt.Sprintf("the operator records executors up to id %d in %s", limit, facts.ExecutorStateField)
		f.Saw(d.Ref, "--max-tracked-executor-per-app", strconv.Itoa(limit))
	}
	most := growing[0]
	allocating, long := 0, 0
	for _, app := range growing {
		f.Related = append(f.Related, app.Ref)
		if len(f.Related) <= facts.ShownApps {
			f.Evidence = append(f.Evidence, growthOf(app))
		}
		if facts.Allocates(app) {
			allocating++
		}
		if app.Executors.Total() > manyEntries {
			long++
		}
		if app.Executors.Total() > most.Executors.Total() {
			most = app
		}
	}
	f.Message = fmt.Sprintf("%s; %s with dynamic allocation, %d with more than %d entries", kept,
		phrase.Counted(allocating, "application"), long, manyEntries)
	if n := most.Executors.Total(); n > 0 {
		f.Message += fmt.Sprintf("; %s/%s has the longest list, %s", most.Namespace, most.Name, facts.EntriesText(n))
	}
	return f
}

// growthOf is why an application counts.
func growthOf(app *snapshot.SparkApplication) check.Evidence {
	switch {
	case app.Executors.Total() > manyEntries:
		return check.Evidence{Object: app.Ref, Field: facts.ExecutorStateField,
			Value: facts.EntriesText(app.Executors.Total()) + facts.ByState(app.Executors)}
	case app.DynamicAllocation:
		return check.Evidence{Object: app.Ref, Field: "spec.dynamicAllocation.enabled", Value: "true"}
	default:
		return check.Evidence{Object: app.Ref, Field: `spec.sparkConf["spark.dynamicAllocation.enabled"]`, Value: "true"}
	}
}
