package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func controllerLacksPermission() Check {
	return Check{
		ID: "SD5006", Slug: "controller-lacks-permission", Since: "0.1.0",
		Title:    "the operator is not allowed to do what its release needs",
		Unscoped: true, Absence: true,
		Next: "grant what is missing: the chart's rbac values, or a Role and a binding of the service account",
		Needs: append([]snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		}, accessNeeds(snapshot.Everywhere)...),
		Breaks: []Part{Controller, ControllerStart},
		Run: func(s *snapshot.Snapshot, _ Params) Answer {
			list, unjudged := decoded(s)
			a := Answer{Unjudged: unjudged}
			access := spark.AccessOf(s)
			if access.Blind() {
				a.NotApplicable = noBindings
				return a
			}
			installations := operator.Find(s.Deployments())
			for i := range installations {
				in := &installations[i]
				jobs := jobsOf(in, list)
				for _, p := range in.Processes() {
					if p.Deployment.Namespace == "" {
						a.Unjudged = append(a.Unjudged, fmt.Sprintf("%s names no namespace, so that its service account is not known", p.Deployment.Ref))
						continue // what `helm template` writes
					}
					lacking, unknown := lacks(in, p, jobs, access)
					a.Findings = append(a.Findings, permissionFindings(in, p, lacking, access)...)
					if unknown == 0 {
						a.Judged++
					} else {
						a.Unjudged = append(a.Unjudged, fmt.Sprintf("%s of service account %s: not all bindings and roles could be read", counted(unknown, "permission"), p.Deployment.Account))
					}
				}
			}
			return a
		},
	}
}

// noBindings is why nothing is said where no binding was seen.
const noBindings = "no binding of service accounts was seen: the cluster does not authorize by RBAC, or a dump leaves it out"

// accessNeeds are the views behind spark.Access.
func accessNeeds(scope snapshot.Scope) []snapshot.Need {
	return []snapshot.Need{
		{View: snapshot.RoleBindings, Role: snapshot.Compared, Scope: scope},
		{View: snapshot.ClusterRoleBindings, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		{View: snapshot.Roles, Role: snapshot.Compared, Scope: scope},
		{View: snapshot.ClusterRoles, Role: snapshot.Compared, Scope: snapshot.Everywhere},
	}
}

// permissionFindings are one for what every release of the line needs, and one for each feature.
func permissionFindings(in *operator.Installation, p operator.Process, lacking []lack, access *spark.Access) []Finding {
	by := map[string][]lack{}
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
	out := make([]Finding, 0, len(order))
	for _, what := range order {
		out = append(out, lackingPermission(in, p, by[what], what, access))
	}
	return out
}

func lackingPermission(in *operator.Installation, p operator.Process, lacking []lack, what string, access *spark.Access) Finding {
	d := p.Deployment
	f := Finding{
		// Another authorizer may allow what RBAC does not (kubernetes.io/docs/reference/access-authn-authz/authorization).
		Object: d.Ref, Location: d.Location, Labels: d.Labels, Severity: Warning, Certainty: Likely, What: what,
		Field:    "spec.template.spec.serviceAccountName",
		Evidence: []Evidence{{Object: d.Ref, Field: "version", Value: in.Stated}, {Object: d.Ref, Field: "spec.template.spec.serviceAccountName", Value: d.Account.Name}},
	}
	var breaks, texts, namespaces []string
	for _, l := range lacking {
		if !l.Degrades && in.Recognised {
			f.Severity = Error
		}
		if !slices.Contains(breaks, l.Breaks) {
			breaks = append(breaks, l.Breaks)
		}
		text := strings.Join(l.verbs, "/") + " " + resourceText(l.Permission)
		texts = append(texts, text)
		f.Evidence = append(f.Evidence, Evidence{Object: d.Ref, Field: "may not " + text, Value: placesText(l.namespaces)})
		for _, n := range l.namespaces {
			if !slices.Contains(namespaces, n) {
				namespaces = append(namespaces, n)
			}
		}
		if in.Recognised {
			for _, q := range l.requests {
				f.Reviews = append(f.Reviews, snapshot.Review{Account: d.Account, Request: q})
			}
		}
	}
	for _, b := range access.BoundTo(d.Account, namespaces[0]) {
		f.Related = append(f.Related, b.Ref)
	}
	f.Message = fmt.Sprintf("service account %s may not %s %s, as operator %s needs: %s",
		d.Account, someOf(texts, maxNamed, "permission"), placesText(namespaces), in.Stated, strings.Join(breaks[:min(len(breaks), 2)], "; "))
	return f
}

// resourceText returns "pods", "sparkapplications/status", `leases "x"`.
func resourceText(p operator.Permission) string {
	text := p.Resource
	if p.Subresource != "" {
		text += "/" + p.Subresource
	}
	if p.Name != "" {
		text += fmt.Sprintf(" %q", p.Name)
	}
	return text
}

// placesText returns "cluster-wide", "in namespace a", "in 5 namespaces such as a".
func placesText(namespaces []string) string {
	named := slices.DeleteFunc(slices.Clone(namespaces), func(n string) bool { return n == "" })
	switch {
	case len(named) < len(namespaces) && len(named) == 0:
		return "cluster-wide"
	case len(named) < len(namespaces):
		return "cluster-wide and in " + strings.Join(named[:min(len(named), maxNamed)], ", ")
	case len(named) == 1:
		return "in namespace " + named[0]
	case len(named) <= maxNamed:
		return "in namespaces " + strings.Join(named, ", ")
	default:
		return fmt.Sprintf("in %d namespaces such as %s", len(named), named[0])
	}
}

// someOf joins a few texts with commas and counts the rest.
func someOf(texts []string, most int, noun string) string {
	if len(texts) <= most {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %s more", strings.Join(texts[:most], ", "), counted(len(texts)-most, noun))
}
