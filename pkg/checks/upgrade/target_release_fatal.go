package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func targetReleaseFatal() check.Check {
	return check.Check{
		ID: "SD7001", Slug: "target-release-fatal", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the target release is broken for most clusters",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			u := p.Upgrade
			mine := upgraded(p)
			apps := 0
			fatal, is := operator.FatalAs(u.To)
			if !is {
				return check.Answer{}
			}
			for _, app := range p.SparkApplications() {
				if mine(app.Namespace) && !app.Terminating() {
					apps++
				}
			}
			f := check.Finding{
				About: check.Named(ReleaseRef(u)), Severity: check.Error, Hop: u.To,
				Message: fmt.Sprintf("release %s %s; %s is the next release without that", u.To, fatal.Why, fatal.Next),
				Evidence: []check.Evidence{{Object: ReleaseRef(u), Field: "source", Value: fatal.Source},
					{Object: ReleaseRef(u), Field: "applications that it would manage", Value: fmt.Sprint(apps)}},
				Next: []check.Step{{When: check.Before, Do: "choose " + fatal.Next + " instead",
					Command: "kubectl sparkdoctor gate --to " + fatal.Next}},
			}
			return check.Answer{Findings: []check.Finding{f}}
		},
	}
}

// ReleaseRef is what a finding about the target is about: the controller that is upgraded, or the release itself where
// none was seen.
func ReleaseRef(u *check.Upgrade) snapshot.Ref {
	if in := u.Installation; in != nil {
		return in.Controller.Ref
	}
	return snapshot.Ref{Kind: "Release", Name: u.To.String()}
}
