package checks_test

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

func TestReplicas(t *testing.T) {
	ca, other := issue(t, nil, -200, 3650), issue(t, nil, -200, 3650)
	leaf, earlier := issue(t, ca, -50, 3650), issue(t, ca, -100, 40)
	foreign, ended := issue(t, other, -50, 3650), issue(t, ca, -100, -1)
	elsewhere := issue(t, ca, -50, 3650, named("other.spark-operator.svc"))
	selfSigned := issue(t, nil, -10, 80, func(c *x509.Certificate) { c.DNSNames = []string{serviceName} })
	data := ownData(t, ca, leaf)
	//nolint:gosec // a handful
	replicas := func(start ...int) func(*bed) { return func(b *bed) { b.start, b.ready = start, int32(len(start)) } }
	answers := func(chains ...*issued) func(*bed) {
		return func(b *bed) {
			b.start, b.ready, b.served = make([]int, len(chains)), int32(len(chains)), map[int][]*issued{} //nolint:gosec // a handful
			for i, c := range chains {
				if c != nil {
					b.served[i] = []*issued{c}
				}
			}
		}
	}
	for name, c := range map[string]struct {
		bed     bed
		want    []string
		message string
	}{
		"started after the certificate was made": {newBed(ca.pem(), data).with(replicas(-49, -3)), nil, ""},
		"made by the replica itself":             {newBed(ca.pem(), ownData(t, ca, issue(t, ca, -49, 3650))).with(replicas(-49)), nil, ""},
		"a new CA under two of three": {newBed(other.pem(),
			ownData(t, issue(t, nil, -10, 3650), issue(t, other, -10, 3650))).with(replicas(-20, -5, -30)), []string{"error likely"},
			"2 of 3 ready webhook replicas started before the certificate in Secret spark-operator/spark-operator-webhook-certs was generated " +
				"10 d ago (2026-11-11 12:00 UTC), and serve an older one (webhook-a, webhook-c)"},
		"a new certificate under the same CA": {newBed(ca.pem(), data).with(replicas(-60)), []string{"warning likely"},
			"restart them before it expires"},
		"a self-signed one renewed": {newBed(selfSigned.pem(),
			certManagerData(t, selfSigned, selfSigned)).with(withCertManager).with(replicas(-20)), []string{"error likely"},
			"1 of 1 ready webhook replicas started before"},
		"no pods seen": {newBed(ca.pem(), data).with(replicas()), nil, ""},
		"1.3 re-reads": {newBed(ca.pem(), data).with(chart13).with(replicas(-60, -1)), nil, ""},
		"1.4.x, one":   {newBed(leaf.pem(), data).with(chart14(1)), nil, ""},
		"1.4.x, two": {newBed(leaf.pem(), nil).with(chart14(2)), []string{"error likely"},
			"each of the 2 ready replicas of operator v1beta2-1.6.2-3.5.0 generates its own certificate"},

		"asked: all serve the Secret's": {newBed(ca.pem(), data).with(answers(leaf, leaf)), nil, ""},
		"asked: whatever the dates say": {newBed(ca.pem(), data).with(answers(leaf)).with(func(b *bed) { b.start = []int{-90} }), nil, ""},
		"asked: one of another CA": {newBed(ca.pem(), data).with(answers(leaf, foreign, leaf)), []string{"error proven"},
			"1 of 3 webhook replicas serve a certificate that caBundle does not trust (webhook-b)"},
		"asked: both CAs are trusted": {newBed(slices.Concat(ca.pem(), other.pem()), nil).with(answers(leaf, foreign)), nil, ""},
		"asked: one that ended":       {newBed(ca.pem(), data).with(answers(ended, leaf)), []string{"error proven"}, "(webhook-a)"},
		"asked: another name":         {newBed(ca.pem(), data).with(answers(elsewhere)), []string{"error proven"}, "1 of 1"},
		"asked: an older one of the CA": {newBed(ca.pem(), data).with(answers(leaf, earlier)), []string{"warning proven"},
			"1 of 2 webhook replicas serve an older certificate than that in Secret spark-operator/spark-operator-webhook-certs (webhook-b), " +
				"still trusted: restart them before it expires in 39 d (2026-12-31 12:00 UTC)"},
		"asked: the older one, no Secret": {newBed(ca.pem(), nil).with(answers(leaf, earlier)), nil, ""},
		"asked: 1.4.x, the last one wins": {newBed(leaf.pem(), data).with(chart14(2)).with(answers(leaf, foreign)), []string{"error proven"},
			"(webhook-b)"},
		"asked: 1.4.x, one says nothing": {newBed(leaf.pem(), data).with(chart14(2)).with(answers(leaf, nil)), []string{"error likely"},
			"each of the 2 ready replicas"},
		"asked: 1.4.x, one refuted already": {newBed(leaf.pem(), data).with(chart14(3)).with(answers(leaf, foreign, nil)),
			[]string{"error proven"}, "1 of 2 webhook replicas"},
		"asked: one says nothing, and is old": {newBed(ca.pem(), data).with(answers(leaf, nil)).with(func(b *bed) { b.start = []int{0, -60} }),
			[]string{"warning likely"}, "1 of 2 ready webhook replicas started before"},
		"asked: an unknown build": {
			newBed(ca.pem(), data).with(answers(foreign)).with(func(b *bed) { b.image = "acme/spark-operator:main" }),
			[]string{"error proven"}, "1 of 1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.bed.run(t, "SD1005")
			require.Empty(t, r.Reason)
			require.Equal(t, append([]string{}, c.want...), verdicts(r), "%+v", r.Findings)
			for _, f := range r.Findings {
				require.Contains(t, f.Message, c.message)
				require.Equal(t, "Deployment spark-operator/spark-operator-webhook", f.Object.String())
			}
		})
	}
}

func TestEveryReplicaIsEvidence(t *testing.T) {
	ca, other := issue(t, nil, -200, 3650), issue(t, nil, -200, 3650)
	leaf, foreign := issue(t, ca, -50, 3650), issue(t, other, -50, 3650)
	b := newBed(ca.pem(), ownData(t, ca, leaf))
	b.start, b.served = []int{0, 0}, map[int][]*issued{0: {leaf}, 1: {foreign}}
	f := b.run(t, "SD1005").Findings[0]
	values := map[string]string{}
	for _, e := range f.Evidence {
		values[e.Object.Name] = e.Value
	}
	require.Equal(t, fmt.Sprintf("serial %X, valid 2026-10-02T12:00:00Z to 2036-11-18T12:00:00Z: trusted", leaf.cert.SerialNumber),
		values["webhook-a"])
	require.Equal(t, fmt.Sprintf("serial %X, valid 2026-10-02T12:00:00Z to 2036-11-18T12:00:00Z: not trusted by "+
		"MutatingWebhookConfiguration spark-operator-webhook webhooks[0].clientConfig.caBundle: signed by an unknown authority",
		foreign.cert.SerialNumber), values["webhook-b"])
	require.Len(t, f.Related, 1, "only the one that is not trusted")
}

// What replicas serve cannot be judged without a caBundle, or with one of which a part is not known.
func TestReplicasAreNotJudgedWithoutTheSecret(t *testing.T) {
	b := newBed(issue(t, nil, -200, 3650).pem(), nil)
	b.start = []int{-20, -60}
	r := b.run(t, "SD1005")
	require.Equal(t, check.Skipped, r.Status)
	require.Equal(t, "Secret spark-operator/spark-operator-webhook-certs was not seen, so what replicas serve is not judged by it", r.Reason)
}

func TestServedButNotJudged(t *testing.T) {
	ca, other := issue(t, nil, -200, 3650), issue(t, nil, -200, 3650)
	leaf := issue(t, ca, -50, 3650)
	for reason, bundle := range map[string][]byte{
		"no webhook configuration with a caBundle": nil,
		"holds more than 512 certificates":         bytes.Repeat(other.pem(), 600),
	} {
		b := newBed(bundle, ownData(t, ca, leaf))
		b.served = map[int][]*issued{0: {leaf}}
		r := b.run(t, "SD1005")
		require.Equal(t, check.Skipped, r.Status)
		require.Contains(t, r.Reason, reason)
	}
}
