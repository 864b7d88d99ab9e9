package e2e

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

func (s situation) secret(t *testing.T) *corev1.Secret {
	t.Helper()
	secret, err := s.cp.Client.CoreV1().Secrets(s.op.Namespace).Get(t.Context(), certsSecret, metav1.GetOptions{})
	require.NoError(t, err)
	return secret
}

// replaceSecret deletes and creates the Secret, so that its managedFields name no earlier writer. A webhook that starts in between creates
// one of its own: then it is tried again.
func (s situation) replaceSecret(t *testing.T, data map[string][]byte) {
	t.Helper()
	secrets := s.cp.Client.CoreV1().Secrets(s.op.Namespace)
	until(t, "the Secret to be made", func(ctx context.Context) (bool, error) {
		if err := secrets.Delete(ctx, certsSecret, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return false, err
		}
		_, err := secrets.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: certsSecret}, Data: data}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return false, nil
		}
		return err == nil, err
	})
}

func (s situation) caBundle(t *testing.T) []byte {
	t.Helper()
	c, err := s.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations().Get(t.Context(), webhookConfig, metav1.GetOptions{})
	require.NoError(t, err)
	return c.Webhooks[0].ClientConfig.CABundle
}

// setCABundle writes the caBundle of every mutating webhook.
func (s situation) setCABundle(t *testing.T, bundle []byte) {
	t.Helper()
	configurations := s.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	c, err := configurations.Get(t.Context(), webhookConfig, metav1.GetOptions{})
	require.NoError(t, err)
	var patch []map[string]any
	for i := range c.Webhooks {
		patch = append(patch, map[string]any{"op": "add", "path": fmt.Sprintf("/webhooks/%d/clientConfig/caBundle", i), "value": bundle})
	}
	raw, err := json.Marshal(patch)
	require.NoError(t, err)
	_, err = configurations.Patch(t.Context(), webhookConfig, types.JSONPatchType, raw, metav1.PatchOptions{})
	require.NoError(t, err)
}

// untrusted greets every replica as the API server does, and returns those that it would not call.
func (s situation) untrusted(t *testing.T) []string {
	t.Helper()
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(s.caBundle(t)))
	pods, err := s.op.Pods(t.Context(), "webhook")
	require.NoError(t, err)
	var out []string
	for _, pod := range pods {
		// kwok learns of a new pod's forward a moment after the pod is ready.
		until(t, "an answer of "+pod.Name, func(ctx context.Context) (bool, error) {
			address, stop, err := s.cp.PortForward(s.op.Namespace, pod.Name, s.op.WebhookPort())
			if err != nil {
				return false, err
			}
			defer stop()
			conn, err := (&tls.Dialer{Config: &tls.Config{RootCAs: roots, ServerName: serverName}}).DialContext(ctx, "tcp", address)
			switch {
			case err == nil:
				return true, conn.Close()
			case strings.Contains(err.Error(), "x509"):
				out = append(out, pod.Name)
				return true, nil
			default:
				return false, err
			}
		})
	}
	return out
}

// startedEarlier makes a replica look an hour older.
func (s situation) startedEarlier(t *testing.T, pod string) {
	t.Helper()
	pods := s.cp.Client.CoreV1().Pods(s.op.Namespace)
	p, err := pods.Get(t.Context(), pod, metav1.GetOptions{})
	require.NoError(t, err)
	p.Status.ContainerStatuses[0].State.Running.StartedAt = metav1.NewTime(time.Now().Add(-time.Hour))
	_, err = pods.UpdateStatus(t.Context(), p, metav1.UpdateOptions{})
	require.NoError(t, err)
}

// sign returns a Secret's data with another server certificate of its CA.
func (s situation) sign(t *testing.T, data map[string][]byte) map[string][]byte {
	t.Helper()
	der := func(key string) []byte { block, _ := pem.Decode(data[key]); return block.Bytes }
	ca, err := x509.ParseCertificate(der("ca-cert.pem"))
	require.NoError(t, err)
	caKey, err := x509.ParsePKCS1PrivateKey(der("ca-key.pem"))
	require.NoError(t, err)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	leaf, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: serverName}, DNSNames: []string{serverName},
		NotBefore: time.Now(), NotAfter: ca.NotAfter, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, ca, &key.PublicKey, caKey)
	require.NoError(t, err)
	return map[string][]byte{
		"ca-cert.pem": data["ca-cert.pem"], "ca-key.pem": data["ca-key.pem"],
		"server-cert.pem": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf}),
		"server-key.pem":  pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
	}
}

func (s situation) otherCA(t *testing.T) []byte {
	t.Helper()
	return newCA(t)["ca-cert.pem"]
}

// newCA returns the keys of a Secret that are a CA.
func newCA(t *testing.T) map[string][]byte {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "another"}, NotBefore: time.Now(),
		NotAfter: time.Now().AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, &key.PublicKey, key)
	require.NoError(t, err)
	return map[string][]byte{
		"ca-cert.pem": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		"ca-key.pem":  pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
	}
}

func portForwards() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "kwok.x-k8s.io", Version: "v1alpha1", Resource: "portforwards"}
}
