package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// keepsFromActing reports whether a finding is why the operator starts no run of a schedule, or does not delete what
// outlived its time: a controller that is ill or may not, a webhook that refuses all runs, the run that Forbid waits for.
func keepsFromActing(f *Finding, cause Finding) bool {
	switch {
	case f.What == blockedWhat:
		return cause.Check != scheduleStoppedID && isRunOf(f, cause)
	case !slices.Contains([]string{overdueWhat, notTakenUpWhat, expiredWhat}, f.What):
		return false
	case isOneOf(cause.Check, operatorUnhealthyID, leaderElectionID, controllerPermissionID):
		return slices.ContainsFunc(f.Related, func(r snapshot.Ref) bool { return r.Key() == cause.Object.Key() })
	case cause.Check == namespaceNotWatchedID:
		return cause.Object.Kind == "Namespace" && cause.Object.Name == namespaceOf(f.Object)
	default:
		return f.What == overdueWhat && isBrokenPath(cause.Check) && cause.Severity == Error && missesPods(f, cause)
	}
}

// isRunOf reports whether a finding is about the run that a schedule waits for, or a part of it.
func isRunOf(schedule *Finding, other Finding) bool {
	return slices.ContainsFunc(schedule.Related, func(r snapshot.Ref) bool {
		return r.Kind == "SparkApplication" && (other.isAbout(r) || other.Object.Namespace == r.Namespace && other.App == r.Name)
	})
}
