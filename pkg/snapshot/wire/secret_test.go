package wire

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func selfSigned(t *testing.T, key crypto.Signer) []byte {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func TestKeyStates(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(rsaKey)
	require.NoError(t, err)
	sec1, err := x509.MarshalECPrivateKey(ecKey)
	require.NoError(t, err)
	rsaCert, ecCert := snapshot.ParseBundle(selfSigned(t, rsaKey)), snapshot.ParseBundle(selfSigned(t, ecKey))
	pkcs1 := block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsaKey))
	for name, c := range map[string]struct {
		text        []byte
		certificate snapshot.Bundle
		want        snapshot.KeyState
	}{
		"PKCS#1":                    {pkcs1, rsaCert, snapshot.KeyMatches},
		"no certificate to compare": {pkcs1, snapshot.Bundle{}, snapshot.KeyMatches},
		"PKCS#8":                    {block("PRIVATE KEY", pkcs8), rsaCert, snapshot.KeyOtherType},
		"EC":                        {block("EC PRIVATE KEY", sec1), ecCert, snapshot.KeyOtherType},
		"EC after its parameters": {append(block("EC PARAMETERS", []byte{6, 0}), block("EC PRIVATE KEY", sec1)...), ecCert,
			snapshot.KeyOtherType},
		"of another certificate":     {pkcs1, ecCert, snapshot.KeyMismatched},
		"EC of another certificate":  {block("EC PRIVATE KEY", sec1), rsaCert, snapshot.KeyMismatched},
		"empty":                      {nil, rsaCert, snapshot.KeyMissing},
		"no PEM":                     {[]byte("secret"), rsaCert, snapshot.KeyGarbage},
		"a certificate in its place": {selfSigned(t, rsaKey), rsaCert, snapshot.KeyGarbage},
		"cut short":                  {block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsaKey)[:40]), rsaCert, snapshot.KeyGarbage},
	} {
		require.Equal(t, c.want, keyState(c.text, c.certificate), name)
	}
}

func TestBundles(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	one := selfSigned(t, key)
	for name, c := range map[string]struct {
		text      []byte
		number    int
		problem   string
		truncated bool
	}{
		"nothing":              {nil, 0, "", false},
		"one":                  {one, 1, "", false},
		"two":                  {append(one[:len(one):len(one)], one...), 2, "", false},
		"text around":          {append([]byte("# our CA\n"), one...), 1, "", false},
		"garbage":              {[]byte("garbage"), 0, "is no PEM certificate", false},
		"a key":                {block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)), 0, `holds a block of type "RSA PRIVATE KEY"`, false},
		"no certificate in it": {block("CERTIFICATE", []byte("x")), 0, "holds a certificate that does not parse", false},
		"4096":                 {bytes.Repeat(one, 4096), 512, fmt.Sprintf("holds more than %d certificates", 512), true},
	} {
		b := snapshot.ParseBundle(c.text)
		require.Len(t, b.Certificates(), c.number, name)
		require.Equal(t, c.problem, b.Problem, name)
		require.Equal(t, c.truncated, b.Truncated, name)
		require.Equal(t, len(c.text) == 0, b.Empty(), name)
	}
}

func TestSecretHoldsNoKey(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	private := block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))
	cert := selfSigned(t, key)
	w := webhookSecretFrom(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "certs", Annotations: map[string]string{"argocd.argoproj.io/tracking-id": "app:/Secret:ns/certs"}},
		Data: map[string][]byte{"ca-cert.pem": cert, "ca-key.pem": private, "server-cert.pem": cert, "server-key.pem": private,
			"tls.crt": cert, "tls.key": private, "ca.crt": cert},
	}, snapshot.Location{})
	require.NotContains(t, fmt.Sprintf("%+v %x", w, w), fmt.Sprintf("%x", key.D.Bytes()[:16]))
	require.Equal(t, []snapshot.Pair{w.Own, w.CertManager}, []snapshot.Pair{w.CertManager, w.Own}, "both forms are kept")
	require.Empty(t, w.Own.Empty)
	require.Equal(t, "annotation argocd.argoproj.io/tracking-id app:/Secret:ns/certs", w.TrackedBy)

	require.Nil(t, webhookSecretFrom(&corev1.Secret{Data: map[string][]byte{"password": []byte("x")}}, snapshot.Location{}),
		"another kind of Secret")
	blank := webhookSecretFrom(&corev1.Secret{}, snapshot.Location{})
	require.Equal(t, ownKeys(), blank.Own.Empty, "the operator makes the Secret empty and fills it then")
	require.Equal(t, certManagerKeys(), blank.CertManager.Empty)
}

func TestManagersOwnWhatIsBelow(t *testing.T) {
	entry := func(manager, fields string) metav1.ManagedFieldsEntry {
		f := &metav1.FieldsV1{}
		require.NoError(t, f.UnmarshalJSON([]byte(fields)))
		return metav1.ManagedFieldsEntry{Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, FieldsV1: f}
	}
	m := &metav1.ObjectMeta{ManagedFields: []metav1.ManagedFieldsEntry{
		entry("made-the-map", `{"f:data":{".":{}},"f:type":{}}`),
		entry("owns-a-key", `{"f:data":{"f:ca-cert.pem":{}}}`),
		entry("owns-all", `{"f:data":{".":{},"f:ca-cert.pem":{}}}`),
		entry("owns-the-leaf", `{"f:webhooks":{"k:{\"name\":\"f:data\"}":{"f:clientConfig":{"f:caBundle":{}}}}}`),
		entry("labels-only", `{"f:metadata":{"f:labels":{".":{},"f:data-team":{}}}}`),
		{Manager: "no-fields"},
	}}
	names := func(path string) []string {
		var out []string
		for _, f := range managersOf(m, path) {
			out = append(out, f.Manager)
		}
		return out
	}
	require.Equal(t, []string{"owns-a-key", "owns-all"}, names("f:data"))
	require.Equal(t, []string{"owns-the-leaf"}, names("f:caBundle"))
}
