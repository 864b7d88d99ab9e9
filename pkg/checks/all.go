package checks

// All returns the catalogue in order of id. Retired ids stay in the comment below and are never used again.
func All() []Check {
	return []Check{
		webhookFailsOpen(),
		webhookUnreachable(),
		webhookCAMismatch(),
		webhookCertInvalid(),
		webhookReplicasDiverge(),
		webhookSecretDrift(),
		webhookSkipsNamespace(),
		webhookMissing(),
		webhookStaleConfig(),
		crossNamespaceOwner(),
		ownerMissing(),
		deletedAcrossNamespaces(),
		workflowOwnsAcrossNamespaces(),
		stuckFinalizer(),
		driverWithoutOwner(),
		executorStateOversized(),
		executorTrackingUnbounded(),
		executorsBeyondTrackingLimit(),
		objectOversized(),
		driverLostBeforeRecorded(),
		orphanPod(),
		unmutatedPod(),
		orphanExecutor(),
		namespaceNotWatched(),
		twoOperators(),
		leaderElection(),
		controllerLacksPermission(),
		driverServiceAccount(),
		operatorUnhealthy(),
		stuckNew(),
		stuckSubmitted(),
		stuckPendingRerun(),
		runningButDriverEnded(),
		stuckBetween(),
		duplicateSubmission(),
		scheduleStopped(),
		finishedPileUp(),
		executorChurn(),
		leftovers(),
		nameInvalid(),
	}
}

// Retired ids: none.
