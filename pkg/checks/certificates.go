package checks

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// startSlack is how long before its certificate a webhook may have started and still be the one that made it.
const startSlack = 10 * time.Minute

// makingTime is how long a webhook takes from its start to its certificate: it is the first thing that it does.
const makingTime = time.Minute

// distrust verifies a served chain the way the API server does before it calls a webhook (net/http, crypto/x509),
// and returns why it would not, or nil. A leaf in the bundle is trusted as it is, which chart 1.4.x relies on.
func distrust(bundle snapshot.Bundle, chain []*x509.Certificate, name string, now time.Time) error {
	roots, intermediates := x509.NewCertPool(), x509.NewCertPool()
	for _, c := range bundle.Certificates() {
		roots.AddCert(c)
	}
	for _, c := range chain[1:] {
		intermediates.AddCert(c)
	}
	_, err := chain[0].Verify(x509.VerifyOptions{DNSName: name, Roots: roots, Intermediates: intermediates, CurrentTime: now})
	return err
}

// why words an error of distrust; certificates may hold any text, so what they say is left out.
func why(err error) string {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	switch {
	case errors.As(err, &unknown):
		return "signed by an unknown authority"
	case errors.As(err, &name):
		return "not made for this name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		return fmt.Sprintf("%s is valid from %s to %s", holderOf(invalid.Cert), day(invalid.Cert.NotBefore), day(invalid.Cert.NotAfter))
	default:
		return strings.TrimPrefix(err.Error(), "x509: ")
	}
}

func holderOf(c *x509.Certificate) string {
	if c.IsCA {
		return "a CA certificate"
	}
	return "the certificate"
}

// served returns the chain that a webhook makes of what its Secret holds.
func servedFrom(use operator.CertificateUse, pair *snapshot.Pair) []*x509.Certificate {
	chain := pair.Server.Certificates()
	if len(chain) > 1 && !use.ServesChain() {
		return chain[:1]
	}
	return chain
}

// describe names a certificate by what tells it from others. The serial number is as openssl prints it.
func describe(c *x509.Certificate) string {
	return fmt.Sprintf("serial %X, valid %s to %s", c.SerialNumber, second(c.NotBefore), second(c.NotAfter))
}

func describeAll(list []*x509.Certificate) string {
	switch len(list) {
	case 0:
		return "empty"
	case 1:
		return describe(list[0])
	default:
		return fmt.Sprintf("%d certificates, the first with %s", len(list), describe(list[0]))
	}
}

func day(t time.Time) string    { return t.UTC().Format(time.DateOnly) }
func second(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// secretOf returns the Secret that an installation names, nil if it was not seen.
func secretOf(in *operator.Installation, secrets []snapshot.WebhookSecret) *snapshot.WebhookSecret {
	key := in.WebhookSecret()
	i := slices.IndexFunc(secrets, func(s snapshot.WebhookSecret) bool { return s.Key() == key })
	if i < 0 {
		return nil
	}
	return &secrets[i]
}

// calls are the webhooks of a configuration that call an installation, by their index.
func calls(in *operator.Installation, c *snapshot.WebhookConfiguration) []int {
	var out []int
	for i, w := range c.Webhooks {
		if in.Calls(w) {
			out = append(out, i)
		}
	}
	return out
}

func bundleField(i int) string { return fmt.Sprintf("webhooks[%d].clientConfig.caBundle", i) }

// predates reports whether a pod's webhook started too long before a certificate to have it: the process reads the
// Secret at start and never again. Where the start is not known it does not.
func predates(in *operator.Installation, p *snapshot.OperatorPod, c *x509.Certificate) bool {
	run, known := in.WebhookRun(p)
	return known && c.NotBefore.After(run.Started.Add(startSlack))
}

// certaintyFor is Likely for a build of which nothing is known.
func certaintyFor(in *operator.Installation) Certainty {
	if in.Recognised {
		return Proven
	}
	return Likely
}

// admissionNeeds are the webhook configurations, with the role that they play.
func admissionNeeds(role snapshot.Role) []snapshot.Need {
	return []snapshot.Need{
		{View: snapshot.MutatingWebhooks, Role: role, Scope: snapshot.Everywhere},
		{View: snapshot.ValidatingWebhooks, Role: role, Scope: snapshot.Everywhere},
	}
}

// unjudged sorts reasons and drops those said twice.
func unjudged(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
