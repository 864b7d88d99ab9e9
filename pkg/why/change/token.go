package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// ReachesAPI is a token by which the driver verifies the API server and logs in there.
type ReachesAPI struct{}

func (ReachesAPI) reason() {}

// token mounts the token of the service account into the driver's pod: where it was turned off, or, where a policy writes the field of the
// service account again, in a template that is there, whose field counts first. One that is not there is not added: the webhook leaves a
// driver alone that has a template (buildSparkSubmitArgs in internal/controller/sparkapplication/submission.go@v2.5.2). A policy that
// changes pods changes the field of the template, too.
func token(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.TokenUnmounted)
	if !is {
		return nil
	}
	const field = "automountServiceAccountToken"
	object, prefix := owner(v)
	role := "driver"
	if v.IsConnect() {
		role = "server"
	}
	inTemplate := Change{Object: object, Path: below(prefix, role, "template", "spec", field), To: true, Because: ReachesAPI{}}
	switch {
	case d.By == mechanism.OffByAccount && d.Policy == "":
		of := snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: v.Subject.Namespace, Name: d.Account}
		return []Change{{Object: of, Path: []string{field}, From: false, To: true, Because: ReachesAPI{}}}
	case object.Name == "" || d.OnPods:
		return nil
	case d.By == mechanism.OffByTemplate:
		inTemplate.From = false
		return []Change{inTemplate}
	case d.By == mechanism.OffByAccount && len(v.Spec.Role(role).Template.Containers) > 0:
		return []Change{inTemplate}
	default:
		return nil
	}
}
