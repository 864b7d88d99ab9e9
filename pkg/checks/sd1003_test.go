package checks_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestBundlesAreVerifiedNotCompared(t *testing.T) {
	ca, other := issue(t, nil, -100, 100), issue(t, nil, -100, 100)
	leaf := issue(t, ca, -100, 90)
	sameKey := issueFor(t, ca.key, nil, -200, 300)
	ended := issueFor(t, ca.key, nil, -200, -10)
	between := issue(t, ca, -100, 100, asCA)
	below := issue(t, between, -100, 100)
	endedLeaf := issue(t, ca, -100, -1)
	many := bytes.Repeat(other.pem(), 300)
	for name, c := range map[string]struct {
		bed    bed
		want   []string
		reason string
	}{
		"its CA":                         {newBed(ca.pem(), ownData(t, ca, leaf)), nil, ""},
		"another CA":                     {newBed(other.pem(), ownData(t, ca, leaf)), []string{"error proven"}, ""},
		"several, one of them":           {newBed(slices.Concat(other.pem(), ca.pem()), ownData(t, ca, leaf)), nil, ""},
		"three hundred and it":           {newBed(slices.Concat(many, ca.pem()), ownData(t, ca, leaf)), nil, ""},
		"the leaf itself":                {newBed(leaf.pem(), ownData(t, ca, leaf)), nil, ""},
		"the CA made again with its key": {newBed(sameKey.pem(), ownData(t, ca, leaf)), nil, ""},
		"the CA ended, the leaf did not": {newBed(ended.pem(), ownData(t, ca, leaf)), []string{"error proven"}, ""},
		"only the leaf ended: SD1004":    {newBed(ca.pem(), ownData(t, ca, endedLeaf)), nil, ""},
		"garbage":                        {newBed([]byte("garbage"), ownData(t, ca, leaf)), []string{"error proven"}, ""},
		"garbage around a good one":      {newBed(slices.Concat([]byte("garbage\n"), ca.pem()), ownData(t, ca, leaf)), nil, ""},
		"nothing":                        {newBed(nil, ownData(t, ca, leaf)), []string{"error proven"}, ""},
		"nothing, and no Secret seen":    {newBed(nil, nil), []string{"error proven"}, ""},
		"no Secret seen":                 {newBed(other.pem(), nil), nil, "Secret spark-operator/spark-operator-webhook-certs does not exist"},
		"a Secret without a certificate": {newBed(other.pem(), map[string][]byte{"server-cert.pem": []byte("x")}), nil, ""},
		"more than can be looked at": {newBed(bytes.Repeat(other.pem(), 4096), ownData(t, ca, leaf)), nil,
			"holds more than 512 certificates"},
		"as many, the right one in front": {newBed(slices.Concat(ca.pem(), bytes.Repeat(other.pem(), 4096)), ownData(t, ca, leaf)), nil, ""},
		"made an hour ago by the webhook": {newBed(ca.pem(), ownData(t, other, issue(t, other, 0, 100))), []string{"error proven"}, ""},
		"older replicas": {newBed(other.pem(), ownData(t, ca, leaf)).with(func(b *bed) { b.start = []int{-101} }),
			[]string{"error likely"}, ""},
		"no replica is ready": {newBed(other.pem(), ownData(t, ca, leaf)).with(func(b *bed) { b.start = nil }),
			[]string{"error likely"}, ""},
		"asked, and it serves that one": {newBed(other.pem(), ownData(t, ca, leaf)).with(func(b *bed) {
			b.start, b.served = []int{-101},
				map[int][]*issued{0: {leaf}}
		}), []string{"error proven"}, ""},
		"asked, and it serves another": {newBed(other.pem(), ownData(t, ca,
			leaf)).with(func(b *bed) { b.served = map[int][]*issued{0: {below}} }), []string{"error likely"}, ""},
		"a build that nobody knows": {newBed(other.pem(), ownData(t, ca, leaf)).with(func(b *bed) { b.image = "acme/spark-operator:main" }),
			[]string{"error likely"}, ""},
		// 2.x serves the first certificate of tls.crt and drops the rest.
		"cert-manager, the intermediate in tls.crt": {newBed(ca.pem(), withChain(t, ca, below, between)).with(withCertManager),
			[]string{"error proven"}, ""},
		"cert-manager, and in caBundle": {newBed(slices.Concat(between.pem(), ca.pem()),
			withChain(t, ca, below, between)).with(withCertManager), nil, ""},
		"an elliptic curve":      {newBed(ca.pem(), ownData(t, ca, issueFor(t, ecKey(t), ca, -100, 90))), nil, ""},
		"1.4.x with one replica": {newBed(other.pem(), ownData(t, leaf, leaf)).with(chart14(1)), nil, ""},
		"1.4.x with two":         {newBed(other.pem(), ownData(t, leaf, leaf)).with(chart14(2)), []string{"error likely"}, ""},
		"1.4.x, blank":           {newBed(other.pem(), map[string][]byte{"ca-cert.pem": {}}).with(chart14(2)), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.bed.run(t, "SD1003")
			require.NotContains(t, r.Reason, "internal error")
			require.ElementsMatch(t, c.want, verdicts(r), "%+v", r.Findings)
			require.Contains(t, r.Reason, c.reason)
			require.Equal(t, c.reason == "", r.Reason == "", r.Reason)
		})
	}
}

// Hundreds of other projects' webhooks and URLs are none of ours, whatever their caBundle.
func TestForeignWebhooks(t *testing.T) {
	ca := issue(t, nil, -100, 100)
	address := "https://[2001:db8::1]/mutate"
	b := newBed(ca.pem(), ownData(t, ca, issue(t, ca, -100, 90)))
	b.extra = append(b.extra, admissionv1.MutatingWebhook{Name: "url.sparkoperator.k8s.io",
		ClientConfig: admissionv1.WebhookClientConfig{URL: &address}})
	for i := range 500 {
		service := &admissionv1.ServiceReference{Namespace: "policies", Name: fmt.Sprintf("policy-%d", i)}
		b.extra = append(b.extra, admissionv1.MutatingWebhook{Name: fmt.Sprintf("p%d.example.com", i),
			ClientConfig: admissionv1.WebhookClientConfig{Service: service, CABundle: []byte("garbage")}})
	}
	for _, id := range []string{"SD1003", "SD1004", "SD1005", "SD1006"} {
		r := b.run(t, id)
		require.Equal(t, check.Passed, r.Status, "%s %s %+v", id, r.Reason, r.Findings)
	}
}

func TestOneFindingNamesAllWebhooks(t *testing.T) {
	ca, other := issue(t, nil, -100, 100), issue(t, nil, -100, 100)
	b := newBed(other.pem(), ownData(t, ca, issue(t, ca, -100, 90)))
	service := &admissionv1.ServiceReference{Namespace: "spark-operator", Name: "spark-operator-webhook-svc"}
	b.extra = []admissionv1.MutatingWebhook{
		{Name: "good", ClientConfig: admissionv1.WebhookClientConfig{Service: service, CABundle: ca.pem()}},
		{Name: "empty", ClientConfig: admissionv1.WebhookClientConfig{Service: service}},
	}
	r := b.run(t, "SD1003")
	require.Len(t, r.Findings, 1)
	f := r.Findings[0]
	require.Equal(t, "webhooks[0].clientConfig.caBundle", f.Field)
	require.Contains(t, f.Message, "signed by an unknown authority (mutate--v1-pod.sparkoperator.k8s.io); caBundle is empty (empty)")
	require.NotContains(t, f.Message, "good")
	require.Contains(t, f.Evidence, check.Evidence{Object: f.Object, Field: "webhooks[2].clientConfig.caBundle", Value: "empty: empty"})
	require.Equal(t, "Deployment spark-operator/spark-operator-webhook", f.Related[0].String())
	require.Equal(t, []snapshot.Ref{{APIVersion: "v1", Kind: "Secret", Namespace: "spark-operator", Name: "spark-operator-webhook-certs",
		UID: "uid-spark-operator-webhook-certs"}}, f.Related[1:])
}
