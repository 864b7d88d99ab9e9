package collect

import (
	"context"
	"errors"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/probe"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// probe asks the ready replicas of every installation's webhook for their certificate, after the views have been read, which
// found them.
func (g *gatherer) probe(ctx context.Context, config *rest.Config) error {
	var targets []probe.Target
	var pods []snapshot.Object
	all := g.b.OperatorPods()
	for _, in := range operator.Find(g.b.Deployments()) {
		service := in.WebhookService()
		if service.Name == "" {
			continue
		}
		for _, p := range in.WebhookPods(all) {
			if !validSegment(p.Namespace) || !validSegment(p.Name) {
				continue
			}
			pods = append(pods, p.Object)
			targets = append(targets, probe.Target{
				Namespace: p.Namespace, Pod: p.Name, Port: in.WebhookPort(), ServerName: operator.ServerName(service),
			})
		}
	}
	var n named
	for i, answer := range probe.Certificates(ctx, config, targets) {
		record := &snapshot.ServedCertificate{Object: pods[i], ServerName: targets[i].ServerName}
		if answer.Err == nil {
			record.Chain = snapshot.Bundle{DER: answer.Chain}
			n.add(nil)
		} else {
			record.Problem = probeFailure(answer.Err)
			n.add([]snapshot.Unseen{{
				Verb: "create", Resource: "pods/portforward", Namespace: targets[i].Namespace, Name: targets[i].Pod, Reason: record.Problem,
			}})
		}
		g.b.Add(snapshot.ServedCertificates, record)
	}
	g.b.Cover(snapshot.ServedCertificates, n.coverage())
	return ctx.Err()
}

// probeFailure says in a few words why a replica said nothing.
func probeFailure(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "timed out"
	}
	// What a kubelet says of a port holds identifiers that differ each time.
	if reason := reasonOf(err); !strings.Contains(reason, "connection refused") {
		return reason
	}
	return "connection refused"
}
