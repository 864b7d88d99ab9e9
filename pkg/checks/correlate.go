package checks

import (
	"slices"
)

// Correlate looks at the findings of all checks together. It is the only place that changes a finding because of
// another one: it folds findings that are one to the reader and links causes.
func Correlate(results []Result) []Result {
	out := slices.Clone(results)
	for i := range out {
		out[i].Findings = foldShared(fold(out[i].Findings))
		if out[i].Check.ID == ownerMissingID {
			out[i].Findings = foldUncollected(out[i].Findings)
		}
	}
	link(out)
	raise(out)
	for i := range out {
		if out[i].Check.ID == unmutatedPodID {
			out[i].Findings = foldByCause(out[i].Findings)
		}
	}
	return out
}

// raise makes an open webhook an error while calls of it fail: pods are being admitted unmutated now.
func raise(results []Result) {
	for i, r := range results {
		if r.Check.ID != webhookFailsOpenID {
			continue
		}
		for j := range r.Findings {
			if f := &results[i].Findings[j]; f.Severity == Warning && slices.ContainsFunc(causesOf(f, results), breaksCalls) {
				f.Severity = Error
			}
		}
	}
	raiseDrift(results)
}

// raiseDrift makes a Secret or caBundle that another manager owns an error where it is wrong now.
func raiseDrift(results []Result) {
	broken := map[string]bool{} // fingerprints of the drift behind it
	for _, r := range results {
		for _, f := range r.Findings {
			for _, cause := range f.CausedBy {
				broken[cause] = broken[cause] || breaksCalls(f) && f.Check != webhookFailsOpenID
			}
		}
	}
	for i := range results {
		for j := range results[i].Findings {
			if f := &results[i].Findings[j]; f.Check == webhookSecretDriftID && broken[f.Fingerprint()] {
				f.Severity = Error
			}
		}
	}
}

// breaksCalls reports whether calls of a webhook fail because of a finding. A certificate that is about to expire still works.
func breaksCalls(f Finding) bool { return f.Severity == Error && isBrokenPath(f.Check) }

// isBrokenPath names the checks of what is between the API server and the webhook.
func isBrokenPath(id string) bool {
	return slices.Contains([]string{webhookUnreachableID, webhookCAMismatchID, webhookCertInvalidID, replicasDivergeID}, id)
}

// The checks that Correlate knows by id.
const (
	webhookFailsOpenID   = "SD1001"
	webhookUnreachableID = "SD1002"
	webhookCAMismatchID  = "SD1003"
	webhookCertInvalidID = "SD1004"
	replicasDivergeID    = "SD1005"
	webhookSecretDriftID = "SD1006"
	webhookStaleConfigID = "SD1009"

	webhookSkipsNamespaceID = "SD1007"
	webhookMissingID        = "SD1008"

	ownerMissingID   = "SD2002"
	deletedAcrossID  = "SD2003"
	workflowOwnsID   = "SD2004"
	stuckFinalizerID = "SD2005"

	namespaceNotWatchedID = "SD5001"
	undecodableID         = "SD5003"
	connectMissingID      = "SD5011"
	twoOperatorsID        = "SD5004"
	leaderElectionID      = "SD5005"
	operatorUnhealthyID   = "SD5008"
	knownDefectsID        = "SD5009"
	nameInvalidID         = "SD6012"
	finishedPileUpID      = "SD6008"
	scheduleStoppedID     = "SD6007"

	executorStateOversizedID = "SD3001"
	objectOversizedID        = "SD3004"
	orphanExecutorID         = "SD4003"

	stuckNewID          = "SD6001"
	stuckSubmittedID    = "SD6002"
	stuckPendingRerunID = "SD6003"
	runningButEndedID   = "SD6004"
	stuckBetweenID      = "SD6005"
	duplicateID         = "SD6006"
)
