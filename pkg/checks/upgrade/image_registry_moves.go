package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func imageRegistryMoves() check.Check {
	return check.Check{
		ID: "SD7013", Slug: "image-registry-moves", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the operator's image will come from another registry or repository",
		Unscoped: true,
		Needs:    []snapshot.Need{{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			u, in := p.Upgrade, Installed(p)
			if in == nil || in.Repository() == "" {
				return check.Answer{Unjudged: []string{"where the image comes from now, since no operator was seen"}}
			}
			if coming := u.Coming(); coming != nil {
				return movedByManifests(u, in, coming)
			}
			return movedByDefault(u, in)
		},
	}
}

// movedByManifests compares registries: whoever may pull from one may pull from it again.
func movedByManifests(u *check.Upgrade, in, coming *operator.Installation) check.Answer {
	from, to := in.Repository(), coming.Repository()
	if to == "" || operator.RegistryOf(from) == operator.RegistryOf(to) {
		return check.Answer{}
	}
	f := moved(in, to)
	f.Message = fmt.Sprintf("the image comes from %s now, and from %s with %s", from, to, u.To)
	if in.Mirrored() {
		f.Severity = check.Warning
		f.Message += ": a cluster with a private registry may not reach it"
	}
	f.Saw(coming.Controller.Ref, imageField, to+", in "+u.Basis())
	return check.Answer{Findings: []check.Finding{f}}
}

// movedByDefault goes by the values. 1.x has the registry in image.repository, which 2.x puts behind image.registry
// (spark-operator.image in charts/spark-operator-chart/templates/_helpers.tpl@v2.0.0).
func movedByDefault(u *check.Upgrade, in *operator.Installation) check.Answer {
	hop, moves := u.Brings(operator.RegistryMoved())
	first, restarts := u.Restarts()
	chart, _ := operator.ChartOf(u.To)
	f := moved(in, chart.Repository)
	f.Certainty = check.Likely
	switch {
	case in.Mirrored() && restarts:
		f.Hop, f.Severity = first, check.Warning
		f.Message = fmt.Sprintf(
			"the image comes from %s, which is no chart default; %s prepends image.registry (default %s) to image.repository", in.Repository(),
			u.To, operator.RegistryOf(chart.Repository))
	case in.Mirrored() && moves:
		f.Hop, f.Severity = hop, check.Warning
		f.Message = fmt.Sprintf(
			"the image comes from %s, which is no chart default; %s pulls another repository by default, as in %s",
			in.Repository(), u.To, chart.Repository)
	case moves && in.Repository() != chart.Repository:
		f.Hop = hop
		f.Message = fmt.Sprintf(
			"the image comes from %s now, and by default from %s with %s: an allow-list of registries must contain it", in.Repository(),
			chart.Repository, u.To)
	default:
		return check.Answer{}
	}
	return check.Answer{Findings: []check.Finding{f}}
}

const imageField = "spec.template.spec.containers[].image"

// moved starts a finding about the Deployment.
func moved(in *operator.Installation, to string) check.Finding {
	d := in.Controller
	return check.Finding{
		About: check.Of(d), Severity: check.Info, Field: imageField,
		Evidence: []check.Evidence{{Object: d.Ref, Field: imageField, Value: in.Repository()}},
		Next: []check.Step{{When: check.Before, Do: "make sure that the cluster can pull " + to +
			", or mirror it and set image.registry and image.repository in the values"}},
	}
}
