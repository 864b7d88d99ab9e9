// Package upgrade holds the checks of area 7, which a gate asks: what an upgrade of the operator breaks.
package upgrade

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the area, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
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
	)
}
