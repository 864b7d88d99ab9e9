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
		ID: "SD7008", Slug: "main-application-file-missing", Since: "0.1.0",
		Title: "a specification has no mainApplicationFile, without which the target release refuses it",
		Next:  "set mainApplicationFile before the upgrade",
		Needs: append(specNeeds(), facts.Consulted(facts.ControllerNeeds())...),
		Run: func(s *snapshot.Snapshot, p check.Params) check.Answer {
			u, mine := p.Upgrade, upgraded(s, p.Upgrade)
			demand, new := mainFileOf(u, s)
			if !new {
				return check.Answer{}
			}
			a := check.Answer{Unjudged: unreadSpecs(s)}
			for spec := range contestedSpecs(s) {
				a.Judged++
				if spec.NoMainFile && !spec.Part && (spec.Namespace == "" || mine(spec.Namespace)) {
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
func withoutMainFile(spec *contestedSpec, u *check.Upgrade, d fileDemand) check.Finding {
	field := spec.Path + ".mainApplicationFile"
	f := check.Finding{
		Object: spec.Ref, Location: spec.Location, Labels: spec.Labels, App: spec.Name, Severity: check.Error, Certainty: d.certainty,
		Hop: d.hop, Field: field,
		Evidence: []check.Evidence{{Object: spec.Ref, Field: field, Value: "not set"}},
		Steps:    []check.Step{{When: check.Before, Do: "set mainApplicationFile, where the objects come from"}},
	}
	switch {
	case spec.Path == "spec.template":
		f.Message = fmt.Sprintf("operator %s refuses each new run of it, because its template has no mainApplicationFile", u.To)
	case spec.Path != "spec":
		f.What = spec.Path
		f.Message = fmt.Sprintf("operator %s refuses the %s that it applies, which has no mainApplicationFile", u.To, spec.Kind)
	case spec.Over:
		f.Severity = check.Info
		f.Message = fmt.Sprintf("it has ended; operator %s refuses it when it is applied again, because it has no mainApplicationFile", u.To)
	case d.everywhere:
		f.Severity = check.Warning
		f.Message = fmt.Sprintf(
			"operator %s lets it go on, and refuses each change but of its status, be it of a label or a finalizer, because it has no "+
				"mainApplicationFile", u.To)
	default:
		f.Severity = check.Warning
		f.Message = fmt.Sprintf(
			"the CRD of %s lets it go on, and refuses it when its spec changes or it is made anew, because it has no mainApplicationFile", u.To)
	}
	return f
}
