package checks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// webhookPath knows what stands behind the webhooks that are registered: Services, and installations that serve them.
type webhookPath struct {
	s             *snapshot.Snapshot
	installations []operator.Installation
	services      map[snapshot.Key]*snapshot.Service
}

func newWebhookPath(s *snapshot.Snapshot) *webhookPath {
	p := &webhookPath{s: s, installations: operator.Find(s.Deployments()), services: map[snapshot.Key]*snapshot.Service{}}
	list := s.WebhookServices()
	for i := range list {
		p.services[list[i].Key()] = &list[i]
	}
	return p
}

// call is one webhook of a configuration that is the operator's and calls a Service.
type call struct {
	snapshot.Webhook
	index int
	in    *operator.Installation // that claims it; nil: none was found
}

// field is the path of a part of the webhook.
func (c call) field(part string) string { return fmt.Sprintf("webhooks[%d].%s", c.index, part) }

// address is what the webhook calls, for people.
func (c call) address() string {
	return fmt.Sprintf("%s/%s:%d%s", c.Service.Namespace, c.Service.Name, c.Port, c.Path)
}

// calls returns the webhooks of a configuration that are the operator's. A webhook that calls a URL has no Service and
// is not among them.
func (p *webhookPath) calls(c *snapshot.WebhookConfiguration) []call {
	var out []call
	for i, w := range c.Webhooks {
		if w.Service.Name == "" || !operator.OwnsWebhook(p.installations, w) {
			continue
		}
		one := call{Webhook: w, index: i}
		for j := range p.installations {
			if p.installations[j].Claims(c, w) {
				one.in = &p.installations[j]
				break
			}
		}
		out = append(out, one)
	}
	return out
}

// leftover says why a webhook is that of an operator which is no longer there, empty if it is not. That nobody claims
// it can only be said where Deployments were seen.
func (p *webhookPath) leftover(c call) string {
	if c.in != nil || !p.s.Covers(snapshot.Deployments, c.Service.Namespace) {
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

// webhookConfigurations returns both kinds.
func webhookConfigurations(s *snapshot.Snapshot) []snapshot.WebhookConfiguration {
	return slices.Concat(s.MutatingWebhooks(), s.ValidatingWebhooks())
}

// failedCalls says what it means that every call of these webhooks fails, and how bad that is. The policy decides: Fail
// refuses the request, Ignore lets it through as it is.
func failedCalls(c *snapshot.WebhookConfiguration, calls []call) (string, Severity) {
	var refused, passed []string
	for _, one := range calls {
		if one.FailurePolicy == "Ignore" {
			passed = append(passed, resourcesOf(one)...)
		} else {
			refused = append(refused, resourcesOf(one)...)
		}
	}
	var parts []string
	severity := Error
	if len(refused) > 0 {
		parts = append(parts, fmt.Sprintf("every submission is refused (failurePolicy Fail for %s)", listed(refused)))
	}
	switch {
	case len(passed) > 0 && c.Mutating():
		parts = append(parts, fmt.Sprintf("pods start unmutated (failurePolicy Ignore for %s)", listed(passed)))
	case len(passed) > 0:
		parts = append(parts, fmt.Sprintf("objects are admitted unvalidated (failurePolicy Ignore for %s)", listed(passed)))
		if len(refused) == 0 {
			severity = Warning
		}
	}
	return strings.Join(parts, ", "), severity
}

// resourcesOf names what a webhook sees, as in "create of pods".
func resourcesOf(c call) []string {
	var out []string
	for _, r := range c.Rules {
		text := strings.ToLower(strings.Join(r.Operations, " and ")) + " of "
		switch {
		case c.Conditional:
			text += strings.Join(r.Resources, ", ") + " that its matchConditions take"
		case slices.Contains(r.Resources, "pods") && c.NamespaceSelector == nil && c.ObjectSelector == nil:
			text += "any pod in the cluster"
		default:
			text += strings.Join(r.Resources, ", ")
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return []string{"request to " + c.Name}
	}
	return out
}

// listed joins distinct texts in order.
func listed(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), ", ")
}

// applied reports whether an object is one of a cluster. A chart that was rendered says nothing about what is missing at
// run time.
func applied(o *snapshot.Object) bool { return o.UID != "" }

// young reports whether something changed so lately that its parts may still be on their way.
func young(s *snapshot.Snapshot, p Params, times ...time.Time) bool {
	return slices.ContainsFunc(times, func(t time.Time) bool { return !t.IsZero() && s.TakenAt.Sub(t) < p.SettleAfter })
}
