package facts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Call is one webhook of a configuration that is the operator's and calls a Service.
type Call struct {
	snapshot.Webhook
	Index int
	In    *operator.Installation // that claims it; nil: none was found
}

// Field is the path of a part of the webhook.
func (c Call) Field(part string) string { return fmt.Sprintf("webhooks[%d].%s", c.Index, part) }

// Address is what the webhook calls, for people.
func (c Call) Address() string {
	return fmt.Sprintf("%s/%s:%d%s", c.Service.Namespace, c.Service.Name, c.Port, c.Path)
}

// WebhookConfigurations returns both kinds.
func WebhookConfigurations(s *snapshot.Snapshot) []snapshot.WebhookConfiguration {
	return slices.Concat(s.MutatingWebhooks(), s.ValidatingWebhooks())
}

// ResourcesOf names what a webhook sees, as in "create of pods".
func ResourcesOf(c Call) []string {
	var out []string
	for _, r := range c.Rules {
		text := strings.ToLower(strings.Join(r.Operations, " and ")) + " of "
		switch {
		case c.Conditional:
			text += strings.Join(r.Resources, ", ") + " that its matchConditions match"
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

// ListText joins distinct texts in order.
func ListText(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), ", ")
}

// Applied reports whether an object is one of a cluster. A chart that was rendered says nothing about what is missing at
// run time.
func Applied(o *snapshot.Object) bool { return o.UID != "" }

// Young reports whether something changed so lately that its parts may still be on their way.
func Young(s *snapshot.Snapshot, p check.Params, times ...time.Time) bool {
	return slices.ContainsFunc(times, func(t time.Time) bool { return !t.IsZero() && s.TakenAt.Sub(t) < p.SettleAfter })
}
