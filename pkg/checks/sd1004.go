package checks

import (
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookCertInvalid() Check {
	return Check{
		ID: webhookCertInvalidID, Slug: "webhook-cert-invalid", Since: "0.1.0",
		Title:    "the webhook's Secret holds a certificate that cannot be served or will soon be refused",
		Next:     "delete the Secret and restart all webhook replicas together, so that they make a new one; with cert-manager renew the Certificate",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.WebhookSecrets, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			logNeed(),
		},
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			var a Answer
			installations := operator.Find(s.Deployments())
			secrets, logs := s.WebhookSecrets(), s.OperatorLogs()
			for i := range installations {
				in := &installations[i]
				use := in.CertificateUse()
				if use == operator.NoCertificate || use == operator.OnePerReplica {
					continue // nobody reads a Secret
				}
				secret := secretOf(in, secrets)
				if secret == nil {
					a.Unjudged = append(a.Unjudged, fmt.Sprintf("Secret %s/%s was not seen", in.WebhookSecret().Namespace, in.WebhookSecret().Name))
					continue
				}
				if keysOf(use).allEmpty(use.Pair(secret)) && secret.Created.After(s.TakenAt.Add(-p.NewAfter)) {
					a.Unjudged = append(a.Unjudged, fmt.Sprintf("%s is %s old and not filled yet", secret.Ref, s.TakenAt.Sub(secret.Created).Round(time.Second)))
					continue
				}
				said := quote(signs(in.Logged(logs), nil, snapshot.StartFailed))
				for _, f := range invalid(in, secret, s.TakenAt, p) {
					f.Evidence = append(f.Evidence, said...)
					a.Findings = append(a.Findings, f)
				}
			}
			a.Unjudged = unjudged(a.Unjudged)
			return a
		},
	}
}

// invalid states one finding for each thing that is wrong with a Secret.
func invalid(in *operator.Installation, secret *snapshot.WebhookSecret, now time.Time, p Params) []Finding {
	use := in.CertificateUse()
	var out []Finding
	for _, fault := range slices.Concat(faultsOfKeys(use, use.Pair(secret)), faultsOfCertificates(in, use.Pair(secret), now, p.CertWarn)) {
		out = append(out, Finding{
			Object: secret.Ref, Location: secret.Location, Labels: secret.Labels, Severity: fault.severity, Certainty: certaintyFor(in),
			Field: "data." + fault.key, Message: fault.text, What: fault.what, Related: []snapshot.Ref{in.Webhook.Ref},
			Fixes:    remake(in, secret, fault.severity, now),
			Evidence: []Evidence{{Object: secret.Ref, Field: "data." + fault.key, Value: fault.seen}, {Object: in.Webhook.Ref, Field: "version", Value: in.Stated}},
		})
	}
	return out
}
