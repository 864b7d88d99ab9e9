package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// heldUp are the causes of applications that stay in a state: a controller that is ill, a defect of its release, and what
// keeps applications in that state only.
func heldUp(others ...Cause) []Cause {
	return append([]Cause{
		{Breaks: Controller, Where: RelatedMember}, {Breaks: ControllerCache, Where: RelatedMember}, {Breaks: Release, Where: runsInto},
	}, others...)
}

// runsInto reports whether a defect stops an application of the finding.
func runsInto(stuck, defect *Finding) bool {
	return defect.Severity == Error && slices.ContainsFunc(stuck.members(), defect.isAbout)
}

// waitsForCache reports whether the controller that lacks an application is the one whose cache stays empty.
func waitsForCache(stuck, cause *Finding) bool {
	return slices.ContainsFunc(stuck.Related, cause.names)
}

// submittedBefore reports whether an application without a state was submitted already.
func submittedBefore(stuck, duplicate *Finding) bool { return stuck.isAbout(duplicate.Object) }

// unnoticedName reports whether an application has a name that its Services cannot have, so that the operator never records its driver.
func unnoticedName(stuck, name *Finding) bool {
	return stuck.Kind == unnoticedDriver && name.isAbout(stuck.Object)
}

// cannotBeWritten reports whether the status of an application is too large to be updated.
func cannotBeWritten(stuck, size *Finding) bool {
	return size.Severity == Error && stuck.isAbout(size.Object)
}

// inaction are the causes of schedules that start no run and of applications that outlive their time: a controller that does not act.
func inaction(others ...Cause) []Cause {
	return append([]Cause{{Breaks: Controller, Where: doesNotAct}, {Breaks: NamespaceWatch, Where: unwatched}}, others...)
}

// awaits reports whether the finding is that the controller does not do something.
func awaits(f *Finding) bool { return slices.Contains([]Kind{overdue, notTakenUp, outlived}, f.Kind) }

func doesNotAct(f, controller *Finding) bool { return awaits(f) && RelatedObject(f, controller) }

func unwatched(f, namespace *Finding) bool {
	return awaits(f) && namespace.Object.Kind == "Namespace" && namespace.Object.Name == namespaceOf(f.Object)
}

// runsRefused reports whether a webhook refuses all runs of a schedule.
func runsRefused(f, path *Finding) bool {
	return f.Kind == overdue && path.Severity == Error && ServesPods(f, path)
}

// waitsForRun reports whether a finding is about the run that a schedule waits for, or a part of it.
func waitsForRun(f, other *Finding) bool {
	return f.Kind == blockedByRun && slices.ContainsFunc(f.Related, func(r snapshot.Ref) bool {
		return r.Kind == "SparkApplication" && (other.isAbout(r) || other.Object.Namespace == r.Namespace && other.App == r.Name)
	})
}
