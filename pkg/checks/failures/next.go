package failures

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// failedCauses are the faults of the platform that fail applications. A warning about all runs of a namespace is then as bad as the fault.
func failedCauses() []check.Cause {
	return []check.Cause{
		{Breaks: check.AdmissionPath, Where: calledWebhook, Raise: check.RaiseEffect},
		{Breaks: check.Registration, Where: calledWebhook, Raise: check.RaiseEffect},
		{Breaks: check.DriverAccount, Where: ranAs, Raise: check.RaiseEffect},
		{Breaks: check.ApplicationName, Where: named, Raise: check.RaiseEffect},
		{Breaks: check.SingleSubmission, Where: submittedTwice, Raise: check.RaiseEffect},
		{Breaks: check.Controller, Where: controllerFailed, Raise: check.RaiseEffect},
	}
}

func calledWebhook(f, fault *check.Finding) bool {
	return f.Fault == webhookFailed && check.ServesPods(f, fault)
}

// ranAs reports whether all drivers ran, or were to run, as an account that is missing or may not do what Spark does in a driver.
func ranAs(f, account *check.Finding) bool {
	return (f.Fault == noAccount || f.Fault == exited) && everyMember(f, account.Names)
}

// named reports whether applications that were never submitted have names that cannot be.
func named(f, name *check.Finding) bool { return ofSubmission(f.Fault) && everyMember(f, name.IsAbout) }

func submittedTwice(f, duplicate *check.Finding) bool {
	return f.Fault == nameTaken && everyMember(f, duplicate.IsAbout)
}

// controllerFailed reports whether the controller that could not submit is the one that is ill, or lacks a permission.
func controllerFailed(f, controller *check.Finding) bool {
	return (f.Fault == submitKilled || f.Fault == notAllowed) && check.RelatedMember(f, controller)
}

func everyMember(f *check.Finding, holds func(snapshot.Ref) bool) bool {
	return !slices.ContainsFunc(f.Members(), func(r snapshot.Ref) bool { return !holds(r) })
}

func failedNext(f *check.Finding, _ *check.Context) []check.Command {
	return append(advice(f), askWhy(f))
}

// askWhy is the command that reads the logs and all the rest of an application.
func askWhy(f *check.Finding) check.Command {
	text := "see the cause, its evidence and the timeline"
	if len(f.Objects) > 1 {
		text = "see the cause, its evidence and the timeline of the first"
	}
	return command.Do("%s", text).With("kubectl sparkdoctor why %s -n %s", f.Object.Name, f.Object.Namespace)
}

// advice is what the cause asks for, as far as it is known.
func advice(f *check.Finding) []check.Command {
	pod, _ := f.First("Pod")
	switch f.Fault {
	case outOfMemory:
		return []check.Command{command.Do("raise spec.driver.memoryOverhead, or spec.driver.memory if its heap is full")}
	case evicted:
		return []check.Command{words.EvictionNext(cause.DriverRole, mechanism.ShortageOf(value(f, "status.reason")))}
	case preempted:
		return []check.Command{words.PriorityNext(cause.DriverRole)}
	case drained, nodeLost:
		return []check.Command{command.Do("run drivers on nodes that stay while they run")}
	case deadline:
		return []check.Command{command.Do("raise activeDeadlineSeconds in the template of the driver")}
	case rejected:
		return []check.Command{command.Do("run it again: the node filled up between scheduling and start")}
	case initFailed:
		return []check.Command{check.Logs("read what the init container logged", pod, f.Container, false)}
	case notStarted:
		return []check.Command{command.Do("use an image with the entrypoint of Spark, built for the CPU architecture of the nodes")}
	case nameTaken:
		return []check.Command{command.Do("see which pod has the name of the driver").On("get", pod)}
	case submitKilled:
		return []check.Command{command.Do("raise the memory limit of the operator's controller to 1Gi or more")}
	case webhookFailed, noAccount, notAllowed, refused:
		if r, known := mechanism.NewMessages().Refused(value(f, errorMessage)); known {
			return words.Refused(&r, "the driver").Do
		}
	}
	return nil
}

// value is what a field of the evidence says.
func value(f *check.Finding, field string) string {
	i := slices.IndexFunc(f.Evidence, func(e check.Evidence) bool { return e.Field == field })
	if i < 0 {
		return ""
	}
	return f.Evidence[i].Value
}
