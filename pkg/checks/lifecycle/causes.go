package lifecycle

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// stuckCauses are the causes of applications that stay in a state: a controller that is ill, a defect of its release, and what
// keeps applications in that state only.
func stuckCauses(others ...check.Cause) []check.Cause {
	return append([]check.Cause{
		{Breaks: check.Controller, Where: check.RelatedMember}, {Breaks: check.ControllerCache, Where: check.RelatedMember},
		{Breaks: check.Release, Where: runsInto},
	}, others...)
}

// runsInto reports whether a defect stops an application of the finding.
func runsInto(stuck, defect *check.Finding) bool {
	return defect.Severity == check.Error && slices.ContainsFunc(stuck.Members(), defect.IsAbout)
}

// waitsForCache reports whether the controller that lacks an application is the one whose cache stays empty.
func waitsForCache(stuck, cause *check.Finding) bool {
	return slices.ContainsFunc(stuck.Related, cause.Names)
}

// submittedBefore reports whether an application without a state was submitted already.
func submittedBefore(stuck, duplicate *check.Finding) bool { return stuck.IsAbout(duplicate.Object) }

// unnoticedName reports whether an application has a name that its Services cannot have, so that the operator never records its driver.
func unnoticedName(stuck, name *check.Finding) bool {
	return stuck.Kind == unnoticedDriver && name.IsAbout(stuck.Object)
}

// cannotBeWritten reports whether the status of an application is too large to be updated.
func cannotBeWritten(stuck, size *check.Finding) bool {
	return size.Severity == check.Error && stuck.IsAbout(size.Object)
}

// inaction are the causes of schedules that start no run: a controller that does not act.
func inaction(others ...check.Cause) []check.Cause {
	return append([]check.Cause{{Breaks: check.Controller, Where: doesNotAct}, {Breaks: check.NamespaceWatch, Where: watchedByNone}},
		others...)
}

// awaits reports whether the finding is that the controller does not do something.
func awaits(f *check.Finding) bool {
	return slices.Contains([]check.Kind{overdue, notTakenUp}, f.Kind)
}

func doesNotAct(f, controller *check.Finding) bool {
	return awaits(f) && check.RelatedObject(f, controller)
}

func watchedByNone(f, namespace *check.Finding) bool {
	return awaits(f) && namespace.Object.Kind == "Namespace" && namespace.Object.Name == check.NamespaceOf(f.Object)
}

// runsRefused reports whether a webhook refuses all runs of a schedule.
func runsRefused(f, path *check.Finding) bool {
	return f.Kind == overdue && path.Severity == check.Error && check.ServesPods(f, path)
}

// waitsForRun reports whether a finding is about the run that a schedule waits for, or a part of it.
func waitsForRun(f, other *check.Finding) bool {
	return f.Kind == blockedByRun && slices.ContainsFunc(f.Related, func(r snapshot.Ref) bool {
		aboutPart := other.Object.Namespace == r.Namespace && other.App == r.Name
		return r.Kind == "SparkApplication" && (aboutPart || other.IsAbout(r))
	})
}
