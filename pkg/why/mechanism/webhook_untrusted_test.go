package mechanism_test

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestWebhooksThatAreNotTrusted: the CAs are compared where the API server said that it does not trust the certificate, and only what was
// there then counts.
func TestWebhooksThatAreNotTrusted(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	ca := func(name, key string, made time.Time) *x509.Certificate {
		return &x509.Certificate{Raw: []byte(name), RawSubjectPublicKeyInfo: []byte(key), Subject: pkix.Name{CommonName: name}, NotBefore: made}
	}
	before, after := at.Add(-time.Hour), at.Add(time.Hour)
	config := snapshot.Ref{Kind: "MutatingWebhookConfiguration", Name: "webhook"}
	secret := snapshot.Ref{Kind: "Secret", Namespace: "operators", Name: "certs"}
	const unknown, refused = "x509: certificate signed by unknown authority", "connect: connection refused"
	for name, c := range map[string]struct {
		said    string
		trusted app.Trusted
		is      bool
	}{
		"another CA":             {unknown, app.Trusted{Bundle: ca("a", "a", before), CA: ca("b", "b", before), Secret: secret}, true},
		"nothing":                {unknown, app.Trusted{Empty: true, CA: ca("b", "b", before), Secret: secret}, true},
		"nothing, and no Secret": {unknown, app.Trusted{Empty: true}, true},
		"the same CA":            {unknown, app.Trusted{Bundle: ca("a", "a", before), CA: ca("a", "a", before), Secret: secret}, false},
		"renewed with its key":   {unknown, app.Trusted{Bundle: ca("a", "a", before), CA: ca("b", "a", before), Secret: secret}, false},
		"made after the call":    {unknown, app.Trusted{Bundle: ca("a", "a", before), CA: ca("b", "b", after), Secret: secret}, false},
		"applied after it":       {unknown, app.Trusted{Empty: true, Created: after}, false},
		"several certificates":   {unknown, app.Trusted{CA: ca("b", "b", before), Secret: secret}, false},
		"nobody listens":         {refused, app.Trusted{Bundle: ca("a", "a", before), CA: ca("b", "b", before), Secret: secret}, false},
	} {
		c.trusted.Config, c.trusted.Webhook = config, "w.example.com"
		r, known := mechanism.NewMessages().Refused(`failed calling webhook "w.example.com": failed to call webhook: ` +
			`Post "https://svc.operators.svc:443/w?timeout=10s": ` + c.said)
		require.True(t, known, name)
		require.Equal(t, mechanism.Endpoint{Namespace: "operators", Name: "svc", Port: "443"}, r.Service, name)
		v := mechanism.Look(&app.Evidence{Trusts: []app.Trusted{c.trusted}})
		_, is := mechanism.UntrustedWebhook(v, &cause.Cause{At: at, Detail: mechanism.SubmissionRefused{Refusal: r}})
		require.Equal(t, c.is, is, name)
	}
}
