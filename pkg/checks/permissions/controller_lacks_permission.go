package permissions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func controllerLacksPermission() check.Check {
	return check.Check{
		ID: "SD5006", Slug: "controller-lacks-permission", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the operator is not allowed to do what its release needs",
		Unscoped: true, Absence: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{Breaks: []check.Part{check.Controller, check.ControllerStart}},
		Requires:  []check.Requirement{facts.Access(), facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			access := facts.Access().Of(p)
			if access.NothingSeen() {
				a.NotApplicable = noBindings
				return a
			}
			installations := facts.Installations().Of(p)
			for i := range installations {
				in := &installations[i]
				jobs := facts.JobsOf(in, list)
				for _, p := range in.Processes() {
					if p.Deployment.Namespace == "" {
						a.Unjudged = append(a.Unjudged, fmt.Sprintf("%s names no namespace, so that its service account is not known", p.Deployment.Ref))
						continue // what `helm template` writes
					}
					lacking, unknown := facts.Lacks(in, p, jobs, access)
					a.Findings = append(a.Findings, permissionFindings(in, p, lacking, access)...)
					if unknown == 0 {
						a.Judged++
					} else {
						a.Unjudged = append(a.Unjudged, fmt.Sprintf("%s of service account %s: not all bindings and roles could be read",
							phrase.Counted(unknown, "permission"), p.Deployment.Account))
					}
				}
			}
			return a
		},
	}
}

// noBindings is why nothing is said where no binding was seen.
const noBindings = "no binding of service accounts was seen: the cluster does not authorize by RBAC, or a dump leaves it out"

// permissionFindings are one for what every release of the line needs, and one for each feature.
func permissionFindings(in *operator.Installation, p operator.Process, lacking []facts.Lack, access *spark.Access) []check.Finding {
	by := map[string][]facts.Lack{}
	var order []string
	for _, l := range lacking {
		what := ""
		switch l.When {
		case operator.UIIngresses, operator.Monitoring, operator.DriverClaims:
			what = string(l.When)
		default:
		}
		if by[what] == nil {
			order = append(order, what)
		}
		by[what] = append(by[what], l)
	}
	out := make([]check.Finding, 0, len(order))
	for _, what := range order {
		out = append(out, lackingPermission(in, p, by[what], what, access))
	}
	return out
}

func lackingPermission(in *operator.Installation, p operator.Process, lacking []facts.Lack, what string,
	access *spark.Access) check.Finding {
	d := p.Deployment
	f := check.Finding{
		// Another authorizer may allow what RBAC does not (kubernetes.io/docs/reference/access-authn-authz/authorization).
		About: check.Of(d), Severity: check.Warning, Certainty: check.Likely, Identity: check.Identity{What: what},
		Field: "spec.template.spec.serviceAccountName",
		Evidence: []check.Evidence{{Object: d.Ref, Field: "version", Value: in.Stated},
			{Object: d.Ref, Field: "spec.template.spec.serviceAccountName", Value: d.Account.Name}},
	}
	var breaks, texts, namespaces []string
	for _, l := range lacking {
		if !l.Degrades && in.Recognised {
			f.Severity = check.Error
		}
		if !slices.Contains(breaks, l.Breaks) {
			breaks = append(breaks, l.Breaks)
		}
		text := strings.Join(l.Verbs, "/") + " " + facts.ResourceText(l.Permission)
		texts = append(texts, text)
		f.Saw(d.Ref, "may not "+text, facts.PlacesText(l.Namespaces))
		for _, n := range l.Namespaces {
			if !slices.Contains(namespaces, n) {
				namespaces = append(namespaces, n)
			}
		}
		if in.Recognised {
			for _, q := range l.Requests {
				f.Reviews = append(f.Reviews, snapshot.Review{Account: d.Account, Request: q})
			}
		}
	}
	f.Then(granting(in, &f, what)...)
	for _, b := range access.BoundTo(d.Account, namespaces[0]) {
		f.Related = append(f.Related, b.Ref)
	}
	f.Message = fmt.Sprintf("service account %s may not %s %s, as %s: %s",
		d.Account, facts.SomeOf(texts, facts.MaxNamed, "permission"), facts.PlacesText(namespaces), whoNeeds(in),
		strings.Join(breaks[:min(len(breaks), 2)], "; "))
	return f
}

// whoNeeds says of which release the needs are: what is judged as another may not have them.
func whoNeeds(in *operator.Installation) string {
	if v := in.Judged(); v.Unreleased {
		return fmt.Sprintf("%s needs, which is the nearest to operator %s that is known", operator.Marked(v), in.Stated)
	}
	return fmt.Sprintf("operator %s needs", in.Stated)
}
