// Package upgrade holds the checks of area 7, which a gate asks: what an upgrade of the operator breaks.
package upgrade

import (
	"embed"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
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

// Installed returns the installation that is upgraded, as the snapshot shows it; nil where nobody saw it.
func Installed(p *check.Pass) *operator.Installation {
	u := p.Upgrade
	for _, in := range facts.Installations().Of(p) {
		if u.Installation != nil && in.Controller != nil && in.Controller.Ref == u.Installation.Controller.Ref {
			return &in
		}
	}
	return nil
}

// upgraded tells of which namespaces the operator that is upgraded looks after. Where nobody saw it, or the labels that
// decide, it may be any.
func upgraded(p *check.Pass) func(namespace string) bool {
	k, in := facts.Controllers().Of(p), p.Upgrade.Installation
	return func(namespace string) bool {
		if in == nil {
			return true
		}
		yes, known := in.Told(namespace, k.Namespaces[namespace])
		return yes || !known
	}
}

// mayPick reports whether the controller takes up objects with these labels; one that was not seen may take all.
func mayPick(u *check.Upgrade, labels snapshot.Labels) bool {
	return u.Installation == nil || u.Installation.Picks(labels)
}

// refuses tells how sure it is that the target judges objects: only its webhook does, which a chart can leave out. Without
// rendered manifests the values of the installation are taken to stay; those of 1.x cannot.
func refuses(s *snapshot.Snapshot, u *check.Upgrade) (c check.Certainty, yes bool) {
	in := u.Installation
	switch {
	case u.Coming() != nil:
		return check.Proven, u.Coming().Webhook != nil
	case in == nil || in.Legacy() && in.Webhook == nil:
		return check.Likely, true
	case in.Webhook != nil:
		return check.Proven, true
	default:
		return check.Likely, !s.Covers(snapshot.Deployments, in.Namespace)
	}
}
