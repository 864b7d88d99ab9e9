package releases

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

func TestDefaults(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		want, known := operator.ChartOf(r.Version)
		require.True(t, known)
		values := r.values(t)
		got := operator.Chart{Source: want.Source}
		if r.legacy() {
			got.JobNamespaces = stringsOf(values["sparkJobNamespaces"])
		} else {
			got.JobNamespaces = stringsOf(below(values, "spark")["jobNamespaces"])
		}
		got.Webhook, _ = below(values, "webhook")["enable"].(bool)
		got.UpgradesCRDs = below(values, "hook")["upgradeCrd"] != nil
		got.HookCreates, got.HookForces = r.hook(t)
		all := r.render(t, "webhook.enable=true")
		got.FailurePolicy, got.WebhookTimeout, got.SideEffects = r.admission(t, all)
		for _, d := range of[appsv1.Deployment](t, all, "Deployment") {
			c := d.Spec.Template.Spec.Containers[0]
			got.Repository, _, _ = strings.Cut(c.Image, ":")
			got.RootReadOnly = c.SecurityContext != nil && c.SecurityContext.ReadOnlyRootFilesystem != nil &&
				*c.SecurityContext.ReadOnlyRootFilesystem
			group := int64(0)
			if pod := d.Spec.Template.Spec.SecurityContext; pod != nil && pod.FSGroup != nil {
				group = *pod.FSGroup
			}
			require.True(t, got.Replicas+got.WebhookReplicas == 0 || got.FSGroup == group, "controller and webhook have the same")
			got.FSGroup = group
			for _, p := range c.Ports {
				if p.Name == "webhook" {
					got.WebhookPort = p.ContainerPort
				} else {
					got.MetricsPort = p.ContainerPort
				}
			}
			got.LeaderElection = slices.Contains(c.Args, "--leader-election=true")
			if strings.HasSuffix(d.Name, "-webhook") {
				got.WebhookReplicas = *d.Spec.Replicas
			} else {
				got.Replicas = *d.Spec.Replicas
			}
		}
		got.ServicePort = of[corev1.Service](t, all, "Service")[0].Spec.Ports[0].Port
		got.Spark, got.Java = r.spark(t), want.Java // which Java is in the Spark image cannot be seen here
		got.LabelledOnly = !r.legacy() && strings.Contains(r.read(t, "cmd/operator/controller/start.go"),
			"&corev1.ConfigMap{}: {\n\t\t\t\tLabel:")
		require.Equal(t, want, got)
	})
}

// hook returns what the job that applies CRDs may do and does.
func (r release) hook(t *testing.T) (creates, forces bool) {
	t.Helper()
	if r.legacy() || r.Before(2, 3, 0) {
		return false, false
	}
	const dir = "charts/spark-operator-chart/templates/hook/"
	return r.contains(t, dir+"cluster_role.yaml", "  - create\n"), r.contains(t, dir+"job.yaml", "--force-conflicts")
}

// admission returns failurePolicy, timeoutSeconds and sideEffects of the webhooks: of the chart's or, in 1.x, those that
// the operator writes.
func (r release) admission(t *testing.T, all objects) (policy string, timeout int32, effects string) {
	t.Helper()
	if r.legacy() {
		r.has(t, "pkg/webhook/webhook.go", `"webhook-fail-on-error", false`, `failurePolicy:                  arv1.Ignore`,
			"SideEffectClassNoneOnDryRun")
		args := of[appsv1.Deployment](t, all, "Deployment")[0].Spec.Template.Spec.Containers[0].Args
		require.Contains(t, args, "-webhook-timeout=30")
		return "Ignore", 30, "NoneOnDryRun"
	}
	for _, c := range of[admissionv1.MutatingWebhookConfiguration](t, all, "MutatingWebhookConfiguration") {
		for _, w := range c.Webhooks {
			policy, timeout, effects = string(*w.FailurePolicy), *w.TimeoutSeconds, string(*w.SideEffects)
		}
	}
	return policy, timeout, effects
}

// spark returns the version of the Spark image that the operator's is made of.
func (r release) spark(t *testing.T) string {
	t.Helper()
	for line := range strings.Lines(r.read(t, "Dockerfile")) {
		if image, found := strings.CutPrefix(strings.TrimSpace(line), "ARG SPARK_IMAGE="); found {
			image, _, _ = strings.Cut(image, "@")
			_, tag, _ := strings.Cut(image, "spark:")
			return tag
		}
	}
	require.Fail(t, "no SPARK_IMAGE")
	return ""
}

func TestNames(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		want := operator.ChartNamesOf(r.Version, helmRelease, operator.FullName(helmRelease))
		all := r.render(t, "webhook.enable=true", "replicaCount=2")
		var got operator.ChartNames
		bindings := of[rbacv1.RoleBinding](t, all, "RoleBinding")
		for _, a := range of[corev1.ServiceAccount](t, all, "ServiceAccount") {
			for _, b := range bindings {
				// Drivers have rights in job namespaces only, and are the account with the right to all of pods there.
				if b.Subjects[0].Name == a.Name && (b.Name == a.Name && strings.HasSuffix(a.Name, "-spark") || r.legacy()) {
					got.SparkAccount, got.SparkRole, got.SparkBinding = a.Name, b.RoleRef.Name, b.Name
				}
			}
		}
		for _, d := range of[appsv1.Deployment](t, all, "Deployment") {
			flags := flagsOf(d.Spec.Template.Spec.Containers[0].Args)
			lock, account := flags["leader-election-lock-name"], d.Spec.Template.Spec.ServiceAccountName
			if strings.HasSuffix(d.Name, "-webhook") || r.legacy() {
				got.WebhookAccount = account
				got.WebhookService, got.WebhookSecret = flags["webhook-svc-name"], flags["webhook-secret-name"]
				got.Mutating, got.Validating = flags["mutating-webhook-name"], flags["validating-webhook-name"]
				got.WebhookLock = lock
			}
			if strings.HasSuffix(d.Name, "-controller") || r.legacy() {
				got.ControllerAccount, got.ControllerLock = account, lock
			}
			if r.legacy() {
				got.Mutating, got.Validating, got.WebhookLock = flags["webhook-config-name"], flags["webhook-config-name"], ""
			}
		}
		require.Equal(t, want, got)
		require.Equal(t, got.WebhookService, of[corev1.Service](t, all, "Service")[0].Name)
		if !r.legacy() {
			require.Equal(t, got.Mutating, of[admissionv1.MutatingWebhookConfiguration](t, all, "MutatingWebhookConfiguration")[0].Name)
			require.Equal(t, got.Validating, of[admissionv1.ValidatingWebhookConfiguration](t, all, "ValidatingWebhookConfiguration")[0].Name)
		}
	})
}

func below(values map[string]any, key string) map[string]any {
	out, _ := values[key].(map[string]any)
	return out
}

func stringsOf(value any) []string {
	list, _ := value.([]any)
	var out []string
	for _, item := range list {
		out = append(out, fmt.Sprint(item))
	}
	return out
}

func flagsOf(args []string) map[string]string {
	flags := map[string]string{}
	for _, arg := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		flags[name] = value
	}
	return flags
}
