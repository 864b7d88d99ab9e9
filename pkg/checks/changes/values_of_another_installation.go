package changes

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func valuesOfAnother() check.Check {
	return check.Check{
		ID: "SD7027", Slug: "values-of-another-installation", Since: "0.1.0", Consequence: check.WillStop,
		Title:    "the Helm values that were given are not those of this installation",
		Unscoped: true,
		Gate:     check.Gate{OfValues: true},
		Needs:    []snapshot.Need{{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			u, in := p.Upgrade, upgrade.Installed(p)
			if in == nil {
				return check.Answer{Unjudged: []string{"whether the values are those of the operator, since no operator was seen"}}
			}
			a := check.Answer{Judged: 1}
			for _, c := range u.Contradictions {
				a.Findings = append(a.Findings, contradicted(u, in, c))
			}
			return a
		},
	}
}

func contradicted(u *check.Upgrade, in *operator.Installation, c check.Contradiction) check.Finding {
	d := in.Controller
	if in.Webhook != nil && in.Webhook.Ref == c.Object {
		d = in.Webhook
	}
	has, field := fmt.Sprintf("has %s %s", c.Field, c.Has), c.Field
	if field == "" {
		has, field = "is "+c.Has, "metadata.name"
	}
	return check.Finding{
		About: check.Of(d), Severity: check.Warning, Field: field,
		Identity: check.Identity{Kind: check.Kind(c.Value)},
		Verdict:  check.Verdict{Brief: fmt.Sprintf("%s of the values is not that of the installation", c.Value)},
		Message: fmt.Sprintf("the values set %s to %s, but Deployment %s %s: they are not those of this installation, and no check used them",
			c.Value, c.Says, c.Object.Name, has),
		Evidence: []check.Evidence{{Object: c.Object, Field: field, Value: c.Has}},
		Next: []check.Step{{
			When: check.Before,
			Do: "pass the values of this release, or, if you change them with the upgrade, the manifests rendered with the new ones " +
				"(--target-manifests)",
			Command: valuesCommand(u),
		}},
	}
}

// valuesCommand prints the values that the installation has, where Helm installed it.
func valuesCommand(u *check.Upgrade) string {
	r := upgrade.ReleaseOf(u)
	if u.Release != nil || r.GitOps() != "" {
		return ""
	}
	return command.Line("helm get values %s -n %s -o yaml", r.Name, r.Namespace)
}
