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
		return w.Service.Name != "" && in.webhookService() == w.Service
	})
}

// webhookService is the Service that the installation's webhook configuration should call, as its flags name it.
func (in *Installation) webhookService() snapshot.Key {
	if in.Webhook == nil {
		return snapshot.Key{}
	}
	flags := flagsOf(in.Webhook)
	return snapshot.Key{
		GroupKind: snapshot.GroupKind{Kind: "Service"},
		Namespace: cmp.Or(flags["webhook-svc-namespace"], in.Namespace), Name: flags["webhook-svc-name"],
	}
}
