package webhook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookSecretDrift() check.Check {
	return check.Check{
		ID: "SD1006", Slug: "webhook-secret-drift", Since: "0.1.0", Consequence: check.WillStop,
		Title: "a GitOps tool or Helm owns certificate data that the operator writes at run time",
		Gate:  check.Gate{Worse: "the rollout starts webhook pods, which serve the Secret as it is now"},

		Unscoped: true,
		Needs: append(admissionNeeds(snapshot.Subject),
			snapshot.Need{View: snapshot.WebhookSecrets, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		),
		Relations: check.Relations{Breaks: []check.Part{check.CertificateData}},
		Requires:  []check.Requirement{facts.Installations()},
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

// holders returns which tools that deploy what others wrote own a path.
func holders(managers []snapshot.FieldManager, path string) (names []string, evidence []check.Evidence) {
	for _, m := range managers {
		if m.Path != path || !m.Deploys() {
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
	f := check.Finding{About: check.Of(secret), Severity: check.Warning, Field: "data",
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
	release(&f, in, names, tracked)
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
		About: check.Of(c), Severity: check.Warning, Certainty: certaintyFor(in),
		Field:   bundleField(indexes[0]),
		Message: fmt.Sprintf("%s owns caBundle, which is written at run time: every sync overwrites it", strings.Join(names, ", ")),
	}
	for _, e := range evidence {
		e.Object = c.Ref
		f.Evidence = append(f.Evidence, e)
	}
	release(&f, in, names, false)
	return f, true
}

// release names what to leave out of a comparison, by who holds it. Argo CD compares what ignoreDifferences leaves
// (argo-cd.readthedocs.io/en/stable/user-guide/diffing), kustomize-controller applies an object with the annotation once
// (fluxcd.io/flux/components/kustomize/kustomizations, ssa), helm-controller has spec.driftDetection.
func release(f *check.Finding, in *operator.Installation, holders []string, tracked bool) {
	path := "/" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(f.Field) // as a JSON pointer
	application := "the Argo CD application"
	if by := command.InstallerOf(in); by.Tool == command.ArgoCD {
		application = "Argo CD application " + by.Source
	}
	what := f.Object.Kind + " " + f.Object.Name
	if tracked || slices.ContainsFunc(holders, func(m string) bool { return strings.HasPrefix(m, "argocd-") }) {
		f.Then(command.Do("add %s of %s to ignoreDifferences of %s, with RespectIgnoreDifferences=true", path, what, application))
	}
	if slices.Contains(holders, "kustomize-controller") {
		f.Then(command.Do("annotate %s with kustomize.toolkit.fluxcd.io/ssa: IfNotPresent in the manifests of the Kustomization", what))
	}
	if slices.Contains(holders, "helm-controller") {
		f.Then(command.Do("add %s of %s to spec.driftDetection.ignore of the HelmRelease", path, what))
	}
	if slices.Contains(holders, "helm") {
		f.Then(command.Do("take %s of %s out of the chart's templates", path, what))
	}
}
