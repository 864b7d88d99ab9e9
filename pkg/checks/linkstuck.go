package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// movesNoFurther reports whether a check is about applications that stay in a state.
func movesNoFurther(id string) bool {
	return isOneOf(id, stuckNewID, stuckSubmittedID, stuckPendingRerunID, runningButEndedID, stuckBetweenID)
}

// holdsUp reports whether a finding is what keeps applications in their state: a controller that is ill or does not lead, a
// defect of its release, a service account that does not exist, a name that no Service can have, a driver pod that does not
// go, a status that is too large to be written, a submission that was made already.
func holdsUp(stuck *Finding, cause Finding) bool {
	switch cause.Check {
	case undecodableID:
		return stuck.Check == stuckNewID && slices.ContainsFunc(stuck.Related, cause.names)
	case operatorUnhealthyID, controllerPermissionID, leaderElectionID, connectMissingID:
		return slices.ContainsFunc(stuck.Related, cause.isAbout)
	case driverAccountID:
		return stuck.Check == stuckSubmittedID && slices.ContainsFunc(stuck.Related, cause.isAbout)
	case stuckFinalizerID:
		return isOneOf(stuck.Check, stuckPendingRerunID, stuckBetweenID) && slices.ContainsFunc(stuck.Related, cause.isAbout)
	case executorStateOversizedID, objectOversizedID:
		return stuck.Check == runningButEndedID && cause.Severity == Error && stuck.isAbout(cause.Object)
	case knownDefectsID:
		return cause.Severity == Error && slices.ContainsFunc(stuck.members(), cause.isAbout)
	case nameInvalidID:
		return stuck.What == unnoticedWhat && cause.isAbout(stuck.Object)
	case duplicateID:
		return stuck.Check == stuckNewID && stuck.isAbout(cause.Object)
	default:
		return false
	}
}

// members are the object of a finding and those that it joins.
func (f *Finding) members() []snapshot.Ref { return append([]snapshot.Ref{f.Object}, f.Objects...) }

// isAbout reports whether an object is that of a finding, or one of those that it joins.
func (f *Finding) isAbout(r snapshot.Ref) bool {
	return f.Object.Key() == r.Key() || slices.ContainsFunc(f.Objects, func(o snapshot.Ref) bool { return o.Key() == r.Key() })
}

// names reports whether a finding names an object as related.
func (f *Finding) names(r snapshot.Ref) bool {
	return slices.ContainsFunc(f.Related, func(o snapshot.Ref) bool { return o.Key() == r.Key() })
}
