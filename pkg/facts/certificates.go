package facts

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

// Distrust verifies a served chain the way the API server does before it calls a webhook (net/http, crypto/x509),
// and returns why it would not, or nil. A leaf in the bundle is trusted as it is, which chart 1.4.x relies on.
func Distrust(bundle snapshot.Bundle, chain []*x509.Certificate, name string, now time.Time) error {
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

// WhyDistrusted words an error of distrust; certificates may hold any text, so what they say is left out.
func WhyDistrusted(err error) string {
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

// DescribeCertificate names a certificate by what tells it from others. The serial number is as openssl prints it.
func DescribeCertificate(c *x509.Certificate) string {
	return fmt.Sprintf("serial %X, valid %s to %s", c.SerialNumber, Timestamp(c.NotBefore), Timestamp(c.NotAfter))
}

// CallsOf are the webhooks of a configuration that call an installation, by their index.
func CallsOf(in *operator.Installation, c *snapshot.WebhookConfiguration) []int {
	var out []int
	for i, w := range c.Webhooks {
		if in.Calls(w) {
			out = append(out, i)
		}
	}
	return out
}

// UnjudgedBundles sorts reasons and drops those said twice.
func UnjudgedBundles(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// CertificateNames lists some of the names that a certificate is made for.
func CertificateNames(c *x509.Certificate) string {
	if len(c.DNSNames) == 0 {
		return "no DNS name"
	}
	return strings.Join(c.DNSNames[:min(len(c.DNSNames), MaxNamed)], ", ")
}
