package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func mainApplicationFileMissing() check.Check {
	return check.Check{
		ID: "SD7008", Slug: "main-application-file-missing", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:    "a spec has no mainApplicationFile, which the target release requires",
		Needs:    specNeeds(),
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			u, mine := p.Upgrade, upgraded(p)
			demand, new := mainFileOf(u, p.Snapshot)
			if !new {
				return check.Answer{}
			}
			a := check.Answer{Unjudged: unreadSpecs(p.Snapshot)}
			for spec := range specsFields(p.Snapshot) {
				a.Judged++
				if spec.NoMainFile && !spec.Part && spec.mayGoTo(mine) {
					a.Findings = append(a.Findings, withoutMainFile(&spec, u, demand))
				}
			}
			return a
		},
	}
}

// fileDemand is how a target asks for mainApplicationFile.
type fileDemand struct {
	hop        operator.Version
	everywhere bool            // its webhook refuses every change but of the status, else the CRD refuses changes of the spec
	certainty  check.Certainty // that it does
}

// mainFileOf tells how the target asks for the field, and whether that is new: with a webhook of 2.x nothing passes without it, and
// the CRDs ask for it since 2.1.0, with or without a webhook.
func mainFileOf(u *check.Upgrade, s *snapshot.Snapshot) (d fileDemand, isNew bool) {
	certainty, webhook := refuses(s, u)
	in := u.Installation
	switch {
	case operator.RequiresMainFile(u.From), operator.RefusesWithoutMainFile(u.From) && in != nil && in.Webhook != nil:
		return d, false // asked for already
	case !operator.RefusesWithoutMainFile(u.From) && webhook:
		return fileDemand{u.FirstHop(operator.RefusesWithoutMainFile), true, certainty}, true
	case !operator.RequiresMainFile(u.To):
		return d, false
	}
	d = fileDemand{hop: u.FirstHop(operator.RequiresMainFile)}
	if operator.RefusesWithoutMainFile(u.From) && (in == nil || s.Excerpt()) {
		d.certainty = check.Likely // a webhook that nobody saw may ask for it already
	}
	return d, true
}

// withoutMainFile states the finding. What makes new objects fails at the next one; what is there goes on, since its status may be
// written (RequiresMainFile, RefusesWithoutMainFile).
func withoutMainFile(spec *specFields, u *check.Upgrade, d fileDemand) check.Finding {
	field := spec.Path + ".mainApplicationFile"
	f := check.Finding{
		About: check.OfApp(spec), Severity: check.Error, Certainty: d.certainty,
		Hop: d.hop, Field: field,
		Evidence: []check.Evidence{{Object: spec.Ref, Field: field, Value: "not set"}},
		Next:     []check.Step{{When: check.Before, Do: "set mainApplicationFile in the manifests"}},
	}
	switch {
	case spec.Path == "spec.template":
		f.Message = fmt.Sprintf("operator %s will reject every new run, because the template has no mainApplicationFile", u.To)
	case spec.Path != "spec":
		f.What = spec.Path
		f.Message = fmt.Sprintf("operator %s will reject the %s that it applies, because that has no mainApplicationFile", u.To, spec.Kind)
	case spec.Over:
		f.Severity = check.Info
		f.Message = fmt.Sprintf("finished, but operator %s will reject it when it is applied again, because it has no mainApplicationFile", u.To)
	case d.everywhere:
		f.Severity = check.Warning
		f.Message = fmt.Sprintf(
			"keeps running, but operator %s will reject every change, even of labels and finalizers, because it has no mainApplicationFile", u.To)
	default:
		f.Severity = check.Warning
		f.Message = fmt.Sprintf(
			"keeps running, but the CRD of %s will reject any spec change or re-create, because it has no mainApplicationFile", u.To)
	}
	return f
}
