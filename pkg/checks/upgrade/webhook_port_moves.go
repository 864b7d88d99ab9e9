package upgrade

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookPortMoves() check.Check {
	return check.Check{
		ID: "SD7014", Slug: "webhook-port-moves", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the API server must reach the webhook on another port",
		Gate:     check.Gate{Break: operator.Version{Major: 2}},
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.Namespaces, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{facts.Controllers()},
		Run: func(p *check.Pass) check.Answer {
			u, in := p.Upgrade, Installed(p)
			home := facts.Controllers().Of(p).Namespaces
			if in == nil {
				return check.Answer{Unjudged: []string{"which port the webhook listens on now, since no operator was seen"}}
			}
			port, webhook := portOfTarget(u)
			if !webhook || in.Webhook != nil && in.WebhookPort() == port {
				return check.Answer{}
			}
			return check.Answer{Findings: []check.Finding{portMoves(u, in, port, meshOf(home[in.Namespace]))}}
		},
	}
}

// portOfTarget returns where the webhook's pods will listen, as the manifests or the chart say; false if there will be none.
func portOfTarget(u *check.Upgrade) (port int32, webhook bool) {
	if coming := u.Coming(); coming != nil {
		return coming.WebhookPort(), coming.Webhook != nil
	}
	chart, _ := operator.ChartOf(u.To)
	return chart.WebhookPort, chart.Webhook
}

// portMoves states the finding. The API server is in no mesh: a sidecar that asks for mutual TLS refuses it, unless the port is
// excluded, and exclusions name ports.
func portMoves(u *check.Upgrade, in *operator.Installation, port int32, mesh string) check.Finding {
	d := in.Controller
	f := check.Finding{
		About: check.Of(d), Severity: check.Info, Certainty: check.Likely,
		Field:    "spec.template.spec.containers[].ports",
		Evidence: []check.Evidence{{Object: d.Ref, Field: "port of the webhook", Value: "none: it runs without"}},
		Next: []check.Step{{When: check.Before,
			Do: fmt.Sprintf("open port %d from the API server to the operator's pods, in firewalls, NetworkPolicies and service meshes",
				port)}},
	}
	now := "there is no webhook now"
	if in.Webhook != nil {
		now = fmt.Sprintf("the webhook listens on %d now", in.WebhookPort())
		f.Evidence[0].Value = fmt.Sprint(in.WebhookPort())
	}
	f.Message = fmt.Sprintf("%s; %s listens on %d, and if a firewall or NetworkPolicy blocks that, every submission fails", now, u.To, port)
	if mesh != "" {
		f.Severity = check.Warning
		f.Message += "; pods of the namespace get an Istio sidecar, which excludes ports by number"
		f.Saw(snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: in.Namespace}, "metadata.labels", mesh)
	}
	return f
}

// meshOf returns the label by which a service mesh puts a sidecar into the pods of a namespace, empty without one
// (istio.io/latest/docs/setup/additional-setup/sidecar-injection; Linkerd's is an annotation, of which nothing is kept).
func meshOf(namespace *snapshot.Object) string {
	if namespace == nil {
		return ""
	}
	if injection := namespace.Labels.Get("istio-injection"); injection != "" {
		if injection == "enabled" {
			return "istio-injection=enabled"
		}
		return "" // it wins over a revision
	}
	if revision := namespace.Labels.Get("istio.io/rev"); revision != "" {
		return "istio.io/rev=" + revision
	}
	return ""
}
