package operator

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// OwnsWebhook reports whether a webhook is the operator's: by its name, the same suffix in every release
// (pkg/webhook/webhook.go@spark-operator-chart-1.1.0, charts/spark-operator-chart/templates/webhook@v2.5.2), or
// because it calls the Service of an installation.
func OwnsWebhook(installations []Installation, w snapshot.Webhook) bool {
	if strings.HasSuffix(w.Name, "."+snapshot.SparkGroup) {
		return true
	}
	return slices.ContainsFunc(installations, func(in Installation) bool {
		return w.Service.Name != "" && in.WebhookService() == w.Service
	})
}

// WebhookService is the Service that the installation's webhook serves, as its flags name it; empty without a webhook.
func (in *Installation) WebhookService() snapshot.Key {
	return in.webhookKey("Service", "webhook-svc-namespace", "webhook-svc-name")
}

// WebhookSecret is the Secret that holds the webhook's certificate, as its flags name it, or as chart 1.3.x and older
// mount it (charts/spark-operator-chart/templates/deployment.yaml@spark-operator-chart-1.3.2); empty without a webhook.
func (in *Installation) WebhookSecret() snapshot.Key {
	if key := in.webhookKey("Secret", "webhook-secret-namespace", "webhook-secret-name"); key.Name != "" || in.Webhook == nil {
		return key
	}
	for _, m := range in.Webhook.Mounts {
		if in.CertificateUse() == MountedFiles && m.Volume == "webhook-certs" {
			return snapshot.Key{GroupKind: snapshot.GroupKind{Kind: "Secret"}, Namespace: in.Webhook.Namespace, Name: m.Secret}
		}
	}
	return snapshot.Key{}
}

func (in *Installation) webhookKey(kind, namespaceFlag, nameFlag string) snapshot.Key {
	if in.Webhook == nil {
		return snapshot.Key{}
	}
	flags := in.webhook.flags
	if flags[nameFlag] == "" {
		return snapshot.Key{}
	}
	namespace := cmp.Or(flags[namespaceFlag], in.Namespace)
	if strings.HasPrefix(namespace, "$(") {
		// Kustomize passes a variable that holds the pod's own namespace (config/webhook/deployment.yaml@v2.5.2).
		namespace = in.Namespace
	}
	return snapshot.Key{GroupKind: snapshot.GroupKind{Kind: kind}, Namespace: namespace, Name: flags[nameFlag]}
}
