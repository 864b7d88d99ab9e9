package webhook

import (
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookCertInvalid() check.Check {
	return check.Check{
		ID: "SD1004", Slug: "webhook-cert-invalid", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the webhook's certificate Secret is missing, unusable or about to expire",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.WebhookSecrets, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		},
		Repairs: []fix.Intent{fix.DeleteObject{Object: facts.KindOf(snapshot.WebhookSecrets)}, restarts()},
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.CertificateData, Where: check.SameObject, Raise: check.RaiseCause}},
			Admission: check.LinkCertificate, Breaks: []check.Part{check.AdmissionPath}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			installations := facts.Installations().Of(p)
			secrets, logs := p.WebhookSecrets(), p.OperatorLogs()
			for i := range installations {
				in := &installations[i]
				use := in.CertificateUse()
				if use == operator.NoCertificate || use == operator.OnePerReplica {
					continue // nobody reads a Secret
				}
				secret := secretOf(in, secrets)
				if secret == nil {
					f, reason := withoutSecret(p.Snapshot, in, p.Params)
					if reason != "" {
						a.Unjudged = append(a.Unjudged, reason)
					} else {
						renew(&f, in, true)
						a.Findings = append(a.Findings, f)
					}
					continue
				}
				if keysOf(use).allEmpty(use.Pair(secret)) && secret.Created.After(p.TakenAt.Add(-p.NewAfter)) {
					a.Unjudged = append(a.Unjudged, fmt.Sprintf("%s is %s old and not filled yet", secret.Ref,
						phrase.Span(p.TakenAt.Sub(secret.Created))))
					continue
				}
				a.Judged++
				said := facts.Quote(facts.Signs(in.Logged(logs), nil, snapshot.StartFailed))
				for _, f := range invalid(in, secret, p.TakenAt, p.Params) {
					renew(&f, in, false)
					f.Evidence = append(f.Evidence, said...)
					a.Findings = append(a.Findings, f)
				}
			}
			a.Unjudged = facts.UnjudgedBundles(a.Unjudged)
			return a
		},
	}
}

// renew has another certificate made; gone says that the Secret does not exist. cert-manager advises against deleting the Secret
// (cert-manager.io/docs/usage/certificate).
func renew(f *check.Finding, in *operator.Installation, gone bool) {
	again := command.Again(in, "the webhook's Secret")
	switch manager := in.CertificateUse() == operator.FromCertManager; {
	case len(f.Fixes) == 1 && gone:
		f.ThenRepair("restart all replicas of the webhook together: they make a new Secret")
	case len(f.Fixes) == 1:
		f.ThenRepair("restart all replicas of the webhook together: they replace the certificate")
	case len(f.Fixes) > 1:
		f.ThenRepair("delete the Secret and restart all webhook replicas: they generate a new one")
	case manager && gone:
		f.Then(command.Do("see why cert-manager does not issue the Certificate").
			With("kubectl -n %s describe certificates.cert-manager.io", in.Webhook.Namespace))
	case manager:
		f.Then(command.Do("find the Certificate that fills this Secret, and renew it").
			With("kubectl -n %s describe certificates.cert-manager.io", in.Webhook.Namespace))
	case gone:
		f.Then(again)
	default:
		f.Then(command.Do("delete the Secret").On("delete", f.Object), again)
	}
}

// withoutSecret states that the Secret which an installation names does not exist, or why that is not said. Nothing fails
// while the replicas run on: they have read it. 2.x re-creates it at the next start, which is well for one replica and
// leaves several with two certificates (pkg/certificate/certificate.go@v2.5.2, SyncSecret); with cert-manager and with
// mounted files the next start fails. Files are no proof: Secrets are left out of most dumps.
func withoutSecret(s *snapshot.Snapshot, in *operator.Installation, p check.Params) (check.Finding, string) {
	key, d := in.WebhookSecret(), in.Webhook
	secret := snapshot.Ref{APIVersion: "v1", Kind: "Secret", Namespace: key.Namespace, Name: key.Name}
	switch {
	case key.Name == "":
		return check.Finding{}, fmt.Sprintf("the installation in namespace %s names no Secret", in.Namespace)
	case s.Files || !s.Covers(snapshot.WebhookSecrets, key.Namespace):
		return check.Finding{}, secret.String() + " was not seen"
	case d.Ready == 0 || facts.Young(s, p, d.Created, d.Changed):
		return check.Finding{}, fmt.Sprintf("%s does not exist, and %s may be about to make it", secret, d.Ref)
	}
	f := check.Finding{
		About: check.Of(d), Severity: check.Error, Certainty: certaintyFor(in), Identity: check.Identity{What: "no-secret/" + key.Name},
		Field:        "spec.template",
		Confirmation: check.Confirmation{Absent: []check.Absent{{View: snapshot.WebhookSecrets, Ref: secret}}},
		Evidence: []check.Evidence{{Object: d.Ref, Field: "version", Value: in.Stated},
			{Object: d.Ref, Field: "status.readyReplicas", Value: fmt.Sprintf("%d of %d", d.Ready, d.Replicas)}},
	}
	if use := in.CertificateUse(); use.ReadsOnce() && use != operator.FromCertManager {
		f.Fixes = []fix.Intent{restart(in, s.TakenAt)}
	}
	means := "the next start of the webhook fails"
	switch use := in.CertificateUse(); {
	case use != operator.FromCertManager && use.ReadsOnce() && d.Ready < 2:
		f.Severity, means = check.Info, "the webhook generates a new one, with a new CA, at its next start"
	case use != operator.FromCertManager && use.ReadsOnce():
		f.Severity, means = check.Warning, consequence(use, true)
	}
	f.Message = fmt.Sprintf("%s, which holds the webhook's certificate, does not exist: %s", secret, means)
	return f, ""
}

// invalid states one finding for each thing that is wrong with a Secret.
func invalid(in *operator.Installation, secret *snapshot.WebhookSecret, now time.Time, p check.Params) []check.Finding {
	use := in.CertificateUse()
	var out []check.Finding
	for _, fault := range slices.Concat(faultsOfKeys(use, use.Pair(secret)), faultsOfCertificates(in, use.Pair(secret), now, p.CertWarn)) {
		out = append(out, check.Finding{
			About: check.Of(secret), Severity: fault.severity, Certainty: certaintyFor(in),
			Field: "data." + fault.key, Message: fault.text, Identity: check.Identity{What: fault.what}, Related: []snapshot.Ref{in.Webhook.Ref},
			Verdict: check.Verdict{Since: fault.since, Brief: fault.brief},
			Fixes:   remake(in, secret, fault.severity, now),
			Evidence: []check.Evidence{{Object: secret.Ref, Field: "data." + fault.key, Value: fault.seen},
				{Object: in.Webhook.Ref, Field: "version", Value: in.Stated}},
		})
	}
	return out
}
