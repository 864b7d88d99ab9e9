package e2e

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

const (
	installed = "spark-operator-webhook"                    // what the chart calls both configurations
	path      = "SD1001,SD1002,SD1007,SD1008,SD1009"        // the checks of what is between the API server and the webhook
	mutating  = "MutatingWebhookConfiguration /"            // as findings name it
	theirPath = "/webhook"                                  // of 1.x
	fromHook  = "FROM_WEBHOOK"                              // the variable that every application of these tests asks for
	service   = "spark-operator/spark-operator-webhook-svc" // that the configurations call
)

// unreachable stops the webhook, once as the chart installs it and once with Ignore.
func unreachable(t *testing.T, s situation) {
	ns := s.namespace(t, "unreachable")
	require.NoError(t, s.op.StopWebhook(t.Context()))
	_, err := s.cp.CreateApplication(t.Context(), controlplane.NewApplication(ns, "refused"))
	require.ErrorContains(t, err, "failed calling webhook")
	o := s.scanUntil(t, "--checks", path)
	require.ElementsMatch(t, bothUnreachable(), o.findings(), o.stdout)
	require.Contains(t, o.about(t, "SD1002"), "Service "+service+" has no ready endpoint")
	require.Contains(t, o.about(t, "SD1002"), "the API server rejects every submission (failurePolicy Fail for ")
	require.Equal(t, 1, o.code)
	require.Equal(t, o.findings(), s.doctor.scan(t, "--checks", path, "-n", "kube-system").findings(), "admission is never narrowed")
	require.Equal(t, "broken endpoints", s.doctor.scan(t, "--checks", chain).admission(t, "healthy"))
	require.Empty(t, s.doctor.scan(t, "--checks", path, "--confirm-after", "10m").findings(), "a rollout may take its time")

	restore := s.editWebhooks(t, func(w *admissionv1.MutatingWebhook) { w.FailurePolicy = new(admissionv1.Ignore) })
	o = s.doctor.scan(t, "--checks", path)
	require.ElementsMatch(t, append(bothUnreachable(), "error proven SD1001 "+mutating+installed), o.findings(), o.stdout)
	require.Len(t, o.report.Items[2].CausedBy, 1, "the effect comes after its cause")
	require.Contains(t, o.about(t, "SD1002"), "pods start without env, volumes and tolerations (failurePolicy Ignore for ")
	restore()
	require.NoError(t, s.op.StartWebhook(t.Context()))
	s.silentAgain(t)
}

func bothUnreachable() []string {
	return []string{"error proven SD1002 " + mutating + installed, "error proven SD1002 ValidatingWebhookConfiguration /" + installed}
}

// about returns what a check says of the chart's MutatingWebhookConfiguration.
func (o outcome) about(t *testing.T, id string) string {
	t.Helper()
	for _, i := range o.report.Items {
		if i.Check == id && i.Object.Kind == "MutatingWebhookConfiguration" && i.Object.Name == installed {
			return i.Message
		}
	}
	require.Fail(t, id+" says nothing", o.stdout)
	return ""
}

// serviceGone deletes the webhook's Service.
func serviceGone(t *testing.T, s situation) {
	services := s.cp.Client.CoreV1().Services(s.op.Namespace)
	was, err := services.Get(t.Context(), "spark-operator-webhook-svc", metav1.GetOptions{})
	require.NoError(t, err)
	require.NoError(t, services.Delete(t.Context(), was.Name, metav1.DeleteOptions{}))
	o := s.doctor.scan(t, "--checks", path)
	require.ElementsMatch(t, bothUnreachable(), o.findings(), o.stdout)
	require.Contains(t, o.about(t, "SD1002"), "Service "+service+
		" does not exist (Deployment spark-operator-webhook has 1 of 1 replicas ready)")
	require.Equal(t, "broken service", s.doctor.scan(t, "--checks", chain).admission(t, "healthy"))

	moved := fresh(was)
	moved.Spec.Ports[0].Port = 8443
	_, err = services.Create(t.Context(), moved, metav1.CreateOptions{})
	require.NoError(t, err)
	o = s.scanUntil(t, "--checks", path)
	require.Contains(t, o.report.Items[0].Message, "Service "+service+" has no port ")
	require.NoError(t, services.Delete(t.Context(), was.Name, metav1.DeleteOptions{}))
	_, err = services.Create(t.Context(), fresh(was), metav1.CreateOptions{})
	require.NoError(t, err)
	s.silentAgain(t)
}

func fresh(s *corev1.Service) *corev1.Service {
	out := s.DeepCopy()
	out.ObjectMeta = metav1.ObjectMeta{Name: s.Name, Labels: s.Labels, Annotations: s.Annotations}
	out.Spec.ClusterIP, out.Spec.ClusterIPs = "", nil
	return out
}

// configurationGone deletes the chart's MutatingWebhookConfiguration: nothing is refused, pods just go without.
func configurationGone(t *testing.T, s situation) {
	ns := s.namespace(t, "unregistered")
	configurations := s.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	was, err := configurations.Get(t.Context(), installed, metav1.GetOptions{})
	require.NoError(t, err)
	require.NoError(t, configurations.Delete(t.Context(), installed, metav1.DeleteOptions{}))
	restored := false
	t.Cleanup(func() { // else everything after a failure fails, too
		if !restored {
			_, _ = configurations.Create(context.WithoutCancel(t.Context()), renewed(was), metav1.CreateOptions{})
		}
	})
	s.unmutated(t, ns, "pi")
	want, o := []string{"error proven SD1008 Deployment spark-operator/spark-operator-webhook"}, outcome{}
	until(t, "the finding, once the webhook's Deployment has settled after what was done to it before", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "--checks", path)
		return slices.Equal(want, o.findings()), nil
	})
	require.Contains(t, o.message(t), "MutatingWebhookConfiguration "+installed+
		" does not exist: pods start without env, volumes and tolerations")
	require.Equal(t, "broken registration", s.doctor.scan(t, "--checks", chain).admission(t, ns))
	require.Contains(t, o.message(t), "driver.env")
	_, err = configurations.Create(t.Context(), renewed(was), metav1.CreateOptions{})
	require.NoError(t, err)
	restored = true
	s.silentAgain(t)
}

// renewed is a configuration to be created again.
func renewed(c *admissionv1.MutatingWebhookConfiguration) *admissionv1.MutatingWebhookConfiguration {
	out := c.DeepCopy()
	out.ObjectMeta = metav1.ObjectMeta{Name: c.Name, Labels: c.Labels, Annotations: c.Annotations}
	return out
}

// configurationOf1x is what an operator of 1.x makes for itself, and which outlives it.
func (s situation) configurationOf1x() *admissionv1.MutatingWebhookConfiguration {
	return &admissionv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "spark-operator-webhook-config"},
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "webhook.sparkoperator.k8s.io",
			ClientConfig: admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: s.op.Namespace,
				Name: "spark-operator-webhook", Path: new(theirPath)}},
			Rules: []admissionv1.RuleWithOperations{{Operations: []admissionv1.OperationType{admissionv1.Create},
				Rule: admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}}}},
			FailurePolicy:           new(admissionv1.Ignore),
			NamespaceSelector:       &metav1.LabelSelector{MatchLabels: map[string]string{"spark": "yes"}}, // or nobody in the cluster could go on
			SideEffects:             new(admissionv1.SideEffectClassNoneOnDryRun),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}
}

// leftover finds it.
func leftover(t *testing.T, s situation) {
	configurations := s.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	old := s.configurationOf1x()
	made, err := configurations.Create(t.Context(), old, metav1.CreateOptions{})
	require.NoError(t, err)
	o := s.scanUntil(t, "--checks", "SD1002,SD1009")
	require.Equal(t, []string{"warning proven SD1009 " + mutating + old.Name}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "calls Service spark-operator/spark-operator-webhook, which does not exist")

	// Chart 1.4 gave its Service the name that 2.x uses.
	made.Webhooks[0].FailurePolicy = new(admissionv1.Fail)
	made.Webhooks[0].ClientConfig.Service.Name = "spark-operator-webhook-svc"
	_, err = configurations.Update(t.Context(), made, metav1.UpdateOptions{})
	require.NoError(t, err)
	o = s.doctor.scan(t, "--checks", path)
	require.Equal(t, []string{"error proven SD1009 " + mutating + old.Name}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "does not serve path /webhook")
	s.staleCalls(t, old.Webhooks[0].Name)
	require.NoError(t, configurations.Delete(t.Context(), old.Name, metav1.DeleteOptions{}))
	s.silentAgain(t)
}

// staleCalls submits where the leftover is asked: the driver is refused, and the controller's log has the reason.
func (s situation) staleCalls(t *testing.T, webhook string) {
	t.Helper()
	ns := s.namespace(t, "stale")
	_, err := s.cp.Client.CoreV1().Namespaces().Patch(t.Context(), ns, types.MergePatchType, []byte(`{"metadata":{"labels":{"spark":"yes"}}}`),
		metav1.PatchOptions{})
	require.NoError(t, err)
	_, err = s.cp.CreateApplication(t.Context(), controlplane.NewApplication(ns, "refused"))
	require.NoError(t, err)
	var o outcome
	until(t, "the controller to be refused", func(context.Context) (bool, error) {
		o = s.doctor.scan(t, "--checks", "SD1009", "--logs")
		return len(o.quoted()) > 0, nil
	})
	o.quotes(t, "SD1009", `failed calling webhook "`+webhook+`": failed to call webhook: `)
	s.deleteApp(t, ns, "refused", metav1.DeletePropagationBackground)
}

// skipped takes a job namespace out of the webhook's selector.
func skipped(t *testing.T, s situation) {
	ns := s.namespace(t, "skipped")
	restore := s.editWebhooks(t, func(w *admissionv1.MutatingWebhook) {
		names := &w.NamespaceSelector.MatchExpressions[0]
		names.Values = slices.DeleteFunc(names.Values, func(v string) bool { return v == ns })
	})
	s.unmutated(t, ns, "pi")
	o := s.doctor.scan(t, "--checks", path)
	require.Equal(t, []string{"error proven SD1007 Namespace /" + ns}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "namespaceSelector of "+s.podWebhook(t)+" matches only kubernetes.io/metadata.name in (")
	require.Contains(t, o.message(t), "such as "+ns+"/pi with driver.env")
	verdicts := s.doctor.scan(t, "--checks", chain, "--new-after", "0s")
	require.Equal(t, "broken selector", verdicts.admission(t, ns))
	require.Equal(t, "healthy", verdicts.admission(t, "healthy"), "of the other namespaces")
	require.Equal(t, o.findings(), s.doctor.scan(t, "--checks", path, "-n", ns).findings(), "a Namespace is in itself")
	require.Empty(t, s.doctor.scan(t, "--checks", path, "-n", "healthy").findings())
	require.Equal(t, o.findings(), s.doctor.scan(t, "--checks", path, "-n", ns, "sparkapplication/pi").findings())
	s.deleteApp(t, ns, "pi", metav1.DeletePropagationBackground)
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, "pi"))
	restore()
	s.silentAgain(t)
}

// unmutated runs an application whose driver gets nothing from the webhook.
func (s situation) unmutated(t *testing.T, ns, name string) {
	t.Helper()
	s.application(t, ns, name)
	driver, err := s.cp.Client.CoreV1().Pods(ns).Get(t.Context(), name+"-driver", metav1.GetOptions{})
	require.NoError(t, err)
	for _, e := range driver.Spec.Containers[0].Env {
		require.NotEqual(t, fromHook, e.Name, "the webhook saw the pod")
	}
}

// editWebhooks changes the chart's configuration, and returns what changes it back.
func (s situation) editWebhooks(t *testing.T, edit func(*admissionv1.MutatingWebhook)) (restore func()) {
	t.Helper()
	configurations := s.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	was, err := configurations.Get(t.Context(), installed, metav1.GetOptions{})
	require.NoError(t, err)
	put := func(list []admissionv1.MutatingWebhook) {
		raw, err := json.Marshal(map[string]any{"webhooks": list})
		require.NoError(t, err)
		_, err = configurations.Patch(t.Context(), installed, types.MergePatchType, raw, metav1.PatchOptions{})
		require.NoError(t, err)
	}
	edited := was.DeepCopy().Webhooks
	for i := range edited {
		edit(&edited[i])
	}
	put(edited)
	return func() { put(was.Webhooks) }
}

func (s situation) podWebhook(t *testing.T) string {
	t.Helper()
	c, err := s.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations().Get(t.Context(), installed, metav1.GetOptions{})
	require.NoError(t, err)
	return c.Webhooks[0].Name
}

// silentAgain waits until applications are admitted, and nothing of the path is found then.
func (s situation) silentAgain(t *testing.T) {
	t.Helper()
	until(t, "applications to be admitted", func(ctx context.Context) (bool, error) {
		_, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace("healthy").Create(ctx,
			controlplane.NewApplication("healthy", "dry"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err == nil, err
	})
	require.Empty(t, s.doctor.scan(t, "--checks", path).findings())
}
