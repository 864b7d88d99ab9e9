package lifecycle

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// scheduleNext: what the operator of 2.x refused, or has planned, stays until the object is made again.
func scheduleNext(f *check.Finding, x *check.Context) []check.Command {
	again := command.Do("save it, to re-create it").On("get", f.Object, "-o yaml")
	switch f.Kind {
	case failedValidation:
		switch {
		case f.Fault == staysRefused:
			again.Text = "re-create it as it is: the operator does not recheck it"
		case timing{in: x.Operator(f)}.rules().Sticky:
			again.Text = "correct spec.schedule or spec.timeZone, and re-create it"
		default:
			again = command.Do("correct spec.schedule or spec.timeZone").On("edit", f.Object)
		}
		return []check.Command{again}
	case nameTooLong:
		rules := timing{in: x.Operator(f)}.rules()
		again.Text = fmt.Sprintf("re-create it with a name of at most %d characters", maxLabel-1-rules.Digits)
		return []check.Command{again}
	case noConcurrencyPolicy:
		return []check.Command{command.Do("set spec.concurrencyPolicy: Forbid waits for the run before, Allow does not").
			On("patch", f.Object, `--type merge -p '{"spec":{"concurrencyPolicy":"Forbid"}}'`)}
	case blockedByRun:
		run, _ := f.First("SparkApplication")
		return []check.Command{command.Do("see why run %s is stuck", run.Name).
			With("kubectl sparkdoctor scan sparkapplication/%s -n %s", run.Name, run.Namespace)}
	case changedSchedule:
		again.Text = "wait for that run, or re-create the object to apply the new schedule now"
		return []check.Command{again}
	default:
		return controllerLog(f, x)
	}
}

func pileUpNext(f *check.Finding, x *check.Context) []check.Command {
	gone := f.Repair("delete the finished ones")
	switch f.Kind {
	case outlived:
		return append(controllerOnly(f, x), gone)
	case neverExpires:
		return []check.Command{gone}
	default:
		return []check.Command{gone, command.Do("set spec.timeToLiveSeconds in the manifest of the applications")}
	}
}

// controllerOnly shows the controller's log where a finding is about no one application.
func controllerOnly(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	if in == nil || in.Controller == nil {
		return nil
	}
	return []check.Command{command.Do("read why the controller does not delete them").
		With("kubectl -n %s logs deployment/%s --since 1h", in.Controller.Namespace, in.Controller.Name)}
}

func retryNext(f *check.Finding, _ *check.Context) []check.Command {
	const restarts = "in its manifest; changing a running application restarts its job"
	switch f.Kind {
	case retriesNothing:
		return []check.Command{command.Do("set %s %s", f.Field, restarts)}
	case lacksInterval:
		return []check.Command{command.Do("set %s, in seconds, %s", f.Field, restarts)}
	default:
		return []check.Command{command.Do("set spec.restartPolicy.type to OnFailure or Never %s", restarts)}
	}
}

func churnNext(f *check.Finding, _ *check.Context) []check.Command {
	pod, left := f.First("Pod")
	if !left {
		return []check.Command{command.Do("watch how executors exit").With("kubectl -n %s get pods -l %s=%s,%s=executor -w", f.Object.Namespace,
			snapshot.AppNameLabel, f.Object.Name, snapshot.RoleLabel)}
	}
	out := []check.Command{check.Logs("read what an executor logged before it failed", pod, "", false)}
	if f.Fault == outOfMemory {
		out = append(out, command.Do("raise spec.executor.memoryOverhead or spec.executor.memory in the manifest of the application"))
	}
	return out
}

// leftoversNext: claims hold data, and are deleted by name only.
func leftoversNext(f *check.Finding, _ *check.Context) []check.Command {
	var out []check.Command
	if len(f.Fixes) > 0 {
		out = append(out, f.Repair("delete them"))
	}
	if claim, is := f.First("PersistentVolumeClaim"); is {
		text := "delete claim " + claim.Name
		if len(f.Objects) > len(f.Fixes)+1 {
			text = "delete claims such as " + claim.Name
		}
		out = append(out, command.Do("%s, once nothing needs the data", text).On("delete", claim))
	}
	if len(out) == 0 {
		return []check.Command{command.Do("delete %s %s, if it is not needed", f.Objects[0].Kind, f.Objects[0].Name).On("delete", f.Objects[0])}
	}
	return out
}

// nameNext: the name of the UI Service has seven characters more than that of its application (pkg/util/sparkapplication.go@v2.0.0).
func nameNext(f *check.Finding, x *check.Context) []check.Command {
	most := maxLabel - len("-ui-svc")
	if f.Object.Kind == "ScheduledSparkApplication" {
		most = maxLabel - 1 - timing{in: x.Operator(f)}.rules().Digits
	}
	return []check.Command{command.Do("re-create it with a name that starts with a letter and uses only a-z, 0-9 and '-' (max %d)", most).
		On("get", f.Object, "-o yaml")}
}

func kueueNext(f *check.Finding, _ *check.Context) []check.Command {
	resume := command.Do("or run it without a queue: drop the label and resume it").On("patch", f.Object,
		`--type merge -p '{"metadata":{"labels":{"`+snapshot.QueueOfKueue+`":null}},"spec":{"suspend":false}}'`)
	if len(f.Objects) > 1 {
		resume.Text = "or run each without a queue: drop the label and resume it"
	}
	if f.Fault == noKueue {
		resume.Text = "install Kueue, or drop the label and resume it"
		return []check.Command{resume}
	}
	return []check.Command{command.Do("enable integration sparkoperator.k8s.io/sparkapplication and " +
		"feature gate SparkApplicationIntegration in Kueue"),
		resume}
}
