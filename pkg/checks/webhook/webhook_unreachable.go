package webhook

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookUnreachable() check.Check {
	return check.Check{
		ID: "SD1002", Slug: "webhook-unreachable", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the API server cannot reach the operator's webhook",
		Absence:  true,
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.MutatingWebhooks, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.ValidatingWebhooks, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.WebhookServices, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.WebhookEndpoints, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		},
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.WebhookReplicas, Where: check.RelatedObject}},
			Admission: check.LinkService, Breaks: []check.Part{check.AdmissionPath}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			path, logs := newWebhookPath(p), p.OperatorLogs()
			list := facts.WebhookConfigurations(p.Snapshot)
			for i := range list {
				if !facts.Applied(&list[i].Object) {
					continue
				}
				a.Judged += len(path.calls(&list[i]))
				for _, reason := range path.elsewhere(&list[i]) {
					a.PassOver(1, reason)
				}
				for _, w := range list[i].Webhooks {
					if w.Service.Name == "" && operator.OwnsWebhook(path.installations, w) {
						a.Unjudged = append(a.Unjudged, fmt.Sprintf("%s of %s calls a URL, which sparkdoctor does not check", w.Name, list[i].Ref))
					}
				}
				for _, b := range path.broken(&list[i]) {
					if facts.Young(p.Snapshot, p.Params, b.since(&list[i])...) {
						a.PassOver(len(b.calls), fmt.Sprintf("%s changed less than %s ago", b.service, phrase.Span(p.SettleAfter)))
						continue
					}
					f := b.finding(&list[i], logs)
					b.reach(&f, facts.OrOnly(b.calls[0].In, path.installations))
					a.Findings = append(a.Findings, f)
				}
			}
			slices.Sort(a.Unjudged)
			a.Unjudged = slices.Compact(a.Unjudged)
			return a
		},
	}
}

// Why the API server does not reach a webhook.
const (
	noService  check.Kind = "no service"
	noPort     check.Kind = "no port"
	noEndpoint check.Kind = "no endpoint"
)

// broken is one Service of a configuration that cannot be reached, and the webhooks that call it there.
type broken struct {
	service snapshot.Ref
	seen    *snapshot.Service // nil: it does not exist
	slices  []snapshot.EndpointSlice
	fault   string
	kind    check.Kind
	calls   []facts.Call
}

// broken looks behind the webhooks of a configuration, one Service and port at a time.
func (p *webhookPath) broken(c *snapshot.WebhookConfiguration) []broken {
	type target struct {
		snapshot.Key
		port int32
	}
	at := map[target]int{}
	var out []broken
	for _, one := range p.calls(c) {
		if p.leftover(one) != "" {
			continue // SD1009
		}
		i, known := at[target{one.Service, one.Port}]
		if known {
			out[i].calls = append(out[i].calls, one)
			continue
		}
		if b := p.fault(one); b.fault != "" {
			at[target{one.Service, one.Port}] = len(out)
			out = append(out, b)
		}
	}
	return out
}

// elsewhere says of each call that cannot be judged why: Services without endpoints of their own, and what was not seen. Webhooks that
// call a URL are not among the calls.
func (p *webhookPath) elsewhere(c *snapshot.WebhookConfiguration) []string {
	var out []string
	for _, w := range p.calls(c) {
		service, name := p.services[w.Service], fmt.Sprintf("Service %s/%s", w.Service.Namespace, w.Service.Name)
		switch {
		case service == nil && !p.servicesSeen(w.Service.Namespace):
			out = append(out, name+" was not seen")
		case service == nil:
		case service.External:
			out = append(out, name+" is of type ExternalName, which sparkdoctor does not check")
		case slices.Contains(service.Ports, w.Port) && !p.endpointsSeen(w.Service.Namespace):
			out = append(out, "the EndpointSlices of "+name+" were not seen")
		}
	}
	return out
}

// fault says why a call cannot arrive. A Service of type ExternalName has its endpoints elsewhere.
func (p *webhookPath) fault(c facts.Call) broken {
	b := broken{calls: []facts.Call{c}, seen: p.services[c.Service]}
	b.service = snapshot.Ref{APIVersion: "v1", Kind: "Service", Namespace: c.Service.Namespace, Name: c.Service.Name}
	switch {
	case b.seen == nil && !p.servicesSeen(c.Service.Namespace):
		return b
	case b.seen == nil:
		b.fault, b.kind = "does not exist", noService
		return b
	case b.seen.External:
		return b
	case !slices.Contains(b.seen.Ports, c.Port):
		b.kind = noPort
		b.fault = fmt.Sprintf("has no port %d, only %s", c.Port, portsText(b.seen.Ports))
		return b
	case !p.endpointsSeen(c.Service.Namespace):
		return b
	}
	ready, reached := 0, 0
	for _, e := range p.s.WebhookEndpoints() {
		if e.Namespace == c.Service.Namespace && e.Service == c.Service.Name {
			ready += e.Ready
			if b.seen.Reaches(&e, c.Port) {
				reached += e.Ready
			}
			b.slices = append(b.slices, e)
		}
	}
	switch {
	case ready == 0:
		b.fault, b.kind = "has no ready endpoint", noEndpoint
	case reached == 0:
		b.kind = noPort
		b.fault = fmt.Sprintf("has %s, and none carries port %d: its targetPort names no container port of the pods",
			phrase.Counted(ready, "ready endpoint"), c.Port)
	}
	return b
}

// since are the times after which what is missing may still be on its way. Pods that nobody asked for are not.
func (b *broken) since(c *snapshot.WebhookConfiguration) []time.Time {
	times := []time.Time{c.Created}
	if b.seen == nil || b.slices == nil {
		return times
	}
	times = append(times, b.seen.Created)
	if in := b.calls[0].In; in != nil && in.Webhook.Replicas > 0 {
		times = append(times, in.Webhook.Created, in.Webhook.Changed)
	}
	return times
}

func (b *broken) finding(c *snapshot.WebhookConfiguration, logs []snapshot.OperatorLog) check.Finding {
	means, severity := failedCalls(c, b.calls)
	f := check.Finding{
		About: check.Of(c), Severity: severity,
		Field: b.calls[0].Field("clientConfig.service"), Identity: check.Identity{What: b.service.Namespace + "/" + b.service.Name},
		Related: []snapshot.Ref{b.service},
	}
	for _, one := range b.calls {
		f.Saw(c.Ref, one.Field("clientConfig.service"), one.Name+": "+one.Address())
		f.Saw(c.Ref, one.Field("failurePolicy"), one.FailurePolicy)
	}
	if b.seen != nil {
		f.Saw(b.seen.Ref, "spec.ports", portsText(b.seen.Ports))
	}
	for _, e := range b.slices {
		f.Absent = append(f.Absent, check.Absent{View: snapshot.WebhookEndpoints, Ref: e.Ref})
		f.Saw(e.Ref, "endpoints", fmt.Sprintf("%d ready", e.Ready))
	}
	if len(b.slices) == 0 {
		f.Absent = []check.Absent{{View: snapshot.WebhookServices, Ref: b.service}}
	}
	pods := ""
	if in := b.calls[0].In; in != nil {
		f.Related = append(f.Related, in.Webhook.Ref)
		pods = fmt.Sprintf("%d of %d", in.Webhook.Ready, in.Webhook.Replicas)
		f.Saw(in.Webhook.Ref, "status.readyReplicas", pods)
		pods = fmt.Sprintf(" (Deployment %s has %s replicas ready)", in.Webhook.Name, pods)
		f.Evidence = append(f.Evidence, facts.Quote(b.logged(in.Logged(logs)))...)
	}
	f.Subject, f.Brief = "webhook "+c.Name+" is unreachable", "its Service "+b.fault
	f.Message = fmt.Sprintf("Service %s/%s %s%s: %s", b.service.Namespace, b.service.Name, b.fault, pods, means)
	return f
}

// reach is what to do: the Service is made as the chart makes it, then the Deployment behind it is looked at.
func (b *broken) reach(f *check.Finding, in *operator.Installation) {
	service := b.service
	switch {
	case b.kind == noService && in == nil:
		f.Then(command.Do("see who made the configuration").On("get", f.Object, "-o yaml"))
	case b.kind == noService:
		f.Then(command.Again(in, "Service "+service.Name))
	case b.kind == noPort:
		f.Then(command.Do("compare the ports of the Service with those of the pods").On("describe", service),
			command.Again(in, "the ports of Service "+service.Name))
	case in == nil || in.Webhook == nil:
		f.Then(command.Do("see which pods the Service selects").On("describe", service))
	case in.Webhook.Replicas == 0:
		f.Then(command.Do("start the webhook again").On("scale", in.Webhook.Ref, "--replicas 1"))
	case in.Webhook.Ready > 0:
		f.Then(command.Do("compare the selector of the Service with the labels of the pods").On("describe", service))
	default:
		f.Then(command.Do("see why the webhook is not ready").On("describe", in.Webhook.Ref),
			command.Do("read its log").With("kubectl -n %s logs deployment/%s --all-containers", in.Webhook.Namespace, in.Webhook.Name))
	}
}

// logged is why the webhook did not start, and what the API server said of calls since the configuration is as it is.
func (b *broken) logged(logs []*snapshot.OperatorLog) []facts.Logged {
	names := make([]string, 0, len(b.calls))
	for _, one := range b.calls {
		names = append(names, one.Name)
	}
	return append(facts.Signs(logs, nil, snapshot.StartFailed), facts.Signs(logs, about(names...), snapshot.CallFailed)...)
}

func portsText(ports []int32) string {
	if len(ports) == 0 {
		return "none"
	}
	out := make([]string, 0, len(ports))
	for _, p := range ports {
		out = append(out, strconv.Itoa(int(p)))
	}
	return strings.Join(out, ", ")
}
