package webhook

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// webhookPath knows what stands behind the webhooks that are registered: Services, and installations that serve them.
type webhookPath struct {
	s             *snapshot.Snapshot
	installations []operator.Installation
	services      map[snapshot.Key]*snapshot.Service
}

func newWebhookPath(pass *check.Pass) *webhookPath {
	p := &webhookPath{s: pass.Snapshot, installations: facts.Installations().Of(pass), services: map[snapshot.Key]*snapshot.Service{}}
	list := pass.WebhookServices()
	for i := range list {
		p.services[list[i].Key()] = &list[i]
	}
	return p
}

// calls returns the webhooks of a configuration that are the operator's. A webhook that calls a URL has no Service and
// is not among them.
func (p *webhookPath) calls(c *snapshot.WebhookConfiguration) []facts.Call {
	var out []facts.Call
	for i, w := range c.Webhooks {
		if w.Service.Name == "" || !operator.OwnsWebhook(p.installations, w) {
			continue
		}
		one := facts.Call{Webhook: w, Index: i}
		for j := range p.installations {
			if p.installations[j].Claims(c, w) {
				one.In = &p.installations[j]
				break
			}
		}
		out = append(out, one)
	}
	return out
}

// leftover says why a webhook is that of an operator which is no longer there, empty if it is not. That nobody claims
// it can only be said where Deployments were seen.
func (p *webhookPath) leftover(c facts.Call) string {
	if c.In != nil || !p.s.Covers(snapshot.Deployments, c.Service.Namespace) {
		return ""
	}
	if p.services[c.Service] == nil {
		if !p.servicesSeen(c.Service.Namespace) {
			return ""
		}
		return "which does not exist"
	}
	for i := range p.installations {
		if in := &p.installations[i]; in.WebhookService() == c.Service && !in.Serves(c.Path) {
			return fmt.Sprintf("where operator %s does not serve path %s", in.Stated, c.Path)
		}
	}
	return ""
}

// servicesSeen reports whether a Service that was not seen is absent. Every cluster has one, that of its API server: files
// without any are not everything, whatever they are declared to be.
func (p *webhookPath) servicesSeen(namespace string) bool {
	return p.s.Covers(snapshot.WebhookServices, namespace) && (!p.s.Files || len(p.services) > 0)
}

// endpointsSeen is the same of EndpointSlices.
func (p *webhookPath) endpointsSeen(namespace string) bool {
	return p.s.Covers(snapshot.WebhookEndpoints, namespace) && (!p.s.Files || len(p.s.WebhookEndpoints()) > 0)
}

// failedCalls says what it means that every call of these webhooks fails, and how bad that is. The policy decides: Fail
// refuses the request, Ignore lets it through as it is.
func failedCalls(c *snapshot.WebhookConfiguration, calls []facts.Call) (string, check.Severity) {
	var refused, passed []string
	for _, one := range calls {
		if one.FailurePolicy == "Ignore" {
			passed = append(passed, facts.ResourcesOf(one)...)
		} else {
			refused = append(refused, facts.ResourcesOf(one)...)
		}
	}
	var parts []string
	severity := check.Error
	if len(refused) > 0 {
		parts = append(parts, fmt.Sprintf("the API server rejects every submission (failurePolicy Fail for %s)", facts.ListText(refused)))
	}
	switch {
	case len(passed) > 0 && c.Mutating():
		parts = append(parts, "pods start without env, volumes and tolerations (failurePolicy Ignore for "+facts.ListText(passed)+")")
	case len(passed) > 0:
		parts = append(parts, fmt.Sprintf("invalid objects are accepted (failurePolicy Ignore for %s)", facts.ListText(passed)))
		if len(refused) == 0 {
			severity = check.Warning
		}
	}
	return strings.Join(parts, ", "), severity
}
