package webhook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookSecretDrift() check.Check {
	return check.Check{
		ID: "SD1006", Slug: "webhook-secret-drift", Since: "0.1.0", Consequence: check.WillStop,
		Title:    "a GitOps tool or Helm owns certificate data that the operator writes at run time",
		Worse:    "the rollout starts webhook pods, which serve the Secret as it is now",
		Next:     secretDriftNext,
		Unscoped: true,
		Needs: append(admissionNeeds(snapshot.Subject),
			snapshot.Need{View: snapshot.WebhookSecrets, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		),
		Breaks:   []check.Part{check.CertificateData},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			installations := facts.Installations().Of(p)
			configurations := slices.Concat(p.MutatingWebhooks(), p.ValidatingWebhooks())
			secrets := p.WebhookSecrets()
			for i := range installations {
				in := &installations[i]
				if in.Webhook == nil {
					continue
				}
				if secret, key := secretOf(in, secrets), in.WebhookSecret(); secret != nil {
					a.Judged++
					a.Findings = append(a.Findings, gitOpsSecret(in, secret)...)
				} else if key.Name != "" && !p.Covers(snapshot.WebhookSecrets, key.Namespace) {
					a.Unjudged = append(a.Unjudged, fmt.Sprintf("Secret %s/%s was not seen", key.Namespace, key.Name))
				}
				for k := range configurations {
					if len(facts.CallsOf(in, &configurations[k])) > 0 {
						a.Judged++
					}
					if f, held := gitOpsBundle(in, &configurations[k]); held {
						a.Findings = append(a.Findings, f)
					}
				}
			}
			return a
		},
	}
}

// holds reports whether a field manager is a GitOps tool or Helm. Argo CD's are argocd-controller and argocd-server,
// Flux' kustomize-controller and helm-controller.
func holds(manager string) bool {
	return strings.HasPrefix(manager, "argocd-") || slices.Contains([]string{"kustomize-controller", "helm-controller", "helm"}, manager)
}

// holders returns who of them owns a path.
func holders(managers []snapshot.FieldManager, path string) (names []string, evidence []check.Evidence) {
	for _, m := range managers {
		if m.Path != path || !holds(m.Manager) {
			continue
		}
		value := fmt.Sprintf("%s by %s", m.Manager, m.Operation)
		if !m.Time.IsZero() {
			value += " at " + facts.Timestamp(m.Time)
		}
		names = append(names, m.Manager)
		evidence = append(evidence, check.Evidence{Field: "metadata.managedFields " + path, Value: value})
	}
	slices.Sort(names)
	return slices.Compact(names), evidence
}

// gitOpsSecret judges the Secret. What cert-manager fills Argo CD may track without harm to the operator.
func gitOpsSecret(in *operator.Installation, secret *snapshot.WebhookSecret) []check.Finding {
	f := check.Finding{Object: secret.Ref, Location: secret.Location, Labels: secret.Labels, Severity: check.Warning, Field: "data",
		Related: []snapshot.Ref{in.Webhook.Ref}}
	names, evidence := holders(secret.Managers, "f:data")
	use := in.CertificateUse()
	tracked := secret.TrackedBy != "" && use != operator.FromCertManager
	switch {
	case len(names) > 0:
		f.Message = fmt.Sprintf("%s owns the certificate data, which the operator writes: every sync overwrites it",
			strings.Join(names, ", "))
		if len(names) > 1 {
			f.Message = fmt.Sprintf("%s own the certificate data, which the operator writes: every sync overwrites it",
				strings.Join(names, ", "))
		}
	case tracked:
		f.Message = "Argo CD tracks the Secret that the operator fills: a sync blanks or prunes it"
	default:
		return nil
	}
	if tracked {
		evidence = append(evidence, check.Evidence{Field: "metadata", Value: secret.TrackedBy})
	}
	if use == operator.OnePerReplica {
		f.Message += "; chart 1.4.x never reads it, so this alone does not break admission: one certificate per replica does"
	}
	for _, e := range evidence {
		e.Object = secret.Ref
		f.Evidence = append(f.Evidence, e)
	}
	f.Certainty = certaintyFor(in)
	return []check.Finding{f}
}

// gitOpsBundle judges a configuration that calls the installation.
func gitOpsBundle(in *operator.Installation, c *snapshot.WebhookConfiguration) (check.Finding, bool) {
	indexes := facts.CallsOf(in, c)
	names, evidence := holders(c.Managers, "f:caBundle")
	if len(indexes) == 0 || len(names) == 0 {
		return check.Finding{}, false
	}
	f := check.Finding{
		Object: c.Ref, Location: c.Location, Labels: c.Labels, Severity: check.Warning, Certainty: certaintyFor(in),
		Field:   bundleField(indexes[0]),
		Message: fmt.Sprintf("%s owns caBundle, which is written at run time: every sync overwrites it", strings.Join(names, ", ")),
	}
	for _, e := range evidence {
		e.Object = c.Ref
		f.Evidence = append(f.Evidence, e)
	}
	return f, true
}
