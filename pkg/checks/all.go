package checks

import "slices"

// All returns the checks that a scan asks, in order of id. Retired ids stay in the comment below and are never used again.
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
		crdOlderThanOperator(),
		undecodableApplication(),
		twoOperators(),
		leaderElection(),
		controllerLacksPermission(),
		driverServiceAccount(),
		operatorUnhealthy(),
		knownDefects(),
		batchSchedulerMissing(),
		sparkConnectCRDMissing(),
		stuckNew(),
		stuckSubmitted(),
		stuckPendingRerun(),
		runningButDriverEnded(),
		stuckBetween(),
		duplicateSubmission(),
		scheduleStopped(),
		finishedPileUp(),
		retryMisconfigured(),
		executorChurn(),
		leftovers(),
		nameInvalid(),
		driverUnreachable(),
		kueueDoesNotManage(),
		executorsOverQuota(),
	}
}

// OfUpgrades returns the checks of area 7, which a gate asks, in order of id.
func OfUpgrades() []Check {
	return []Check{
		targetReleaseFatal(),
		targetDefects(),
		crdsNotUpgraded(),
		applicationInTransition(),
		namespaceNotInTarget(),
		nameRefusedByTarget(),
		sparkConfRefusedByTarget(),
		mainApplicationFileMissing(),
		leftoverWebhookConfig(),
		certificateSecretReused(),
		serviceAccountVanishes(),
		priorityClassMoved(),
		imageRegistryMoves(),
		webhookPortMoves(),
		claimRefused(),
		uiIngressRefused(),
		queueLabelsLost(),
		sparkSubmitChanges(),
		targetWebhook(),
		targetPermissions(),
	}
}

// OfGate returns the checks that a gate asks, in order of id: those of waivers, those of the other areas that say what
// an upgrade makes worse, and those of area 7.
func OfGate() []Check {
	worse := slices.DeleteFunc(All(), func(c Check) bool { return c.Worse == "" })
	return slices.Concat(OfWaivers(), worse, OfUpgrades())
}

// Retired ids: none.
