package checks_test

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func asCA(c *x509.Certificate) {
	c.IsCA, c.KeyUsage, c.DNSNames = true, x509.KeyUsageCertSign, nil
	c.Subject.CommonName = "intermediate"
}

func named(names ...string) func(*x509.Certificate) {
	return func(c *x509.Certificate) { c.DNSNames = names }
}

func withChain(t *testing.T, ca *issued, chain ...*issued) map[string][]byte {
	t.Helper()
	data := certManagerData(t, ca, chain[0])
	for _, c := range chain[1:] {
		data["tls.crt"] = append(data["tls.crt"], c.pem()...)
	}
	return data
}

// chart14 is an installation of chart 1.4.6.
func chart14(replicas int) func(*bed) {
	return func(b *bed) {
		//nolint:gosec // a handful
		b.image, b.ready, b.start = "docker.io/kubeflow/spark-operator:v1beta2-1.6.2-3.5.0", int32(replicas), make([]int, replicas)
		b.args = []string{"-enable-webhook=true", "-webhook-secret-name=spark-operator-webhook-certs",
			"-webhook-svc-name=spark-operator-webhook-svc", "-webhook-svc-namespace=spark-operator"}
	}
}

func TestWhatASecretMayHold(t *testing.T) {
	ca := issue(t, nil, -1000, 36500)
	leaf := issue(t, ca, -100, 3650)
	ec := issueFor(t, ecKey(t), ca, -100, 3650)
	own := func(change func(map[string][]byte)) bed {
		data := maps.Clone(ownData(t, ca, leaf))
		change(data)
		return newBed(nil, data)
	}
	dated := func(from, to int) bed { return newBed(nil, ownData(t, ca, issue(t, ca, from, to))) }
	managed := func(from, to int) bed {
		return newBed(nil, certManagerData(t, ca, issue(t, ca, from, to))).with(withCertManager)
	}
	for name, c := range map[string]struct {
		bed  bed
		want []string // "severity message"
	}{
		"healthy": {own(func(map[string][]byte) {}), nil},
		"one key missing": {own(func(d map[string][]byte) { delete(d, "ca-key.pem") }),
			[]string{"error 1 key is empty or missing (ca-key.pem): the next replica to start generates a new CA"}},
		"all empty": {newBed(nil, map[string][]byte{"ca-key.pem": {}}), []string{"error 4 keys are empty or missing"}},
		"a certificate that is none": {own(func(d map[string][]byte) { d["server-cert.pem"] = []byte("x") }),
			[]string{"error server-cert.pem is no PEM certificate: the next start of the webhook fails"}},
		"a CA that is none": {own(func(d map[string][]byte) { d["ca-cert.pem"] = []byte("x") }),
			[]string{"error ca-cert.pem is no PEM certificate"}},
		"a key that is none": {own(func(d map[string][]byte) { d["server-key.pem"] = []byte("x") }),
			[]string{"error server-key.pem is no private key in PEM"}},
		"a CA key that is none": {own(func(d map[string][]byte) { d["ca-key.pem"] = []byte("x") }),
			[]string{"error ca-key.pem is no private key in PEM"}},
		"another certificate's key": {own(func(d map[string][]byte) { d["server-key.pem"] = ca.private(t) }),
			[]string{"error server-key.pem does not belong to the certificate"}},
		"another CA's key, never used": {own(func(d map[string][]byte) { d["ca-key.pem"] = leaf.private(t) }), nil},
		"PKCS#8": {own(func(d map[string][]byte) { d["server-key.pem"] = leaf.pkcs8(t) }),
			[]string{"error server-key.pem is not an RSA key in PKCS#1"}},
		"an elliptic curve": {newBed(nil, ownData(t, ca, ec)), []string{"error server-key.pem is not an RSA key in PKCS#1"}},
		"PKCS#8 for 1.3, which takes it": {own(func(d map[string][]byte) {
			d["server-key.pem"] = leaf.pkcs8(t)
			delete(d,
				"ca-key.pem")
		}).with(chart13), nil},
		"no key for 1.3": {own(func(d map[string][]byte) { delete(d, "server-key.pem") }).with(chart13),
			[]string{"error 1 key is empty or missing (server-key.pem): the webhook cannot serve with it"}},
		"whatever, in 1.4": {own(func(d map[string][]byte) {
			d["server-cert.pem"], d["server-key.pem"] = []byte("x"),
				nil
		}).with(chart14(1)), nil},
		"another name": {newBed(nil, ownData(t, ca, issue(t, ca, -1, 3650, named("old.spark-operator.svc")))),
			[]string{"error server-cert.pem is valid for old.spark-operator.svc, not for " + serviceName + ""}},
		"a wildcard": {newBed(nil, ownData(t, ca, issue(t, ca, -1, 3650, named("*.spark-operator.svc")))), nil},
		"a common name only": {newBed(nil, ownData(t, ca, issue(t, ca, -1, 3650, named()))),
			[]string{"error server-cert.pem names " + serviceName + " only as its common name"}},
		"expired":            {dated(-100, -10), []string{"error server-cert.pem expired 10 d ago (2026-11-11 12:00 UTC)"}},
		"not valid yet":      {dated(1, 3650), []string{"error server-cert.pem becomes valid in 23 h (2026-11-22 12:00 UTC)"}},
		"29 days left":       {dated(-100, 29), []string{"warning server-cert.pem expires in 28 d (2026-12-20 12:00 UTC)"}},
		"32 days left":       {dated(-100, 32), nil},
		"29 of 60 days left": {dated(-31, 29), []string{"warning server-cert.pem expires in 28 d (2026-12-20 12:00 UTC)"}},
		"the CA expired": {newBed(nil, ownData(t, issueFor(t, ca.key, nil, -100, -3), leaf)),
			[]string{"error ca-cert.pem expired 3 d ago (2026-11-18 12:00 UTC)"}},
		"cert-manager, 29 of 90 left":   {managed(-61, 29), nil},
		"cert-manager, 14 of 90 left":   {managed(-76, 14), []string{"warning tls.crt expires in 13 d (2026-12-05 12:00 UTC)"}},
		"cert-manager, 29 of 3650 left": {managed(-3621, 29), []string{"warning tls.crt expires in 28 d (2026-12-20 12:00 UTC)"}},
		"cert-manager, an empty CA": {newBed(nil, map[string][]byte{"tls.crt": leaf.pem(), "tls.key": leaf.private(t),
			"ca.crt": {}}).with(withCertManager), []string{"error 1 key is empty or missing (ca.crt): the next start of the webhook fails"}},
		"cert-manager has not taken it": {newBed(nil, ownData(t, ca, leaf)).with(withCertManager),
			[]string{"error 3 keys are empty or missing (ca.crt, tls.crt, tls.key)"}},
		"two things at once": {own(func(d map[string][]byte) { d["ca-key.pem"], d["server-key.pem"] = []byte("x"), []byte("y") }),
			[]string{"error ca-key.pem is no private key", "error server-key.pem is no private key"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.bed.run(t, "SD1004")
			var got []string
			for _, f := range r.Findings {
				require.Equal(t, check.Proven, f.Certainty)
				got = append(got, f.Severity.String()+" "+f.Message)
			}
			require.Len(t, got, len(c.want), "%q", got)
			slices.Sort(got)
			for i, want := range c.want {
				require.Contains(t, got[i], want)
			}
		})
	}
}

// chart13 is an installation of chart 1.3.2, whose Secret is a volume.
func chart13(b *bed) {
	b.mount = "spark-operator-webhook-certs"
	b.image = "docker.io/kubeflow/spark-operator:v1beta2-1.5.0-3.5.0"
	b.args = []string{"-enable-webhook=true", "-webhook-svc-name=spark-operator-webhook-svc", "-webhook-svc-namespace=spark-operator"}
}

func TestFreshSecretIsNotJudged(t *testing.T) {
	p := check.DefaultParams()
	p.NewAfter = 365 * 24 * time.Hour
	r := check.Run(newBed(nil, map[string][]byte{}).snapshot(t), []check.Check{checkOf(t, "SD1004")}, p)[0]
	require.Empty(t, r.Findings)
	require.Contains(t, r.Reason, "not filled yet")
}

// Nothing that a private key is made of shows anywhere.
func TestNoKeyInFindings(t *testing.T) {
	ca := issue(t, nil, -100, -10)
	leaf := issue(t, ca, -100, -10, named("other"))
	b := newBed(ca.pem(), ownData(t, ca, leaf))
	b.served = map[int][]*issued{0: {leaf}}
	for _, id := range []string{"SD1003", "SD1004", "SD1005", "SD1006"} {
		text := fmt.Sprintf("%+v", b.run(t, id))
		for _, c := range []*issued{ca, leaf} {
			key, ok := c.key.(*rsa.PrivateKey)
			require.True(t, ok)
			require.NotContains(t, text, hex.EncodeToString(key.D.Bytes()[:8]))
		}
		require.NotContains(t, text, "PRIVATE KEY")
	}
}

// TestASecretThatDoesNotExist tells it from one that was not seen, and by what the release does at its next start.
func TestASecretThatDoesNotExist(t *testing.T) {
	ca := issue(t, nil, -200, 3650)
	none := newBed(ca.pem(), nil)
	ready := func(n int32) func(*bed) { return func(b *bed) { b.ready = n } }
	for name, c := range map[string]struct {
		bed     bed
		want    []string
		message string
		reason  string
	}{
		"one replica": {none, []string{"info proven"}, "the webhook generates a new one, with a new CA, at its next start", ""},
		"two": {none.with(ready(2)), []string{"warning proven"},
			"the next replica to start generates a new CA that the others do not share", ""},
		"two of 2.1": {none.with(ready(2)).with(func(b *bed) { b.image = "kubeflow/spark-operator:2.1.0" }),
			[]string{"warning proven"}, "", ""},
		"cert-manager":         {none.with(withCertManager), []string{"error proven"}, "the next start of the webhook fails", ""},
		"1.3 mounts it":        {none.with(chart13), []string{"error proven"}, "the next start of the webhook fails", ""},
		"1.4.x never reads it": {none.with(chart14(2)), nil, "", ""},
		"a build that nobody knows": {none.with(ready(2)).with(func(b *bed) { b.image = "acme/spark-operator:main" }), []string{"warning likely"},
			"", ""},
		"no replica is ready": {none.with(ready(0)), nil, "", "may be about to make it"},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.bed.run(t, "SD1004")
			require.Equal(t, append([]string{}, c.want...), verdicts(r), "%+v", r.Findings)
			require.Contains(t, r.Reason, c.reason)
			for _, f := range r.Findings {
				require.Contains(t, f.Message, "Secret spark-operator/spark-operator-webhook-certs, which holds the webhook's certificate, "+
					"does not exist: "+c.message)
				require.Equal(t, "Deployment spark-operator/spark-operator-webhook", f.Object.String())
				require.Len(t, f.Absent, 1, "it is looked for again")
			}
		})
	}
	forbidden := snapshot.Coverage{State: snapshot.Partial, Unseen: []snapshot.Unseen{{Verb: "get", Resource: "secrets",
		Namespace: "spark-operator", Reason: "forbidden"}}}
	r := check.Run(none.snapshotWith(t, map[snapshot.View]snapshot.Coverage{snapshot.WebhookSecrets: forbidden}),
		[]check.Check{checkOf(t, "SD1004")}, check.DefaultParams())[0]
	require.Empty(t, r.Findings)
	require.Contains(t, r.Reason, "was not seen")
}
