package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func certificateSecretReused() check.Check {
	return check.Check{
		ID: "SD7010", Slug: "certificate-secret-reused", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the target reuses a Secret whose certificate names the old webhook Service",
		Gate:     check.Gate{Break: operator.Version{Major: 2}},
		Unscoped: true,
		Needs:    []snapshot.Need{{View: snapshot.WebhookSecrets, Role: snapshot.Subject, Scope: snapshot.Everywhere}},
		Run: func(p *check.Pass) check.Answer {
			u := p.Upgrade
			if operator.ChecksCertificate(u.To) {
				return check.Answer{}
			}
			secret, service, named := certificateOfTarget(u)
			if !named {
				return check.Answer{Unjudged: []string{"which Secret the target reuses, since no operator was seen"}}
			}
			var a check.Answer
			list := p.WebhookSecrets()
			for i := range list {
				if one := &list[i]; one.Key() == secret && !ByHelm(&one.Object) {
					if f, wrong := reused(u, one, operator.ServerName(service)); wrong {
						a.Findings = append(a.Findings, f)
					}
				}
			}
			if len(a.Findings) > 0 && u.Coming() == nil {
				a.Judged -= len(a.Findings)
				a.DependsOn("whether the target reuses the Secret", "fullnameOverride")
			}
			return a
		},
	}
}

// certificateOfTarget returns the Secret that the target's webhook reads and the Service that it serves: as the manifests say,
// else as the chart calls them. Both are zero where the manifests hold no webhook; named is false where nobody can tell.
func certificateOfTarget(u *check.Upgrade) (secret, service snapshot.Key, named bool) {
	if coming := u.Coming(); coming != nil {
		return coming.WebhookSecret(), coming.WebhookService(), true
	}
	in := u.Installation
	if in == nil {
		return secret, service, false
	}
	names := operator.ChartNamesOf(u.To, helmRelease(in), in.Name)
	of := func(kind, name string) snapshot.Key {
		return snapshot.Key{GroupKind: snapshot.GroupKind{Kind: kind}, Namespace: in.Namespace, Name: name}
	}
	return of("Secret", names.WebhookSecret), of("Service", names.WebhookService), true
}

// reused states the finding. A Secret in which anything is missing is filled again (SyncSecret in pkg/certificate/
// certificate.go@v2.1.1).
func reused(u *check.Upgrade, secret *snapshot.WebhookSecret, name string) (check.Finding, bool) {
	certificates := secret.Own.Server.Certificates()
	if len(secret.Own.Empty) > 0 || len(certificates) == 0 || certificates[0].VerifyHostname(name) == nil {
		return check.Finding{}, false
	}
	f := check.Finding{
		About: check.Of(secret), Severity: check.Error, Field: `data["server-cert.pem"]`,
		Message: fmt.Sprintf(
			"operator %s reuses the certificate of %s, but the API server expects %s: it will reject every Spark pod and application",
			u.To, facts.CertificateNames(certificates[0]), name),
		Evidence: []check.Evidence{{Object: secret.Ref, Field: `data["server-cert.pem"]`, Value: facts.DescribeCertificate(certificates[0])}},
		Next: []check.Step{{
			When: check.During, Do: "delete the Secret right before the upgrade: the webhook of the target creates its own",
			Command: command.Line("kubectl delete secret %s -n %s", secret.Name, secret.Namespace),
		}},
	}
	if u.Coming() == nil {
		f.Severity, f.Certainty = check.Warning, check.Likely // fullnameOverride may say otherwise
	}
	return f, true
}
