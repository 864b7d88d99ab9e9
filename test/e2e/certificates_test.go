package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

const (
	certsSecret   = "spark-operator-webhook-certs"
	webhookConfig = "spark-operator-webhook"
	serverName    = "spark-operator-webhook-svc.spark-operator.svc"
	onlyCerts     = "SD1003,SD1004,SD1005,SD1006"
)

// certificates scans with the certificate checks and nothing counted as new.
func (s situation) certificates(t *testing.T, args ...string) outcome {
	t.Helper()
	return s.doctor.scan(t, append([]string{"--checks", onlyCerts, "--new-after", "0s"}, args...)...)
}

// replicas scans with SD1005 alone.
func (s situation) replicas(t *testing.T, args ...string) outcome {
	t.Helper()
	return s.doctor.scan(t, append([]string{"--checks", "SD1005", "--new-after", "0s"}, args...)...)
}

// healed restarts the webhook with a Secret of its own making and waits until nothing is found.
func (s situation) healed(t *testing.T) {
	t.Helper()
	require.NoError(t, s.cp.Client.CoreV1().Secrets(s.op.Namespace).Delete(t.Context(), certsSecret, metav1.DeleteOptions{}))
	require.NoError(t, s.op.StopWebhook(t.Context()))
	require.NoError(t, s.op.StartWebhook(t.Context()))
	until(t, "nothing to be found", func(context.Context) (bool, error) {
		return len(s.certificates(t, "--probe").findings()) == 0, nil
	})
}

func goodCertificates(t *testing.T, s situation) {
	for _, args := range [][]string{nil, {"--probe"}} {
		o := s.certificates(t, args...)
		require.Equal(t, 0, o.code, o.stdout+o.stderr)
		require.Empty(t, o.findings())
		for _, c := range o.report.Checks {
			require.Equal(t, "passed complete", c.Status+" "+c.Coverage, "%s: %s", c.ID, c.Reason)
			require.Empty(t, c.Reason, c.ID)
		}
	}
}

// diverge makes two replicas with two certificates, and returns which the API server does not trust and which was there
// before.
func (s situation) diverge(t *testing.T) (untrusted []string, stayed string) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, s.op.Scale(ctx, "webhook", 2))
	require.Empty(t, s.certificates(t, "--probe").findings(), "both replicas read one Secret")
	require.NoError(t, s.cp.Client.CoreV1().Secrets(s.op.Namespace).Delete(ctx, certsSecret, metav1.DeleteOptions{}))
	pods, err := s.op.Pods(ctx, "webhook")
	require.NoError(t, err)
	require.NoError(t, s.cp.Client.CoreV1().Pods(s.op.Namespace).Delete(ctx, pods[0].Name, metav1.DeleteOptions{}))
	until(t, "two replicas", func(ctx context.Context) (bool, error) {
		now, err := s.op.Pods(ctx, "webhook")
		ready := slices.DeleteFunc(now, func(p corev1.Pod) bool { return p.Name == pods[0].Name || !controlplane.PodReady(&p) })
		return err == nil && len(ready) == 2, err
	})
	untrusted = s.untrusted(t)
	require.Len(t, untrusted, 1, "the API server trusts one of them")
	return untrusted, pods[1].Name
}

// twoCertificates is a Secret that was deleted under two replicas, and one replica replaced.
func twoCertificates(t *testing.T, s situation) {
	ctx := t.Context()
	untrusted, stayed := s.diverge(t)

	o := s.replicas(t, "--probe")
	require.Equal(t, []string{"error proven SD1005 Deployment spark-operator/spark-operator-webhook"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "1 of 2 webhook replicas serve a certificate that caBundle does not trust ("+untrusted[0]+")")
	require.Equal(t, 1, o.code)
	serial, err := s.op.ServedSerial(ctx, untrusted[0])
	require.NoError(t, err)
	number, ok := new(big.Int).SetString(serial, 10)
	require.True(t, ok)
	require.Contains(t, o.stdout, fmt.Sprintf("serial %X", number))

	require.Empty(t, s.replicas(t).findings(), "all this took less than ten minutes, so no date tells")
	s.startedEarlier(t, stayed)
	o = s.replicas(t)
	require.Equal(t, []string{"error likely SD1005 Deployment spark-operator/spark-operator-webhook"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "1 of 2 ready webhook replicas started before the certificate in Secret")
	require.Contains(t, o.message(t), "serve an older one ("+stayed+")")
	require.NoError(t, s.op.Scale(ctx, "webhook", 1))
	s.healed(t)
}

// renewedUnderTheSameCA is what a CA issuer of cert-manager does, with the operator's own CA.
func renewedUnderTheSameCA(t *testing.T, s situation) {
	before := s.secret(t)
	data := s.sign(t, before.Data)
	s.replaceSecret(t, data)
	require.Empty(t, s.untrusted(t))
	require.Empty(t, s.certificates(t).findings())
	o := s.certificates(t, "--probe")
	require.Equal(t, []string{"warning proven SD1005 Deployment spark-operator/spark-operator-webhook"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "serve an older certificate than that in Secret")
	require.Equal(t, 0, o.code)
	require.NoError(t, s.op.Restart(t.Context(), "webhook"))
	until(t, "nothing to be found", func(context.Context) (bool, error) {
		return len(s.certificates(t, "--probe").findings()) == 0, nil
	})
}

// secretGone deletes the Secret under replicas that have read it.
func secretGone(t *testing.T, s situation) {
	require.NoError(t, s.op.Scale(t.Context(), "webhook", 2))
	before := s.secret(t)
	require.NoError(t, s.cp.Client.CoreV1().Secrets(s.op.Namespace).Delete(t.Context(), certsSecret, metav1.DeleteOptions{}))
	o := s.scanUntil(t, "--checks", onlyCerts, "--new-after", "0s", "--probe")
	require.Equal(t, []string{"warning proven SD1004 Deployment spark-operator/spark-operator-webhook"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "does not exist: the next replica to start generates a new CA that the others do not share")
	require.Empty(t, s.untrusted(t), "for now all is well")
	require.NoError(t, s.op.Scale(t.Context(), "webhook", 1))
	o = s.scanUntil(t, "--checks", onlyCerts, "--new-after", "0s")
	require.Equal(t, []string{"info proven SD1004 Deployment spark-operator/spark-operator-webhook"}, o.findings(), o.stdout)
	_, err := s.cp.Client.CoreV1().Secrets(s.op.Namespace).Create(t.Context(),
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: certsSecret}, Data: before.Data}, metav1.CreateOptions{})
	require.NoError(t, err)
	require.Empty(t, s.certificates(t).findings())
}

// blankedByArgo is what Argo CD does with a Secret whose manifest has empty values.
func blankedByArgo(t *testing.T, s situation) {
	before := s.secret(t)
	blank := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"` + certsSecret +
		`"},"data":{"ca-cert.pem":"","ca-key.pem":"","server-cert.pem":"","server-key.pem":""}}`
	force := true
	_, err := s.cp.Client.CoreV1().Secrets(s.op.Namespace).Patch(t.Context(), certsSecret, types.ApplyPatchType, []byte(blank),
		metav1.PatchOptions{FieldManager: "argocd-controller", Force: &force})
	require.NoError(t, err)
	o := s.certificates(t, "--probe")
	require.Equal(t, []string{
		"error proven SD1006 Secret spark-operator/" + certsSecret, "error proven SD1004 Secret spark-operator/" + certsSecret,
	}, o.findings(), o.stdout)
	require.Contains(t, o.report.Items[0].Message, "argocd-controller owns the certificate data")
	require.Contains(t, o.report.Items[1].Message, "4 keys are empty or missing")
	require.Len(t, o.report.Items[1].CausedBy, 1, "the effect comes after its cause")
	owned := s.doctor.scan(t, "--checks", "SD1006")
	require.Equal(t, []string{"warning proven SD1006 Secret spark-operator/" + certsSecret}, owned.findings(), owned.stdout)
	s.replaceSecret(t, before.Data)
	require.Empty(t, s.certificates(t, "--probe").findings())
}

// staleBundle writes a caBundle that the webhook does not put right, because it may not. AllowAgain lets it.
func (s situation) staleBundle(t *testing.T) (allowAgain func()) {
	t.Helper()
	other := s.otherCA(t)
	bindings := s.cp.Client.RbacV1().ClusterRoleBindings()
	binding, err := bindings.Get(t.Context(), "spark-operator-webhook", metav1.GetOptions{})
	require.NoError(t, err)
	require.NoError(t, bindings.Delete(t.Context(), binding.Name, metav1.DeleteOptions{}))
	until(t, "the caBundle to stay wrong, and the API server to know it", func(ctx context.Context) (bool, error) {
		if !bytes.Equal(s.caBundle(t), other) {
			s.setCABundle(t, other)
		}
		_, err := s.cp.CreateApplication(ctx, controlplane.NewApplication("healthy", "refused"))
		return err != nil && strings.Contains(err.Error(), "x509"), err
	})
	return func() {
		_, err := bindings.Create(t.Context(), &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: binding.Name,
			Labels: binding.Labels, Annotations: binding.Annotations}, RoleRef: binding.RoleRef, Subjects: binding.Subjects}, metav1.CreateOptions{})
		require.NoError(t, err)
		until(t, "the API server to know the rights", func(ctx context.Context) (bool, error) {
			review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
				User: "system:serviceaccount:" + s.op.Namespace + ":spark-operator-webhook",
				ResourceAttributes: &authorizationv1.ResourceAttributes{Group: "admissionregistration.k8s.io",
					Resource: "mutatingwebhookconfigurations", Verb: "update", Name: webhookConfig},
			}}
			got, err := s.cp.Client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
			return err == nil && got.Status.Allowed, err
		})
	}
}

// anotherCA is a caBundle that nobody puts right: once because the webhook may not write it, once because it is down.
func anotherCA(t *testing.T, s situation) {
	before := s.caBundle(t)
	allowAgain := s.staleBundle(t)
	for _, args := range [][]string{nil, {"--probe", "--skip-checks", "SD1005"}} {
		o := s.certificates(t, args...)
		require.Equal(t, []string{"error proven SD1003 MutatingWebhookConfiguration /" + webhookConfig}, o.findings(), o.stdout)
		require.Contains(t, o.message(t), "signed by an unknown authority")
	}
	require.Equal(t, "broken certificate", s.doctor.scan(t, "--checks", chain, "--new-after", "0s").admission(t, "healthy"))
	proven := s.replicas(t, "--probe")
	require.Equal(t, []string{"error proven SD1005 Deployment spark-operator/spark-operator-webhook"}, proven.findings(), proven.stdout)
	s.refusedForGood(t)

	require.NoError(t, s.op.StopWebhook(t.Context()))
	o := s.certificates(t)
	require.Equal(t, []string{"error likely SD1003 MutatingWebhookConfiguration /" + webhookConfig}, o.findings(),
		"a replica that starts could still put it right")
	o = s.certificates(t, "--logs")
	require.Equal(t, []string{"error proven SD1003 MutatingWebhookConfiguration /" + webhookConfig}, o.findings(),
		"it was refused while it ran")
	s.setCABundle(t, nil)
	o = s.certificates(t)
	require.Equal(t, []string{"error proven SD1003 MutatingWebhookConfiguration /" + webhookConfig}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "caBundle is empty")

	allowAgain()
	require.NoError(t, s.op.StartWebhook(t.Context()))
	until(t, "the webhook to put its CA back", func(context.Context) (bool, error) { return bytes.Equal(s.caBundle(t), before), nil })
	require.Empty(t, s.certificates(t, "--probe").findings())
}

// unseenCertificates are what a user learns who may neither read Secrets nor forward ports.
func unseenCertificates(t *testing.T, s situation) {
	require.NoError(t, s.cp.Grant(t.Context(), "u9", "", without("secrets")...))
	d := as(t, s.cp, s.doctor.binary, "u9")
	o := d.scan(t, "--checks", onlyCerts, "--probe")
	require.Empty(t, o.findings(), "what was not seen is not a finding")
	require.Equal(t, 3, o.code)
	want := map[string]string{"SD1003": "skipped  get secrets", "SD1004": "skipped  get secrets", "SD1005": "skipped  create pods/portforward",
		"SD1006": "passed partial get secrets"}
	for _, c := range o.report.Checks {
		fields := strings.SplitN(want[c.ID], " ", 4)
		require.Equal(t, fields[0], c.Status, c.ID)
		if fields[1] != "" {
			require.Equal(t, fields[1], c.Coverage, c.ID)
		}
		require.True(t, slices.ContainsFunc(c.Unseen, func(u struct{ Verb, Resource, Namespace, Reason string }) bool {
			return u.Verb == fields[2] && u.Resource == fields[3] && u.Reason == "forbidden"
		}), "%s: %v", c.ID, c.Unseen)
	}
}

// sayingNothing is a replica that accepts a connection and never answers.
func sayingNothing(t *testing.T, s situation) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			if _, err := listener.Accept(); err != nil {
				return
			}
		}
	}()
	pods, err := s.op.Pods(t.Context(), "webhook")
	require.NoError(t, err)
	forwards := s.cp.Dynamic.Resource(portForwards()).Namespace(s.op.Namespace)
	before, err := forwards.Get(t.Context(), pods[0].Name, metav1.GetOptions{})
	require.NoError(t, err)
	patch := fmt.Sprintf(`[{"op":"replace","path":"/spec/forwards/0/target/port","value":%d}]`, listener.Addr().(*net.TCPAddr).Port)
	_, err = forwards.Patch(t.Context(), before.GetName(), types.JSONPatchType, []byte(patch), metav1.PatchOptions{})
	require.NoError(t, err)
	until(t, "the replica to say nothing", func(context.Context) (bool, error) {
		o := s.replicas(t, "--probe")
		require.Empty(t, o.findings())
		c := o.report.Checks[0]
		return len(c.Unseen) == 1 && c.Unseen[0].Reason == "timed out" && c.Coverage == "partial" && o.code == 3, nil
	})
	raw, err := json.Marshal([]map[string]any{{"op": "replace", "path": "/spec", "value": before.Object["spec"]}})
	require.NoError(t, err)
	_, err = forwards.Patch(t.Context(), before.GetName(), types.JSONPatchType, raw, metav1.PatchOptions{})
	require.NoError(t, err)
	until(t, "the replica to answer", func(context.Context) (bool, error) { return s.certificates(t, "--probe").code == 0, nil })
}
