package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// movesNoFurther reports whether a check is about applications that stay in a state.
func movesNoFurther(id string) bool {
	return isOneOf(id, stuckNewID, stuckSubmittedID, stuckPendingRerunID, runningButEndedID, stuckBetweenID)
}

// holdsUp reports whether a finding is what keeps applications in their state: a controller that is ill, stopped or not
// allowed to, a service account that does not exist, a driver pod that does not go, a status that is too large to be
// written, a submission that was made already.
func holdsUp(stuck *Finding, cause Finding) bool {
	switch cause.Check {
	case operatorUnhealthyID:
		return slices.ContainsFunc(stuck.Related, cause.isAbout)
	case "SD5003": // undecodable-application: it stops its controller
		return slices.ContainsFunc(cause.Related, func(r snapshot.Ref) bool {
			return r.Kind == "Deployment" && slices.ContainsFunc(stuck.Related, func(o snapshot.Ref) bool { return o.Key() == r.Key() })
		})
	case controllerPermissionID:
		return isOneOf(stuck.Check, stuckSubmittedID, stuckBetweenID) && slices.ContainsFunc(stuck.Related, cause.isAbout)
	case driverAccountID:
		return stuck.Check == stuckSubmittedID && slices.ContainsFunc(stuck.Related, cause.isAbout)
	case stuckFinalizerID:
		return isOneOf(stuck.Check, stuckPendingRerunID, stuckBetweenID) && slices.ContainsFunc(stuck.Related, cause.isAbout)
	case executorStateOversizedID, objectOversizedID:
		return stuck.Check == runningButEndedID && cause.Severity == Error && stuck.isAbout(cause.Object)
	case "SD6012": // name-invalid: no Service can have it
		return stuck.What == unnoticedWhat && cause.isAbout(stuck.Object)
	case duplicateID:
		return stuck.Check == stuckNewID && stuck.isAbout(cause.Object)
	default:
		return false
	}
}

// isAbout reports whether an object is that of a finding, or one of those that it joins.
func (f *Finding) isAbout(r snapshot.Ref) bool {
	return f.Object.Key() == r.Key() || slices.ContainsFunc(f.Objects, func(o snapshot.Ref) bool { return o.Key() == r.Key() })
}
