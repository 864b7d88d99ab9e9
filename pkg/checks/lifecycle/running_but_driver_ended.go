package lifecycle

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func runningButDriverEnded() check.Check {
	undated := func(n int) string { return phrase.Counted(n, "driver pod") + " that exited at an unknown time" }
	return standing(check.Check{
		ID: "SD6004", Slug: "running-but-driver-ended", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:   "an application counts as running although its driver has exited",
		Repairs: []fix.Intent{fix.Touch{Application: facts.KindOf(snapshot.SparkApplications)}},
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Relations: check.Relations{CausedBy: stuckCauses(check.Cause{Breaks: check.StatusUpdate, Where: cannotBeWritten})},
	}, undated, func(s *snapshot.Snapshot) func(*snapshot.SparkApplication) *standstill {
		return func(app *snapshot.SparkApplication) *standstill {
			if !isOneOf(app.State, "RUNNING", "SUBMITTED", "UNKNOWN") {
				return nil
			}
			driver := facts.DriverOf(s, app)
			if driver == nil || driver.Terminating() {
				return nil
			}
			end, ended := driverEnd(driver)
			if !ended {
				return nil
			}
			return &standstill{end.Finished, func(in *operator.Installation) check.Finding { return endedUnseen(app, in, driver, end, s.TakenAt) }}
		}
	})
}

// driverContainer is the container by which the operator judges a driver (pkg/common/spark.go@v2.5.2).
const driverContainer = "spark-kubernetes-driver"

// driverEnd returns how the driver ended as the operator sees it: its pod, or its container alone (GetDriverState,
// pkg/util/sparkapplication.go@v2.5.2).
func driverEnd(driver *snapshot.Pod) (end snapshot.ContainerProblem, ended bool) {
	main := driver.Trouble.Container(driverContainer)
	switch {
	case main != nil && main.Ended:
		return *main, true
	case driver.Alive() || driver.Phase == "":
		return end, false
	case driver.Trouble == nil:
		return end, true
	}
	for _, c := range driver.Trouble.Containers {
		if c.Finished.After(end.Finished) {
			end = c
		}
	}
	return end, true
}

func driverHasEnded(driver *snapshot.Pod) bool {
	_, ended := driverEnd(driver)
	return ended
}

// endedUnseen states that the operator missed the end. 2.x looks at a pod only when its phase changes
// (internal/controller/sparkapplication/event_filter.go@v2.0.0 to @v2.5.2), which it does not while another container runs
// (#2299, #841); else the update of the status failed, or the controller was down at that moment (#2658).
func endedUnseen(app *snapshot.SparkApplication, in *operator.Installation, driver *snapshot.Pod, end snapshot.ContainerProblem,
	now time.Time) check.Finding {
	anotherFailed := driver.Phase == "Failed" && end.Name != driverContainer
	failed := end.ExitCode != 0 || anotherFailed
	at, how := facts.When(end.Finished, now), ""
	if failed {
		how = ": " + facts.PodEnd(driver, &end)
	}
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Error, Field: "status.applicationState.state",
		Related: []snapshot.Ref{driver.Ref}, Verdict: check.Verdict{Since: end.Finished},
		Evidence: append([]check.Evidence{stateOf(app), {Object: driver.Ref, Field: "status.phase", Value: driver.Phase}},
			facts.PodEndEvidence(driver, &end)...),
	}
	judgedBy(&f, in)
	if driver.Alive() {
		f.What, f.Shared = "sidecar", "sidecar "+app.Namespace
		f.Brief = fmt.Sprintf("still %s after its driver exited, as another container keeps pod %q running", app.State, driver.Name)
		f.Message = fmt.Sprintf("%s, but the driver in pod %q exited %s: %s; another container keeps the pod running", app.State,
			driver.Name, at, facts.ContainerEnd(&end))
	} else {
		f.What, f.Shared = "ended", "ended "+app.Namespace
		f.Brief = fmt.Sprintf("still %s after driver pod %q %s", app.State, driver.Name, strings.ToLower(driver.Phase))
		f.Message = fmt.Sprintf("%s, but driver pod %q %s %s%s", app.State, driver.Name, strings.ToLower(driver.Phase), at, how)
	}
	if in != nil {
		kick := fix.Touch{Application: app.Ref, State: app.State, At: now, Consequence: "it records that the run completed",
			Quiet: !app.Reruns(failed)}
		if failed {
			kick.Consequence = "it records that the run failed"
		}
		switch {
		case kick.Quiet && app.Lifetime.Limited:
			kick.Consequence += ", and its time to live begins"
		case !kick.Quiet:
			kick.Consequence += ", and runs it again as restartPolicy says"
		}
		f.Fixes = []fix.Intent{kick}
		f.ThenRepair(lookAgain + ": it then records the result")
	} else {
		f.Then(check.Logs("read how the driver exited", driver.Ref, driverContainer, false))
	}
	if driver.Alive() {
		f.Then(command.Do("make the other container exit with the driver, or make it a native sidecar: " +
			"restartPolicy: Always in initContainers"))
	}
	return f
}
