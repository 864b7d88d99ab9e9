package failures

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
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

// askWhy names the command that reads the logs and all the rest of an application.
func askWhy(f *check.Finding) {
	ask := func(of string) check.Command {
		return command.Do("see the cause, its evidence and the timeline%s", of).
			With("kubectl sparkdoctor why %s -n %s", f.Object.Name, f.Object.Namespace)
	}
	f.ThenIf(check.Single, ask(""))
	f.ThenIf(check.Many, ask(" of the first"))
}
