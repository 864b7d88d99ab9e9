// Package webhook holds the checks of area 1: whether the API server reaches the operator's webhook, trusts it, and sends it the pods.
package webhook

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

//go:embed *.md
var pages embed.FS

// Checks returns the checks of the area, in order of id.
func Checks() []check.Check {
	return check.WithPages(pages,
		webhookFailsOpen(),
		webhookUnreachable(),
		webhookCAMismatch(),
		webhookCertInvalid(),
		webhookReplicasDiverge(),
		webhookSecretDrift(),
		webhookSkipsNamespace(),
		webhookMissing(),
		webhookStaleConfig(),
	)
}
