package checks

import (
	"fmt"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const (
	manyTracked = 5000 // a limit above it lets status.executorState reach a quarter of etcd's limit and more
	manyEntries = 1000 // the default limit since 2.1.0: what no application needs to exceed
	shownApps   = 10   // applications named as evidence
)

func executorTrackingUnbounded() Check {
	return Check{
		ID: "SD3002", Slug: "executor-tracking-unbounded", Since: "0.1.0",
		Title:    "an operator writes every executor that an application ever had into its status",
		Unscoped: true,
		Next:     "set controller.maxTrackedExecutorPerApp to 1000, or upgrade to 2.1.0 or later",
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Run: func(s *snapshot.Snapshot, _ Params) Answer {
			list, unjudged := decoded(s)
			a := Answer{Unjudged: unjudged}
			installations := operator.Find(s.Deployments())
			for i := range installations {
				in := &installations[i]
				if in.Controller == nil || in.Controller.Replicas == 0 {
					continue
				}
				a.Judged++
				if !unbounded(in) {
					continue
				}
				if growing := growingUnder(in, list); len(growing) > 0 {
					a.Findings = append(a.Findings, unboundedTracking(in, growing))
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

// growingUnder returns the applications of an installation whose list of executors is long, or may get long: with
// dynamic allocation every executor that is given back and asked for again has a new id (#2025). An application that
// ended with a short list shows that its runs are short.
func growingUnder(in *operator.Installation, list []*snapshot.SparkApplication) []*snapshot.SparkApplication {
	var out []*snapshot.SparkApplication
	for _, app := range list {
		if app.Terminating() || !in.Watches(app.Namespace) {
			continue
		}
		if app.Executors.Total() > manyEntries || allocates(app) && !app.Ended() {
			out = append(out, app)
		}
	}
	return out
}

// allocates reports whether Spark's dynamic allocation is on. spec.dynamicAllocation.enabled=false does not unset
// what sparkConf says (internal/controller/sparkapplication/submission.go@v2.5.2, dynamicAllocationOption).
func allocates(app *snapshot.SparkApplication) bool {
	return app.DynamicAllocation || app.SparkConf.DynamicAllocation
}

func unboundedTracking(in *operator.Installation, growing []*snapshot.SparkApplication) Finding {
	d := in.Controller
	f := Finding{
		Object: d.Ref, Location: d.Location, Labels: d.Labels, Severity: Warning, Field: "spec.template.spec.containers",
		Evidence: []Evidence{{Object: d.Ref, Field: "version", Value: in.Stated}},
	}
	if !in.Recognised || in.Narrowed() {
		f.Certainty = Likely
	}
	kept := fmt.Sprintf("operator %s has no limit to the executors that it writes to %s", in.Stated, executorStateField)
	if limit, limited := in.TrackedExecutors(); limited {
		kept = fmt.Sprintf("the operator writes executors up to id %d to %s", limit, executorStateField)
		f.Evidence = append(f.Evidence, Evidence{Object: d.Ref, Field: "--max-tracked-executor-per-app", Value: strconv.Itoa(limit)})
	}
	most, allocating, long := growing[0], 0, 0
	for _, app := range growing {
		f.Related = append(f.Related, app.Ref)
		if len(f.Related) <= shownApps {
			f.Evidence = append(f.Evidence, growthOf(app))
		}
		if allocates(app) {
			allocating++
		}
		if app.Executors.Total() > manyEntries {
			long++
		}
		if app.Executors.Total() > most.Executors.Total() {
			most = app
		}
	}
	f.Message = fmt.Sprintf("%s; %s with dynamic allocation, %d with more than %d entries", kept, counted(allocating, "application"), long, manyEntries)
	if n := most.Executors.Total(); n > 0 {
		f.Message += fmt.Sprintf(", the longest list is that of %s/%s with %s", most.Namespace, most.Name, entriesText(n))
	}
	return f
}

// growthOf is why an application counts.
func growthOf(app *snapshot.SparkApplication) Evidence {
	switch {
	case app.Executors.Total() > manyEntries:
		return Evidence{Object: app.Ref, Field: executorStateField, Value: entriesText(app.Executors.Total()) + byState(app.Executors)}
	case app.DynamicAllocation:
		return Evidence{Object: app.Ref, Field: "spec.dynamicAllocation.enabled", Value: "true"}
	default:
		return Evidence{Object: app.Ref, Field: `spec.sparkConf["spark.dynamicAllocation.enabled"]`, Value: "true"}
	}
}
