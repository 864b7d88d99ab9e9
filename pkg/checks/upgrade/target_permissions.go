package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func targetPermissions() check.Check {
	return check.Check{
		ID: "SD7020", Slug: "target-permissions", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the Roles of the target's manifests do not allow what its processes do",
		Unscoped: true,
		Gate:     check.Gate{OfManifests: true},
		Needs:    facts.Consulted(accessAfterNeeds()), // its subject is the target
		Requires: []check.Requirement{facts.Access()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := Runs(p.Snapshot)
			a := check.Answer{Unjudged: append(unjudged, runsUnseen(p.Snapshot)...)}
			u := p.Upgrade
			in := u.Incoming()
			access := accessAfter(p)
			now := facts.Access().Of(p)
			if access.target.NothingSeen() {
				a.Unjudged = append(a.Unjudged, "the manifests hold no binding of a service account: another tool may grant permissions")
				return a
			}
			for _, process := range in.Processes() {
				if reason := homeless(process.Deployment); reason != "" {
					a.Unjudged = append(a.Unjudged, reason)
					continue
				}
				process.Needs = slices.DeleteFunc(process.Needs, func(need operator.Permission) bool {
					return need.When == operator.DriverClaims || need.When == operator.UIIngresses // SD7015's and SD7016's
				})
				a.Judged++
				access.unsure = false
				lacking, _ := facts.Lacks(in, process, facts.JobsOf(in, list), access)
				lacking = slices.DeleteFunc(lacking, func(l facts.Lack) bool { return lackedBefore(u, l, process.Deployment == in.Controller, now) })
				if len(lacking) > 0 {
					a.Findings = append(a.Findings, targetLacks(u, process, lacking, access.unsure))
				}
			}
			return a
		},
	}
}

// lackedBefore reports whether the installed release needs a permission as well and is not allowed it now: that is SD5006's.
func lackedBefore(u *check.Upgrade, l facts.Lack, ofController bool, now *spark.Access) bool {
	if u.Installation == nil || l.Since.Compare(u.From) > 0 {
		return false
	}
	d := u.Installation.Controller
	if !ofController {
		d = u.Installation.Webhook
	}
	return d != nil && !slices.ContainsFunc(l.Requests, func(q snapshot.Request) bool {
		allowed, known := now.Allows(d.Account, q)
		return allowed || !known
	})
}

func targetLacks(u *check.Upgrade, p operator.Process, lacking []facts.Lack, unsure bool) check.Finding {
	f := check.Finding{
		About: check.Named(ReleaseRef(u)), Severity: check.Warning, Identity: check.Identity{What: p.Deployment.Name},
		Field: "spec.template.spec.serviceAccountName",
		Next:  []check.Step{{When: check.Before, Do: "correct the rbac values of the target, or grant what is missing with a Role of your own"}},
	}
	if unsure {
		f.Certainty = check.Likely
	}
	var texts, namespaces []string
	for _, l := range lacking {
		if !l.Degrades {
			f.Severity = check.Error
		}
		text := strings.Join(l.Verbs, "/") + " " + facts.ResourceText(l.Permission)
		texts, namespaces = append(texts, text), append(namespaces, l.Namespaces...)
		f.Saw(f.Object, "will not be allowed to "+text, facts.PlacesText(l.Namespaces))
	}
	slices.Sort(namespaces)
	f.Message = fmt.Sprintf("with the manifests of %s, service account %s may not %s %s: %s",
		u.To, p.Deployment.Account, facts.SomeOf(texts, facts.MaxNamed, "permission"),
		facts.PlacesText(slices.Compact(namespaces)), lacking[0].Breaks)
	return f
}
