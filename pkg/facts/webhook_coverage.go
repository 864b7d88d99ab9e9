package facts

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// WebhookCoverage knows which pods the webhooks of the operator see.
type WebhookCoverage struct {
	Installations []operator.Installation
	Webhooks      []PodWebhook
	Namespaces    map[string]*snapshot.Object
	pods          map[string][]*snapshot.Pod // launched for SparkApplications, by namespace
}

// PodWebhook is a registered webhook for pods, and the installation that answers.
type PodWebhook struct {
	snapshot.Webhook
	config *snapshot.WebhookConfiguration
	index  int
	in     *operator.Installation

	selects func(namespace string, seen *snapshot.Object) (yes, known bool) // the namespaceSelector
}

// Visibility says whether webhooks see the pods of a namespace.
type Visibility int

const (
	Sees Visibility = iota
	Skips
	unclearWhether
	NotReconciled // by an operator with a webhook
)

// Covered tells what the webhooks that are installed see.
func Covered() check.Fact[*WebhookCoverage] {
	return check.Fact[*WebhookCoverage]{
		Name: "webhook coverage",
		Needs: []snapshot.Need{
			{View: snapshot.MutatingWebhooks, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			{View: snapshot.Namespaces, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			{View: snapshot.SparkPods, Role: snapshot.Optional},
		},
		Requires: []check.Requirement{Installations()},
		Make:     newWebhookCoverage,
	}
}

func newWebhookCoverage(p *check.Pass) *WebhookCoverage {
	w := &WebhookCoverage{Namespaces: map[string]*snapshot.Object{}, pods: map[string][]*snapshot.Pod{}}
	namespaces := p.AllNamespaces()
	for i := range namespaces {
		w.Namespaces[namespaces[i].Name] = &namespaces[i]
	}
	for _, pod := range p.SparkPods() {
		// The webhook leaves pods of SparkConnect as they are (internal/webhook/sparkpod_defaulter.go@v2.5.2).
		if pod.Labels.Has(snapshot.AppNameLabel) {
			w.pods[pod.Namespace] = append(w.pods[pod.Namespace], pod)
		}
	}
	w.register(Installations().Of(p), p.MutatingWebhooks())
	return w
}

// After is what the webhooks will see of the same namespaces and pods once others are installed.
func (w *WebhookCoverage) After(installed *snapshot.Snapshot) *WebhookCoverage {
	out := &WebhookCoverage{Namespaces: w.Namespaces, pods: w.pods}
	out.register(operator.Find(installed.Deployments()), installed.MutatingWebhooks())
	return out
}

// register takes in the webhooks for pods that installations answer.
func (w *WebhookCoverage) register(installations []operator.Installation, configurations []snapshot.WebhookConfiguration) {
	w.Installations = installations
	pod := &snapshot.Object{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod"}}
	for i := range configurations {
		c := &configurations[i]
		for j, hook := range c.Webhooks {
			if !operator.OwnsWebhook(w.Installations, hook) || !hook.Intercepts("CREATE", pod) {
				continue
			}
			if k := slices.IndexFunc(w.Installations, func(in operator.Installation) bool {
				return in.Claims(c, hook) && in.Serves(hook.Path)
			}); k >= 0 {
				w.Webhooks = append(w.Webhooks, PodWebhook{hook, c, j, &w.Installations[k], hook.NamespaceMatch()})
			}
		}
	}
}

// RegisteredFor returns the pod webhooks that an installation answers.
func (w *WebhookCoverage) RegisteredFor(in *operator.Installation) []PodWebhook {
	return slices.DeleteFunc(slices.Clone(w.Webhooks), func(one PodWebhook) bool { return one.in != in })
}

// covered reports whether any webhook sees the pods of a namespace.
func (w *WebhookCoverage) covered(name string) Visibility {
	worst := Skips
	for _, one := range w.Webhooks {
		switch w.Sees(name, one) {
		case Sees:
			return Sees
		case unclearWhether:
			worst = unclearWhether
		default:
		}
	}
	return worst
}

// Sees asks both selectors and the process behind the webhook: all three must take the pods.
func (w *WebhookCoverage) Sees(name string, one PodWebhook) Visibility {
	out := Sees
	selected, selectedKnown := one.selects(name, w.Namespaces[name])
	picked, pickedKnown := w.picks(name, one)
	handled, handledKnown := one.in.Handles(name, w.Namespaces[name])
	if one.Conditional {
		out = unclearWhether // what its matchConditions take is not known
	}
	for _, answer := range [][2]bool{{selected, selectedKnown}, {picked, pickedKnown}, {handled, handledKnown}} {
		switch yes, known := answer[0], answer[1]; {
		case known && !yes:
			return Skips
		case !known:
			out = unclearWhether
		}
	}
	return out
}

// picks reports whether the objectSelector takes pods of a namespace: those that are there, else one as the operator
// submits it (common.LabelLaunchedBySparkOperator, pkg/common/spark.go@v2.5.2). A user's own labels cannot be known.
func (w *WebhookCoverage) picks(name string, one PodWebhook) (yes, known bool) {
	selector, err := metav1.LabelSelectorAsSelector(one.ObjectSelector)
	if err != nil {
		return false, false
	}
	if one.ObjectSelector == nil || selector.Empty() {
		return true, true
	}
	for _, pod := range w.pods[name] {
		if selector.Matches(pod.Labels) {
			return true, true
		}
	}
	if len(w.pods[name]) > 0 {
		return false, true
	}
	own := labels.Set{snapshot.LaunchedByLabel: "true"}
	requirements, _ := selector.Requirements()
	for _, r := range requirements {
		if !own.Has(r.Key()) {
			return false, false
		}
	}
	return selector.Matches(own), true
}

// gap says what keeps a webhook from seeing the pods of a namespace.
func (w *WebhookCoverage) gap(name string, one PodWebhook) (string, check.Evidence) {
	field := fmt.Sprintf("webhooks[%d].", one.index)
	if yes, known := one.selects(name, w.Namespaces[name]); known && !yes {
		text := metav1.FormatLabelSelector(one.NamespaceSelector)
		return fmt.Sprintf("namespaceSelector of %s matches only %s", one.Name, text),
			check.Evidence{Object: one.config.Ref, Field: field + "namespaceSelector", Value: text}
	}
	if yes, known := w.picks(name, one); known && !yes {
		text := metav1.FormatLabelSelector(one.ObjectSelector)
		return fmt.Sprintf("objectSelector of %s matches only %s", one.Name, text),
			check.Evidence{Object: one.config.Ref, Field: field + "objectSelector", Value: text}
	}
	text := NamespacesText(one.in.WebhookNamespaces())
	return "the webhook's process handles only namespace " + text, check.Evidence{Object: one.in.Webhook.Ref,
		Field: "namespaces that the webhook handles", Value: text}
}

// NamespacesText lists namespaces; nil are all.
func NamespacesText(list []string) string {
	if list == nil {
		return "all"
	}
	return strings.Join(list, ", ")
}
