package webhook

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// restarts is the intent for a webhook's Deployment whose leader holds a Lease.
func restarts() fix.Restart {
	return fix.Restart{Deployment: facts.KindOf(snapshot.Deployments), Lease: "any"}
}

// restart is the intent to roll over the webhook of an installation. Only 2.x makes one certificate for all replicas when
// it starts; in chart 1.4.x each makes its own, every time.
func restart(in *operator.Installation, now time.Time) fix.Restart {
	return fix.Restart{Deployment: in.Webhook.Ref, At: now, Lease: in.WebhookLease()}
}

// remake is the intent for a Secret that cannot be served: 2.x makes a new one when it starts and finds none. Since 2.2.0 it
// also replaces one that will soon end (pkg/certificate/certificate.go@v2.2.0, #2489), so then a restart is enough.
func remake(in *operator.Installation, secret *snapshot.WebhookSecret, severity check.Severity, now time.Time) []fix.Intent {
	again := restart(in, now)
	switch use := in.CertificateUse(); {
	case use == operator.CheckedAtStart && severity < check.Error:
		return []fix.Intent{again}
	case use == operator.CheckedAtStart || use == operator.ReadAtStart:
		return []fix.Intent{fix.DeleteObject{Object: secret.Ref, Why: "the webhook generates a new one at start if none exists",
			Turn: fix.Certificate}, again}
	default:
		return nil
	}
}
