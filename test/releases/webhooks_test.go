package releases

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

func TestWebhooks(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		if r.legacy() {
			for _, w := range operator.ChartWebhooks(r.Version) {
				r.has(t, "pkg/webhook/webhook.go", `"`+w.Name+`"`, `"`+w.Path+`"`)
			}
			return
		}
		var got []operator.ChartWebhook
		all := r.render(t)
		add := func(mutating bool, name string, c admissionv1.WebhookClientConfig, rules []admissionv1.RuleWithOperations, launchedOnly bool) {
			require.Len(t, rules, 1, name)
			w := operator.ChartWebhook{
				Name: name, Mutating: mutating, Path: *c.Service.Path,
				Group: rules[0].APIGroups[0], Version: rules[0].APIVersions[0], Resource: rules[0].Resources[0], LaunchedOnly: launchedOnly,
			}
			for _, o := range rules[0].Operations {
				w.Operations = append(w.Operations, string(o))
			}
			got = append(got, w)
			for _, list := range [][]string{rules[0].APIGroups, rules[0].APIVersions, rules[0].Resources} {
				require.Len(t, list, 1, name)
			}
		}
		for _, c := range of[admissionv1.MutatingWebhookConfiguration](t, all, "MutatingWebhookConfiguration") {
			for _, w := range c.Webhooks {
				only := w.ObjectSelector != nil && w.ObjectSelector.MatchLabels["sparkoperator.k8s.io/launched-by-spark-operator"] == "true"
				add(true, w.Name, w.ClientConfig, w.Rules, only)
			}
		}
		for _, c := range of[admissionv1.ValidatingWebhookConfiguration](t, all, "ValidatingWebhookConfiguration") {
			for _, w := range c.Webhooks {
				add(false, w.Name, w.ClientConfig, w.Rules, w.ObjectSelector != nil)
			}
		}
		require.ElementsMatch(t, operator.ChartWebhooks(r.Version), got)
		r.registers(t, got)
	})
}

// registers compares the webhooks of the chart with those that the program serves.
func (r release) registers(t *testing.T, chart []operator.ChartWebhook) {
	t.Helper()
	source := r.read(t, "cmd/operator/webhook/start.go")
	served := map[string]bool{}
	for kind, package_ := range map[string]string{"sparkapplications": "v1beta2.SparkApplication",
		"scheduledsparkapplications": "v1beta2.ScheduledSparkApplication", "sparkconnects": "v1alpha1.SparkConnect", "pods": "corev1.Pod"} {
		served[kind] = strings.Contains(source, "For(&"+package_+"{})")
	}
	for kind, is := range served {
		require.Equal(t, is, slices.ContainsFunc(chart, func(w operator.ChartWebhook) bool { return w.Resource == kind }), kind)
	}
}
