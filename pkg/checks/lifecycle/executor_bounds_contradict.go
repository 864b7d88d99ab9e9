package lifecycle

import (
	"fmt"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func executorBounds() check.Check {
	return check.Check{
		ID: "SD6016", Slug: "executor-bounds-contradict", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "dynamic allocation begins with more executors than its maximum",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
		},
		Run: func(p *check.Pass) check.Answer {
			apps, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			told := map[snapshot.Key]bool{} // schedules, whose runs are as their templates
			schedules, malformed := p.ScheduledSparkApplications(), 0
			for i := range schedules {
				o := &schedules[i]
				if o.Malformed != "" {
					malformed++
					continue
				}
				a.Judged++
				if f, wrong := boundsOf(o.Application()); wrong && !o.Terminating() && !o.Suspended && !mayRun(p.Snapshot, o) {
					told[check.AppKey(o.Namespace, o.Name)], a.Findings = true, append(a.Findings, f)
				}
			}
			for _, app := range apps {
				a.Judged++
				if f, wrong := boundsOf(app); wrong && !app.Terminating() && !startedSpark(app) && !told[scheduleOf(app)] {
					a.Findings = append(a.Findings, f)
				}
			}
			if malformed > 0 {
				a.Unjudged = append(a.Unjudged, phrase.Counted(malformed, "ScheduledSparkApplication")+" could not be decoded")
			}
			a.Findings = foldBounds(a.Findings)
			return a
		},
	}
}

// scheduleOf is the schedule that made an application; one without a name if none did.
func scheduleOf(app *snapshot.SparkApplication) snapshot.Key {
	return check.AppKey(app.Namespace, app.Labels.Get(snapshot.ScheduledAppLabel))
}

// mayRun reports whether Spark started the last run of a schedule with its template as it is, or may have: of a run that is not there
// nothing is known.
func mayRun(s *snapshot.Snapshot, o *snapshot.Schedule) bool {
	if o.LastRunName == "" || o.SpecChanged.After(o.LastRun) {
		return false
	}
	run := s.SparkApplication(o.Namespace, o.LastRunName)
	return run == nil || run.Malformed != "" || startedSpark(run)
}

// startedSpark reports whether the last run of an application got beyond where the bounds are checked. The job's code may set others
// than its manifest.
func startedSpark(app *snapshot.SparkApplication) bool {
	return app.State == "RUNNING" || app.State == "SUCCEEDING" || app.State == "COMPLETED" || app.Executors.Total() > 0
}

// count is a number of executors, and the field that sets it; nil: none does.
type count struct {
	n     *int
	field string
}

func setting(name string) string { return `spec.sparkConf["` + name + `"]` }

// counts are how many executors Spark is told to begin with, each by its field, and the maximum. The operator passes the fields behind
// sparkConf, so that they win, and those of spec.dynamicAllocation only if that is enabled (buildSparkSubmitArgs, executorConfOption and
// dynamicAllocationOption in internal/controller/sparkapplication/submission.go@v2.5.2; the same in pkg/controller/sparkapplication/
// submission.go@v1beta2-1.6.2-3.5.0).
func counts(app *snapshot.SparkApplication) (begin []count, most count) {
	conf := app.SparkConf.ExecutorBounds
	least := count{conf.Min, setting("spark.dynamicAllocation.minExecutors")}
	first := count{conf.Initial, setting("spark.dynamicAllocation.initialExecutors")}
	most = count{conf.Max, setting("spark.dynamicAllocation.maxExecutors")}
	if app.DynamicAllocation {
		own := app.ExecutorBounds
		least = least.unless(own.Min, "spec.dynamicAllocation.minExecutors")
		first = first.unless(own.Initial, "spec.dynamicAllocation.initialExecutors")
		most = most.unless(own.Max, "spec.dynamicAllocation.maxExecutors")
	}
	static := count{app.SparkConf.ExecutorInstances, setting("spark.executor.instances")}
	if app.ExecutorInstances != 0 {
		static = count{&app.ExecutorInstances, "spec.executor.instances"}
	}
	return []count{least, first, static}, most
}

// unless is the count, or another one if that is set.
func (c count) unless(n *int, field string) count {
	if n == nil {
		return c
	}
	return count{n, field}
}

// boundsOf states that Spark refuses the bounds of an application. It begins with the largest of the three numbers, and requires that the
// maximum is no less (getDynamicAllocationInitialExecutors in core/src/main/scala/org/apache/spark/util/Utils.scala of Spark 3 and 4;
// getInitialTargetExecutorNumber in core/src/main/scala/org/apache/spark/scheduler/cluster/SchedulerBackendUtils.scala@4a0468d, which
// KubernetesClusterSchedulerBackend.scala@00c026d calls when it is made). One that is too small is ignored with a warning.
func boundsOf(app *snapshot.SparkApplication) (check.Finding, bool) {
	begin, most := counts(app)
	var largest count
	for _, c := range begin {
		if c.n != nil && (largest.n == nil || *c.n > *largest.n) {
			largest = c
		}
	}
	if !facts.Allocates(app) || most.n == nil || largest.n == nil || *largest.n <= *most.n {
		return check.Finding{}, false
	}
	field, limit := app.Path(largest.field), app.Path(most.field)
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Error, Certainty: check.Likely, Field: field,
		Message: fmt.Sprintf("dynamic allocation begins with %s (%s) and has a maximum of %d: "+
			"Spark refuses that, and the driver fails as it starts", phrase.Counted(*largest.n, "executor"), field, *most.n),
	}
	f.Saw(app.Ref, field, strconv.Itoa(*largest.n))
	f.Saw(app.Ref, limit, strconv.Itoa(*most.n))
	f.Then(command.Do("raise %s to %d or more, or lower %s", limit, *largest.n, field))
	return f, true
}

// foldBounds joins the objects of a namespace with the same numbers: they come of one template, as a rule.
func foldBounds(list []check.Finding) []check.Finding {
	return check.Join(list,
		func(f *check.Finding) string { return f.Object.Namespace + " " + f.Object.Kind + " " + f.Message },
		(*check.Finding).Absorb,
		func(f *check.Finding, n int) {
			if n > 1 {
				f.Message = fmt.Sprintf("%s of namespace %s, such as %s: %s", phrase.Counted(len(f.Objects), f.Object.Kind), f.Object.Namespace,
					f.Object.Name, f.Message)
			}
		})
}
