package operator

import (
	"cmp"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// line is what a line of releases calls its configurations, where flags do not say otherwise, and what it serves.
type line struct {
	mutatingFlag, validatingFlag, mutating, validating string // names of the configurations
	serves                                             func(path string) bool
}

// lineOf returns the facts of 1.x or 2.x. In 1.x one handler serves /webhook and nothing else, and both configurations have one name
// (pkg/webhook/webhook.go, main.go@v1beta2-1.6.2-3.5.0). 2.x serves the paths that controller-runtime makes of kinds
// (internal/webhook/*_defaulter.go, cmd/operator/webhook/start.go@v2.5.2).
func lineOf(legacy bool) line {
	if legacy {
		return line{
			mutatingFlag: "webhook-config-name", validatingFlag: "webhook-config-name",
			mutating: "spark-webhook-config", validating: "spark-webhook-config",
			serves: func(path string) bool { return path == legacyPath },
		}
	}
	return line{
		mutatingFlag: "mutating-webhook-name", validatingFlag: "validating-webhook-name",
		mutating: "spark-operator-webhook", validating: "spark-operator-webhook",
		serves: func(path string) bool { return path != legacyPath },
	}
}

const legacyPath = "/webhook"

// Serves reports whether the installation's webhook answers on a path. What is not known to belong to the other line
// counts as served.
func (in *Installation) Serves(path string) bool { return lineOf(in.Legacy()).serves(path) }

// Registration is the configuration, by kind and name, under which the installation registers its webhook; empty
// without a webhook.
func (in *Installation) Registration(mutating bool) snapshot.Key {
	if in.Webhook == nil {
		return snapshot.Key{}
	}
	l, flags := lineOf(in.Legacy()), in.webhook.flags
	key := snapshot.Key{GroupKind: snapshot.GroupKind{Group: "admissionregistration.k8s.io"}}
	if mutating {
		key.Kind, key.Name = "MutatingWebhookConfiguration", cmp.Or(flags[l.mutatingFlag], l.mutating)
	} else {
		key.Kind, key.Name = "ValidatingWebhookConfiguration", cmp.Or(flags[l.validatingFlag], l.validating)
	}
	return key
}

// Calls reports whether a webhook calls this installation on a path that it serves.
func (in *Installation) Calls(w snapshot.Webhook) bool {
	return w.Service.Name != "" && in.WebhookService() == w.Service && in.Serves(w.Path)
}

// Claims reports whether a webhook of a configuration is this installation's: it is registered under the
// installation's name, or calls it.
func (in *Installation) Claims(c *snapshot.WebhookConfiguration, w snapshot.Webhook) bool {
	return in.Webhook != nil && in.Registration(c.Mutating()) == c.Key() || in.Calls(w)
}

// ScaledUp reports whether there is a controller, and it is to have replicas.
func (in *Installation) ScaledUp() bool { return in.Controller != nil && in.Controller.Replicas > 0 }

// Reconciles reports whether the controller takes up applications of a namespace with these labels. known is false
// if that takes labels that were not seen. A --namespace-selector adds to --namespaces
// (pkg/util/predicates.go@v2.5.0, #2808).
func (in *Installation) Reconciles(namespace string, seen *snapshot.Object) (yes, known bool) {
	if !in.ScaledUp() {
		return false, true
	}
	return in.Told(namespace, seen)
}

// Told is Reconciles whether or not any replica runs: what the controller's flags say.
func (in *Installation) Told(namespace string, seen *snapshot.Object) (yes, known bool) {
	if in.Controller == nil {
		return false, true
	}
	return in.controller.admits(namespace, seen)
}

// Handles reports whether the webhook's process mutates pods of a namespace: it answers for others, but leaves them as
// they are (internal/webhook/sparkpod_defaulter.go@v2.5.2, isSparkJobNamespace; pkg/webhook/webhook.go@
// v1beta2-1.6.2-3.5.0). Up to 2.5.2 it has no --namespace-selector (#2913).
func (in *Installation) Handles(namespace string, seen *snapshot.Object) (yes, known bool) {
	if in.Webhook == nil {
		return false, true
	}
	return in.webhook.admits(namespace, seen)
}

func (s *settings) admits(namespace string, seen *snapshot.Object) (yes, known bool) {
	switch {
	case s.variable:
		return false, false
	case s.named[namespace]:
		return true, true
	}
	switch {
	case s.unreadable:
		return false, false
	case s.selector == nil:
		return s.namespaces == nil, true
	case unquoted(s.flags["namespaces"]) == "" && s.flags["namespaces"] != "":
		return true, true // "" is a list of one empty name, all namespaces; no list at all leaves it to the selector
	default:
		return snapshot.MatchNamespace(s.selector, namespace, seen)
	}
}

// FilterKnown reports whether it is known what Picks goes by.
func (in *Installation) FilterKnown() bool {
	_, err := labels.Parse(in.LabelFilter())
	return err == nil
}

// Picks reports whether the controller takes up an application with these labels: 1.x may be started with a
// -label-selector-filter (main.go@v1beta2-1.6.2-3.5.0).
func (in *Installation) Picks(app snapshot.Labels) bool {
	filter := in.LabelFilter()
	if filter == "" {
		return true
	}
	parsed, err := labels.Parse(filter)
	return err == nil && parsed.Matches(app)
}

// WebhookNamespaces returns the namespaces that the webhook's process handles, as its flags say; nil: all.
func (in *Installation) WebhookNamespaces() []string { return in.webhook.namespaces }

// Listed returns the namespaces that the controller's flags name, whatever its selector adds; nil: none or all.
func (in *Installation) Listed() []string { return in.controller.namespaces }

// WatchesAll reports whether the controller takes every namespace, whatever its labels.
func (in *Installation) WatchesAll() bool {
	if in.Controller == nil {
		return false
	}
	named := in.flag("namespaces") != "" || in.NamespaceSelector() == ""
	return named && in.controller.namespaces == nil
}

// LabelFilter returns 1.x's -label-selector-filter, empty without one.
func (in *Installation) LabelFilter() string { return unquoted(in.flag("label-selector-filter")) }

// NamespaceSelector returns the controller's --namespace-selector (2.5.0), empty without one.
func (in *Installation) NamespaceSelector() string { return unquoted(in.flag("namespace-selector")) }
